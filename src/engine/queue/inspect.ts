/** What is reachable, for `sightline doctor --queue`: the server, the workers on it, the runs. */
import { messageOf } from '../../base/errors.ts'
import { parseQueueAddress } from './address.ts'
import type { ServerFinding } from './shared-state.ts'
import { EpisodeJobs } from './jobs.ts'
import { readHeartbeat, readWorkerHeartbeat } from './heartbeat.ts'
import { openQueue, type OpenedQueue } from './open.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A coordinator that was not heard of for so long is gone. Clocks of two machines may differ by seconds. */
const GONE_MS = 60_000

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
      { what: 'Queue', verdict: 'fine', words: `${address.shown} is reached ${login}, ${encryption(address.url)}` },
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
    const worker = readWorkerHeartbeat(body)
    if (!worker) return { what: `Worker ${name}`, verdict: 'problem', words: 'is of another version' }
    const refused = Object.entries(worker.refused).map(([run, why]) => `; does not play ${run}: ${why}`)
    const underWay = Object.values(worker.runs).reduce((sum, jobs) => sum + jobs, 0)
    const same = worker.version === version
    return {
      what: `Worker ${name}`,
      verdict: same && refused.length === 0 ? 'fine' : 'problem',
      words:
        `Sightline ${worker.version}${same ? '' : ` (here ${version})`}, ${worker.slots} slots, ${worker.threads} threads, ` +
        `${underWay} jobs under way${refused.join('')}`,
    }
  })
}

async function runs(queue: OpenedQueue): Promise<ServerFinding[]> {
  const found = await queue.shared.list('run')
  return [...found].map(([run, body]): ServerFinding => {
    const heartbeat = readHeartbeat(body)
    if (!heartbeat) return { what: `Run ${run}`, verdict: 'problem', words: 'was announced by another version' }
    const isLed = Date.now() - heartbeat.beat < GONE_MS
    return {
      what: `Run ${run}`,
      verdict: isLed ? 'fine' : 'problem',
      words: isLed
        ? `${heartbeat.header.suite} with ${heartbeat.header.models['player']}, ${heartbeat.state}`
        : `its coordinator is gone; go on with it (sightline resume ${run}), or clear it away (--forget ${run})`,
    }
  })
}

/** Takes everything of a run off the server: for runs that nobody will resume. */
async function forgetRun(queue: OpenedQueue, run: string): Promise<ServerFinding> {
  const jobs = await EpisodeJobs.open(queue, run)
  await jobs.forget()
  await jobs.close()
  await queue.shared.forget(run)
  return { what: `Run ${run}`, verdict: 'fine', words: 'is cleared away; what is in its journal stays' }
}
