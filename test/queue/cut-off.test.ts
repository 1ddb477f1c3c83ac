/** A worker on another host that loses its network in the middle of a run and gets it back. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { REDIS, reportMissingServers, startRedis } from '../support/engine/queue.ts'
import { CLI, episodeLines, finish, reportOf, start } from '../chaos/trial.ts'
import { startModelServer } from '../chaos/model-server.ts'
import { makeOtherHost } from './network.ts'

reportMissingServers()
const host = REDIS === null ? null : makeOtherHost()
if (REDIS !== null && host === null)
  console.log('Cannot create network namespaces (needs root): skipping the test of a disconnected worker.')

const SAMPLES = 40
const QUICK_MS = 20
/** Slow enough that the run cannot end before the network is back: an episode has a dozen requests. */
const SLOW_MS = 3000
const LEASE_SECONDS = 2
/** Many leases, so other workers take over all of its episodes. */
const CUT_SECONDS = 30

it.skipIf(host === null)(
  'a disconnected worker neither hangs the run nor duplicates an episode',
  { timeout: 300_000 },
  async () => {
    const { here, name } = host!
    const folder = await mkdtemp(join(tmpdir(), 'sightline-cut-'))
    const server = await startRedis({ host: here })
    let replyMs = QUICK_MS
    const models = await startModelServer(() => replyMs, here)
    const workers: ChildProcess[] = []
    const run = (logDir: string): string[] =>
      `run space/text --model vllm/cut --source builtin:scenes=${SAMPLES} -M base_url=${models.url} -T questions=1 --json --log-dir ${join(folder, logDir)}`.split(
        ' ',
      )
    const worker = (place: string): string[] =>
      `worker --queue ${server.url} --slots 4 --threads 1 --allow-base-url ${models.url} --log-dir ${join(folder, place)}`.split(
        ' ',
      )
    try {
      await finish(start(run('calm')))
      const far = spawn('ip', ['netns', 'exec', name, process.execPath, CLI, ...worker('far')], { stdio: 'ignore' })
      workers.push(far)
      const coordinator = start([...run('wild'), '--queue', server.url, '--lease', String(LEASE_SECONDS)])
      // Alone at first, so it has episodes when it is disconnected.
      while ((await episodeLines(join(folder, 'wild'))).length < SAMPLES / 8) await pause(50)
      replyMs = SLOW_MS
      host!.pull()
      const near = start(worker('near'))
      near.stderr?.resume()
      workers.push(near)
      await pause(CUT_SECONDS * 1000)
      const atPlug = (await episodeLines(join(folder, 'wild'))).length
      host!.plug()
      replyMs = QUICK_MS
      await finish(coordinator)
      expect(atPlug).toBeLessThan(SAMPLES)
      expect(far.exitCode).toBe(null)

      const lines = (await episodeLines(join(folder, 'wild'))).map((line) => JSON.parse(line) as { sample: string })
      expect(lines).toHaveLength(SAMPLES)
      expect(new Set(lines.map((line) => line.sample)).size).toBe(SAMPLES)
      expect(await reportOf(join(folder, 'wild'))).toBe(await reportOf(join(folder, 'calm')))
    } finally {
      for (const child of workers) child.kill('SIGKILL')
      await models.close()
      await server.stop()
      host!.remove()
      await rm(folder, { recursive: true, force: true })
    }
  },
)
