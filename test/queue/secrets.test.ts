/** A queue with a password and a model with a key: neither is ever written down, and a killed coordinator goes on. */
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
const CASES = 24

interface Ended {
  code: number | null
  words: string
}

it.skipIf(REDIS === null)(
  'leave no trace on the server, in the run or in what is said; resume needs only the environment',
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
      let words = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => (words += chunk.toString('utf8')))
      }
      return { child, ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, words }))) }
    }
    try {
      const worker = sightline(`worker --queue ${server.url} --slots 2 --threads 0 --log-dir ${join(folder, 'worker')}`)
      const runs = join(folder, 'store')
      const first = sightline(
        `run space/text --model vllm/secret --source builtin:scenes=${CASES} -M base_url=${models.url} -T questions=1 --log-dir ${runs} --queue ${server.url} --lease 2`,
      )
      while ((await episodeLines(runs)).length < 4) await pause(50)
      first.child.kill('SIGKILL')
      const killed = await first.ended
      const atKill = (await episodeLines(runs)).length
      await pause(1500)

      const second = await sightline(`resume latest --log-dir ${runs} --lease 2`).ended
      expect(second.words).toContain(`${CASES}/${CASES}`)
      expect(second.code).toBe(0)
      expect((await episodeLines(runs)).length).toBe(CASES)
      expect(atKill).toBeLessThan(CASES)
      const doctor = await sightline(`doctor --queue ${server.url} --log-dir ${runs}`).ended
      expect(doctor.words).toMatch(/is reached with a password/)
      worker.child.kill('SIGTERM')
      const wrong = await sightline(`doctor --queue redis://:not-it@127.0.0.1:${server.port}/0`).ended
      expect(wrong.words).toMatch(/cannot be reached.*(WRONGPASS|password)/)

      const said = [killed, second, doctor, await worker.ended].map(({ words }) => words)
      const written = [folder, server.folder].flatMap((place) =>
        filesIn(place).map((path) => readFileSync(path, 'latin1')),
      )
      expect(written.length).toBeGreaterThan(5)
      for (const text of [...said, ...written]) {
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
