/** A queue with a password and a model with a key: neither is stored or printed, and a killed coordinator resumes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { REDIS, sayWhatIsMissing, startRedis } from '../support/engine/queue.ts'
import { CLI, episodeLines } from '../chaos/chaos.ts'
import { startModelServer } from '../chaos/model-server.ts'

sayWhatIsMissing()
const PASSWORD = 'a-password-nobody-may-see'
const KEY = 'a-key-nobody-may-see'
const SAMPLES = 24

interface Ended {
  code: number | null
  output: string
}

it.skipIf(REDIS === null)(
  'secrets do not appear on the server, in the run or in the output, and resume reads them from the environment',
  { timeout: 300_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sightline-secrets-'))
    const server = await startRedis({ password: PASSWORD })
    const models = await startModelServer(() => 30)
    const env = { ...process.env, VLLM_API_KEY: KEY, SIGHTLINE_QUEUE_PASSWORD: PASSWORD }
    const running: ChildProcess[] = []
    const sightline = (line: string): { child: ChildProcess; ended: Promise<Ended> } => {
      const child = spawn(process.execPath, [CLI, ...line.split(' ')], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      running.push(child)
      let output = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
      }
      return { child, ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, output }))) }
    }
    try {
      const worker = sightline(`worker --queue ${server.url} --slots 2 --threads 0 --log-dir ${join(folder, 'worker')}`)
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
      expect(doctor.output).toMatch(/is reached with a password/)
      worker.child.kill('SIGTERM')
      const wrong = await sightline(`doctor --queue redis://:not-it@127.0.0.1:${server.port}/0`).ended
      expect(wrong.output).toMatch(/cannot be reached.*(WRONGPASS|password)/)

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
