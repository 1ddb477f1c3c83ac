/** Server-sent events with run progress. */
import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { LiveEvent } from './api.ts'
import type { LiveRuns } from './live.ts'
import { HttpProblem } from './http/problem.ts'

/** Maximum number of tabs listening at once. */
export const MAX_LISTENERS = 64
/** Keeps the connection open through proxies. */
const HEARTBEAT_MS = 15_000

export function streamLive(c: Context, live: LiveRuns, ended: AbortSignal): Response {
  if (live.listeners >= MAX_LISTENERS) {
    c.header('Retry-After', '30')
    throw new HttpProblem(503, 'Too many open pages.', 'Close some of them.')
  }
  c.header('Cache-Control', 'no-store')
  c.header('X-Accel-Buffering', 'no')
  return streamSSE(c, async (stream) => {
    // A slow client gets only the latest event of each run.
    const waiting = new Map<string, LiveEvent>()
    let wake: () => void = () => undefined
    const stop = live.listen((event) => {
      waiting.set(event.run.id, event)
      wake()
    })
    const leave = (): void => {
      stop()
      wake()
    }
    stream.onAbort(leave)
    ended.addEventListener('abort', leave, { once: true })
    try {
      await stream.write(': listening\n\n')
      while (!stream.aborted && !ended.aborted) {
        for (const [id, event] of waiting) {
          waiting.delete(id)
          await stream.writeSSE({ data: JSON.stringify(event) })
        }
        const idle = await new Promise<boolean>((resolve) => {
          const timer = setTimeout(() => resolve(true), HEARTBEAT_MS)
          wake = () => {
            clearTimeout(timer)
            resolve(false)
          }
          if (waiting.size > 0 || stream.aborted || ended.aborted) wake()
        })
        if (idle) await stream.write(': \n\n')
      }
    } finally {
      leave()
      ended.removeEventListener('abort', leave)
    }
  })
}
