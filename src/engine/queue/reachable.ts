/** A server that restarts or cannot be reached for a while is waited for: coordinator and workers come back by themselves. */
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf, messageOf } from '../../base/errors.ts'

const MAX_PAUSE_MS = 2000

/** Does work that may be done twice until the server takes it, or `closed` is aborted. */
export async function whenReachable<T>(work: () => Promise<T>, closed: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || closed.aborted) throw error
      await pause(Math.min(MAX_PAUSE_MS, 50 * 2 ** Math.min(attempt, 6)))
    }
  }
}

/** Classes 08 and 57P0x of PostgreSQL: the connection is gone, or the server is starting or stopping. */
function isPassing(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  if (/^(08|57P0|53300|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)/.test(code)) return true
  return /Connection terminated|timeout (expired|exceeded)|Query read timeout/i.test(messageOf(error))
}
