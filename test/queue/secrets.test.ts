/** A queue with a password and a model with a key: neither is stored or printed, and a killed coordinator resumes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { REDIS, reportMissingServers, startRedis } from '../support/engine/queue.ts'
import { CLI, episodeLines } from '../chaos/trial.ts'
import { startModelServer } from '../chaos/model-server.ts'

reportMissingServers()
const PASSWORD = 'a-password-nobody-may-see'
const KEY = 'a-key-nobody-may-see'
const SAMPLES = 24

interface Ended {
  code: number | null
  output: string
}

interface Started {
  child: ChildProcess
  ended: Promise<Ended>
  /** What it has printed so far. */
  output: () => string
}

it.skipIf(REDIS === null)(
  'secrets do not appear on the server, in the run or in the output, and resume reads them from the environment',
  { timeout: 300_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sightline-secrets-'))
    const server = await startRedis({ password: PASSWORD })
    const models = await startModelServer(() => 30)
    const attacker = await startModelServer(() => 0)
    const env = { ...process.env, VLLM_API_KEY: KEY, SIGHTLINE_QUEUE_PASSWORD: PASSWORD }
    const running: ChildProcess[] = []
    const sightline = (line: string, more: NodeJS.ProcessEnv = {}): Started => {
      const child = spawn(process.execPath, [CLI, ...line.split(' ')], {
        env: { ...env, ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      running.push(child)
      let output = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
      }
      const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, output })))
      return { child, ended, output: () => output }
    }
    try {
      const worker = sightline(
        `worker --queue ${server.url} --slots 2 --threads 0 --allow-base-url ${models.url} --log-dir ${join(folder, 'worker')}`,
      )
      const runs = join(folder, 'store')
      const first = sightline(
        `run space/text --model vllm/secret --source builtin:scenes=${SAMPLES} -M base_url=${models.url} -T questions=1 --log-dir ${runs} --queue ${server.url} --lease 2`,
      )
      while ((await episodeLines(runs)).length < 4) await pause(50)
      first.child.kill('SIGKILL')
      const killed = await first.ended
      const atKill = (await episodeLines(runs)).length
      await pause(1500)

      const second = await sightline(`resume latest --log-dir ${runs} --lease 2`).ended
      expect(second.output).toContain(`${SAMPLES}/${SAMPLES}`)
      expect(second.code).toBe(0)
      expect((await episodeLines(runs)).length).toBe(SAMPLES)
      expect(atKill).toBeLessThan(SAMPLES)
      const doctor = await sightline(`doctor --queue ${server.url} --log-dir ${runs}`).ended
      expect(doctor.output).toMatch(/connected to .* with a password/)

      // Neither a worker nor a run file sends the key to an address that its user has not named.
      const elsewhere = join(folder, 'elsewhere')
      const theirs = sightline(
        `run space/text --model vllm/secret -M base_url=${attacker.url} --log-dir ${elsewhere} --queue ${server.url}`,
      )
      const refusal = `It would ask vllm/secret at ${attacker.url}, an address that nobody on this machine has named.`
      await expect.poll(theirs.output, { timeout: 30_000 }).toContain(`cannot play this run: ${refusal}`)
      theirs.child.kill('SIGKILL')
      await theirs.ended
      const victim = sightline(`resume latest --log-dir ${elsewhere} --queue here`, { XDG_STATE_HOME: folder })
      const { code, output } = await victim.ended
      expect([code, output]).toEqual([expect.any(Number), expect.stringContaining(refusal)])
      expect(code).not.toBe(0)
      expect(attacker.answered.size).toBe(0)

      worker.child.kill('SIGTERM')
      const wrong = await sightline(`doctor --queue redis://:not-it@127.0.0.1:${server.port}/0`).ended
      expect(wrong.output).toMatch(/Cannot reach the queue.*(WRONGPASS|password)/)

      const printed = [killed, second, doctor, await worker.ended].map(({ output }) => output)
      const written = [folder, server.folder].flatMap((place) =>
        filesIn(place).map((path) => readFileSync(path, 'latin1')),
      )
      expect(written.length).toBeGreaterThan(5)
      for (const text of [...printed, ...written]) {
        expect(text.includes(PASSWORD)).toBe(false)
        expect(text.includes(KEY)).toBe(false)
      }
    } finally {
      for (const child of running) child.kill('SIGKILL')
      await models.close()
      await attacker.close()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
)

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
}
