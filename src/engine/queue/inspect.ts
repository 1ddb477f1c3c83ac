/** Checks a queue for `sightline doctor --queue`: the server, its workers and runs. */
import { messageOf } from '../../base/errors.ts'
import { plural } from '../../base/plural.ts'
import { parseQueueAddress } from './address.ts'
import type { ServerFinding } from './shared-state.ts'
import { EpisodeJobs } from './jobs.ts'
import { readHeartbeat, readWorkerHeartbeat, UNREADABLE_RUN } from './heartbeat.ts'
import { openQueue, type OpenedQueue } from './open.ts'
import { Seal } from './seal.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A coordinator without a heartbeat for this long is gone. Generous, because clocks differ between machines. */
const COORDINATOR_TIMEOUT_MS = 60_000

export async function inspectQueue(
  text: string,
  env: Environment,
  version: string,
  forget?: string,
): Promise<ServerFinding[]> {
  const address = parseQueueAddress(text, env)
  let queue: OpenedQueue
  try {
    queue = await openQueue(address)
  } catch (error) {
    return [{ what: 'Queue', verdict: 'problem', words: address.redact(messageOf(error)) }]
  }
  try {
    const { password } = new URL(address.url)
    const login = password === '' && !address.url.includes('password=') ? 'without a password' : 'with a password'
    const findings: ServerFinding[] = [
      { what: 'Queue', verdict: 'fine', words: `connected to ${address.shown} ${login}, ${encryption(address.url)}` },
      ...(await queue.shared.inspect()),
    ]
    if (forget !== undefined) findings.push(await forgetRun(queue, forget))
    return [...findings, ...(await workers(queue, version)), ...(await runs(queue))]
  } catch (error) {
    return [{ what: 'Queue', verdict: 'problem', words: address.redact(messageOf(error)) }]
  } finally {
    await queue.close()
  }
}

function encryption(url: string): string {
  const isEncrypted = url.startsWith('rediss:') || /[?&]sslmode=(require|verify-ca|verify-full)/.test(url)
  return isEncrypted ? 'encrypted' : 'not encrypted'
}

async function workers(queue: OpenedQueue, version: string): Promise<ServerFinding[]> {
  const found = await queue.shared.list('worker')
  if (found.size === 0) {
    return [
      {
        what: 'Workers',
        verdict: 'missing',
        words: `none; start one with: sightline worker --queue ${queue.address.shown}`,
      },
    ]
  }
  return [...found].map(([name, body]): ServerFinding => {
    const worker = readWorkerHeartbeat(body, queue.address.secret)
    if (!worker) return { what: `Worker ${name}`, verdict: 'problem', words: 'runs another version of Sightline' }
    const refused = Object.entries(worker.refused).map(([run, why]) => `; cannot play ${run}: ${why}`)
    const activeJobs = Object.values(worker.runs).reduce((sum, jobs) => sum + jobs, 0)
    const same = worker.version === version
    return {
      what: `Worker ${name}`,
      verdict: same && refused.length === 0 ? 'fine' : 'problem',
      words:
        `Sightline ${worker.version}${same ? '' : ` (this is ${version})`}, ${plural(worker.slots, 'slot')}, ` +
        `${plural(worker.threads, 'thread')}, ${plural(activeJobs, 'active job')}${refused.join('')}`,
    }
  })
}

async function runs(queue: OpenedQueue): Promise<ServerFinding[]> {
  const found = await queue.shared.list('run')
  return [...found].map(([run, body]): ServerFinding => {
    const heartbeat = readHeartbeat(body, new Seal(queue.address.secret, run))
    if (!heartbeat) return { what: `Run ${run}`, verdict: 'problem', words: UNREADABLE_RUN }
    const hasCoordinator = Date.now() - heartbeat.beat < COORDINATOR_TIMEOUT_MS
    return {
      what: `Run ${run}`,
      verdict: hasCoordinator ? 'fine' : 'problem',
      words: hasCoordinator
        ? `${heartbeat.header.suite} with ${heartbeat.header.models['player']}, ${heartbeat.state}`
        : `its coordinator is gone; resume it (sightline resume ${run}) or remove it (--forget ${run})`,
    }
  })
}

/** Removes an abandoned run from the queue. */
async function forgetRun(queue: OpenedQueue, run: string): Promise<ServerFinding> {
  const jobs = await EpisodeJobs.open(queue, run)
  await jobs.forget()
  await jobs.close()
  await queue.shared.forget(run)
  return { what: `Run ${run}`, verdict: 'fine', words: 'removed from the queue; its journal is unchanged' }
}
