/** What goes wrong, in words for people: no stack traces, no paths of this machine. */
import { realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { MissingAssetError, UserError } from '../../base/errors.ts'
import type { Problem } from '../api.ts'

/** An error for people that knows its HTTP status. */
export class HttpProblem extends UserError {
  readonly status: number

  constructor(status: number, problem: string, hint?: string) {
    super(problem, hint === undefined ? {} : { hint })
    this.status = status
  }
}

export function notFound(what: string, hint?: string): HttpProblem {
  return new HttpProblem(404, what, hint)
}

export interface HttpErrorInfo {
  status: number
  body: Problem
  /** Is it a fault of the server, to be written to its log? */
  fault: boolean
}

/** Words in which the store's folder is named, but not where on this machine it is. */
export function publicWords(storeDir: string): (text: string) => string {
  const places = [...new Set([storeDir, realOr(storeDir)])].filter((place) => place.length > 1)
  return (text) => places.reduce((words, place) => words.replaceAll(place, basename(place)), text)
}

function realOr(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

export function toHttpError(error: unknown, words: (text: string) => string): HttpErrorInfo {
  if (error instanceof HttpProblem) return { status: error.status, body: problem(error, words), fault: false }
  if (error instanceof UserError) return { status: 422, body: problem(error, words), fault: false }
  if (error instanceof MissingAssetError) return { status: 404, body: problem(error, words), fault: false }
  return {
    status: 500,
    body: {
      problem: 'The server made a mistake. This is a fault in Sightline.',
      hint: 'The terminal in which `sightline view` runs says more.',
    },
    fault: true,
  }
}

function problem(
  { message, hint }: { message: string; hint?: string | undefined },
  words: (text: string) => string,
): Problem {
  return { problem: words(message), ...(hint === undefined ? {} : { hint: words(hint) }) }
}
