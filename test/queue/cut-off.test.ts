/** A worker on another host whose cable is pulled in the middle of a run, and plugged in again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { REDIS, sayWhatIsMissing, startRedis } from '../support/engine/queue.ts'
import { CLI, episodeLines, finish, reportOf, start } from '../chaos/chaos.ts'
import { startModelServer } from '../chaos/model-server.ts'
import { makeOtherHost } from './network.ts'

sayWhatIsMissing()
const host = REDIS === null ? null : makeOtherHost()
if (REDIS !== null && host === null)
  console.log('Network namespaces cannot be made here (they need root): a worker that is cut off is not tested.')

const CASES = 40
const QUICK_MS = 20
/** An episode asks a dozen times: at this pace the run cannot end before the cable is plugged in again. */
const SLOW_MS = 3000
const LEASE_SECONDS = 2
/** Many leases: everything it had in hand is taken over meanwhile. */
const CUT_SECONDS = 30

it.skipIf(host === null)('neither hangs the run nor doubles an episode', { timeout: 300_000 }, async () => {
  const { here, name } = host!
  const folder = await mkdtemp(join(tmpdir(), 'sightline-cut-'))
  const server = await startRedis({ host: here })
  let replyMs = QUICK_MS
  const models = await startModelServer(() => replyMs, here)
  const workers: ChildProcess[] = []
  const run = (logDir: string): string[] =>
    `run space/text --model vllm/cut --source builtin:scenes=${CASES} -M base_url=${models.url} -T questions=1 --json --log-dir ${join(folder, logDir)}`.split(
      ' ',
    )
  const worker = (place: string): string[] =>
    `worker --queue ${server.url} --slots 4 --threads 1 --log-dir ${join(folder, place)}`.split(' ')
  try {
    await finish(start(run('calm')))
    const far = spawn('ip', ['netns', 'exec', name, process.execPath, CLI, ...worker('far')], { stdio: 'ignore' })
    workers.push(far)
    const coordinator = start([...run('wild'), '--queue', server.url, '--lease', String(LEASE_SECONDS)])
    // Alone at first, so that it certainly has episodes in hand when it is cut off.
    while ((await episodeLines(join(folder, 'wild'))).length < CASES / 8) await pause(50)
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
    expect(atPlug).toBeLessThan(CASES)
    expect(far.exitCode).toBe(null)

    const lines = (await episodeLines(join(folder, 'wild'))).map((line) => JSON.parse(line) as { case: string })
    expect(lines).toHaveLength(CASES)
    expect(new Set(lines.map((line) => line.case)).size).toBe(CASES)
    expect(await reportOf(join(folder, 'wild'))).toBe(await reportOf(join(folder, 'calm')))
  } finally {
    for (const child of workers) child.kill('SIGKILL')
    await models.close()
    await server.stop()
    host!.remove()
    await rm(folder, { recursive: true, force: true })
  }
})
