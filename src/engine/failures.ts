/** Decides when errors stop a run, and keeps the errors of a dead endpoint out of the journal. */
import { UserError } from '../base/errors.ts'
import { RunStopped } from './control.ts'
import type { FinishedEpisode } from './episode.ts'

/** How many episodes may end in an error: a number, or a share of all episodes. */
export type ErrorLimit = { episodes: number } | { share: number }

export interface FailurePolicy {
  /** Stop at the first error that no other request could avoid, and after a few identical errors. Default true. */
  failFast?: boolean | undefined
  /** Stop when more episodes than this have ended in an error. */
  failOnError?: ErrorLimit | undefined
}

/** So many identical errors in a row are not a coincidence. */
const MAX_IDENTICAL_ERRORS = 5

/**
 * Parses `--fail-on-error`: `5%` of the episodes, or a number of them.
 *
 * @example
 * parseErrorLimit('5%') // { share: 0.05 }
 */
export function parseErrorLimit(text: string): ErrorLimit {
  const match = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim())
  const value = Number(match?.[1])
  if (match?.[2] === '%' && value <= 100) return { share: value / 100 }
  if (match?.[2] === '' && Number.isSafeInteger(value)) return { episodes: value }
  throw new UserError(`--fail-on-error must be a share like 5% or a number of episodes like 10, not "${text}".`)
}

/** The episodes to record, and why the run must stop, if it must. */
export interface Judged {
  record: readonly FinishedEpisode[]
  stop: RunStopped | null
}

/** Sees every finished episode before it is recorded. Errors in a row are held back until one episode succeeds. */
export class FailureWatch {
  readonly #failFast: boolean
  readonly #limit: ErrorLimit | undefined
  readonly #planned: number
  #held: FinishedEpisode[] = []
  #errors: number
  #hasSucceeded: boolean
  #hasFailed = false

  constructor(
    { failFast = true, failOnError }: FailurePolicy,
    { planned, errors, others }: { planned: number; errors: number; others: number },
  ) {
    this.#failFast = failFast
    this.#limit = failOnError
    this.#planned = planned
    this.#errors = errors
    this.#hasSucceeded = others > 0
  }

  add(episode: FinishedEpisode): Judged {
    if (episode.line.status !== 'model_error') {
      this.#hasSucceeded = true
      return this.#held.length === 0 ? { record: [episode], stop: null } : this.#record([...this.#take(), episode])
    }
    if (!this.#failFast) return this.#record([episode])
    if (this.#hasFailed) return { record: [], stop: null }
    const error = episode.line.error ?? 'unknown error'
    if (episode.fatal) return this.#fail(error)
    const released = this.#held.length > 0 && kindOfError(this.#held[0]!) !== kindOfError(episode) ? this.#take() : []
    this.#held.push(episode)
    if (this.#held.length >= MAX_IDENTICAL_ERRORS)
      return this.#fail(`${this.#held.length} episodes in a row failed with the same error: ${error}`)
    return this.#record(released)
  }

  /** Call it when everything is played. A run in which nothing but errors happened has failed. */
  end(): Judged {
    const last = this.#held.at(-1)
    if (last && !this.#hasSucceeded && this.#errors === 0) return this.#fail(`all episodes failed: ${last.line.error}`)
    return this.#record(this.#take())
  }

  #fail(reason: string): Judged {
    this.#hasFailed = true
    this.#held = []
    return { record: [], stop: new RunStopped('failed', reason) }
  }

  #take(): FinishedEpisode[] {
    const held = this.#held
    this.#held = []
    return held
  }

  #record(record: readonly FinishedEpisode[]): Judged {
    for (const { line } of record) if (line.status === 'model_error') this.#errors += 1
    return { record, stop: this.#overLimit() }
  }

  #overLimit(): RunStopped | null {
    if (this.#limit === undefined) return null
    const allowed = 'share' in this.#limit ? this.#limit.share * this.#planned : this.#limit.episodes
    if (this.#errors <= allowed) return null
    const limit = 'share' in this.#limit ? `${this.#limit.share * 100}%` : String(this.#limit.episodes)
    return new RunStopped(
      'failed',
      `${this.#errors} of ${this.#planned} episodes ended in an error; --fail-on-error is ${limit}`,
    )
  }
}

/** Request ids, times and counts differ between errors of the same kind. */
function kindOfError({ line }: FinishedEpisode): string {
  return (line.error ?? '').replaceAll(/[\da-f-]*\d[\da-f-]*/gi, '#')
}
