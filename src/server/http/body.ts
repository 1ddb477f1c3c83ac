/** What a request's body and query may be. */
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { HttpProblem } from './problem.ts'

/** For routes with short requests. */
const MAX_BODY_LENGTH = 64 * 1024

export function shortBody(): MiddlewareHandler {
  return bodyLimit({
    maxSize: MAX_BODY_LENGTH,
    onError() {
      throw new HttpProblem(413, `Request too long. The limit is ${MAX_BODY_LENGTH / 1024} kB.`)
    },
  })
}

export async function jsonBody(request: Request): Promise<unknown> {
  if (!(request.headers.get('content-type') ?? '').startsWith('application/json')) {
    throw new UserError('Content-Type must be application/json.')
  }
  try {
    return await request.json()
  } catch {
    throw new UserError('Invalid JSON in request body.')
  }
}

export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new UserError(`Invalid ${issue?.path.join('.') || 'request'}: ${issue?.message ?? 'unexpected value'}.`)
}
