/** Waits for a server that restarts or is unreachable, so coordinators and workers recover automatically. */
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf, messageOf } from '../../base/errors.ts'

const MAX_RETRY_DELAY_MS = 2000

/** Retries idempotent work until it succeeds, fails permanently, or `closed` is aborted. */
export async function retryUntilReachable<T>(work: () => Promise<T>, closed: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error) || closed.aborted) throw error
      await pause(Math.min(MAX_RETRY_DELAY_MS, 50 * 2 ** Math.min(attempt, 6)))
    }
  }
}

/** Includes the PostgreSQL classes 08 and 57P0x: connection lost, server starting or stopping. */
function isTransient(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  if (/^(08|57P0|53300|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)/.test(code)) return true
  return /Connection terminated|timeout (expired|exceeded)|Query read timeout/i.test(messageOf(error))
}
