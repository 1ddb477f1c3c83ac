import { messageOf, UserError } from '../../base/errors.ts'
import { parsePythonJson } from '../../base/python/json.ts'
import type { Status } from '../../store/records.ts'

export const IMPORT_FORMATS = ['inspect', 'lmms-eval', 'vlmevalkit'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** One episode recorded by another tool. */
export interface ImportedRow {
  sample: string
  /** Starts at 1, as in our own runs. */
  epoch: number
  /** The model's reply, verbatim. */
  prediction: string
  target?: string
  question?: string
  /** Samples that are not independent share one. Default: the sample. */
  cluster?: string
  labels: Record<string, string>
  /** The other tool's scores, with its own names. */
  scores: Record<string, number>
  status: Status
}

/** What a run was before Sightline exported it. */
export interface ExportedRun {
  suite: string
  suiteVersion: number
  profile: string
  options: Record<string, unknown>
}

export interface ImportedRun {
  tool: ImportFormat
  /** Null if the log does not name it. */
  task: string | null
  model: string | null
  rows: ImportedRow[]
  /** Set if Sightline wrote the log. */
  exported?: ExportedRun
  /** Human-readable notes on what was skipped or assumed. */
  notes: string[]
}

/** Larger logs are rejected before they exhaust memory. */
export const MAX_FILE_BYTES = 1 << 30
export const MAX_ROWS = 1_000_000
/** Longer texts are not useful for grouping. */
export const MAX_LABEL_LENGTH = 120

/** An error about an invalid log: where, what was found, and what to do. */
export function invalidLog(where: string, what: string, hint?: string): UserError {
  return new UserError(`${where}: ${what}.`, hint === undefined ? {} : { hint })
}

/** Parses JSON as written by Python, with NaN and Infinity as null. Throws a `UserError` for anything else. */
export function parseLog(text: string, where: string): unknown {
  try {
    return parsePythonJson(text, { parseConstant: () => null })
  } catch (error) {
    throw invalidLog(where, `not valid JSON (${messageOf(error)})`)
  }
}

/** Rejects names with a special meaning on JavaScript objects. */
export function isSafeName(name: string): boolean {
  return name !== '__proto__' && name !== 'constructor' && name !== 'prototype'
}

/** A string, number or boolean as a string; null for anything else. */
export function asText(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

/** The status of an episode, as far as another tool's log shows it. */
export function statusOf(prediction: string, hasError: boolean): Status {
  if (hasError) return 'model_error'
  return prediction.trim() === '' ? 'no_answer' : 'answered'
}
