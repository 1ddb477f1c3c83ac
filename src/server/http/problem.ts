/** Human-readable errors without stack traces or absolute paths. */
import { realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { MissingAssetError, UserError } from '../../base/errors.ts'
import type { Problem } from '../api.ts'

/** A user-facing error with an HTTP status. */
export class HttpProblem extends UserError {
  readonly status: number

  constructor(status: number, message: string, hint?: string) {
    super(message, hint === undefined ? {} : { hint })
    this.status = status
  }
}

export function notFound(message: string, hint?: string): HttpProblem {
  return new HttpProblem(404, message, hint)
}

export interface HttpErrorInfo {
  status: number
  body: Problem
  /** An internal error that belongs in the server's log. */
  fault: boolean
}

/** Returns a function that replaces the store's absolute path with the folder name. */
export function redactStorePath(storeDir: string): (text: string) => string {
  const paths = [...new Set([storeDir, realPathOr(storeDir)])].filter((path) => path.length > 1)
  return (text) => paths.reduce((redacted, path) => redacted.replaceAll(path, basename(path)), text)
}

function realPathOr(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

export function toHttpError(error: unknown, redact: (text: string) => string): HttpErrorInfo {
  if (error instanceof HttpProblem) return { status: error.status, body: problemBody(error, redact), fault: false }
  if (error instanceof UserError) return { status: 422, body: problemBody(error, redact), fault: false }
  if (error instanceof MissingAssetError) return { status: 404, body: problemBody(error, redact), fault: false }
  return {
    status: 500,
    body: {
      problem: 'Internal server error. This is a bug in Sightline.',
      hint: 'See the terminal running `sightline view` for details.',
    },
    fault: true,
  }
}

function problemBody(
  { message, hint }: { message: string; hint?: string | undefined },
  redact: (text: string) => string,
): Problem {
  return { problem: redact(message), ...(hint === undefined ? {} : { hint: redact(hint) }) }
}
