import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { toHttpError } from './problem.ts'

/** The response to an error, without paths of the store. @param onFault called on internal errors */
export function errorResponse(
  c: Context,
  error: unknown,
  redact: (text: string) => string,
  onFault: (error: unknown) => void,
): Response {
  // The client has disconnected.
  if (c.req.raw.signal.aborted) return c.body(null, 499 as ContentfulStatusCode)
  const { status, body, fault } = toHttpError(error, redact)
  if (fault) onFault(error)
  return c.json(body, status as ContentfulStatusCode, { 'Cache-Control': 'no-store' })
}
