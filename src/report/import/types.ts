import { messageOf, UserError } from '../../base/errors.ts'
import { parsePythonJson } from '../../base/python/json.ts'
import type { Status } from '../../store/records.ts'

export type ImportFormat = 'inspect' | 'lmms-eval' | 'vlmevalkit'

/** What another tool recorded of one episode. */
export interface ImportedRow {
  sample: string
  /** From 1, as in our own runs. */
  epoch: number
  /** What the model said, as it said it. */
  prediction: string
  target?: string
  question?: string
  labels: Record<string, string>
  /** The other tool's own scores, under its own names. */
  scores: Record<string, number>
  status: Status
}

export interface ImportedRun {
  tool: ImportFormat
  /** What the log says it is of; null when it does not say. */
  task: string | null
  model: string | null
  rows: ImportedRow[]
  /** What was left out or guessed, for people. */
  notes: string[]
}

/** Larger logs are refused rather than left to run out of memory. */
export const MAX_FILE_BYTES = 1 << 30
/** One JSON text must fit into one string. */
export const MAX_JSON_BYTES = 500_000_000
export const MAX_ROWS = 1_000_000
/** Labels are for grouping; a longer text is none. */
export const MAX_LABEL = 120

/** A log that is not what it should be: where, and what was found. */
export function notAsExpected(where: string, what: string, hint?: string): UserError {
  return new UserError(`${where}: ${what}.`, hint === undefined ? {} : { hint })
}

/** JSON as Python writes it: NaN and Infinity become null. Throws `UserError` for anything else. */
export function parseLog(text: string, where: string): unknown {
  try {
    return parsePythonJson(text, { parseConstant: () => null })
  } catch (error) {
    throw notAsExpected(where, `it is not JSON (${messageOf(error)})`)
  }
}

/** Names that mean something to JavaScript objects are no labels and no metrics. */
export function isPlainName(name: string): boolean {
  return name !== '__proto__' && name !== 'constructor' && name !== 'prototype'
}

/** A text or number as text; null for all else. */
export function asText(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

/** How an episode ended, as far as a foreign log tells. */
export function statusOf(prediction: string, hasError: boolean): Status {
  if (hasError) return 'model_error'
  return prediction.trim() === '' ? 'no_answer' : 'answered'
}
