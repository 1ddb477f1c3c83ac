/** Validation of files read from disk, which may have been edited or damaged. */
import { z } from 'zod'
import { isObject } from '../base/json-object.ts'
import { MAX_TEXT_BYTES } from '../base/regular-file.ts'
import type { EpisodeLine, RunHeader, RunStatus } from './records.ts'
import { REPLY_PROBLEMS, STATUSES } from './records.ts'

const strings = z.record(z.string(), z.string())
const anything = z.record(z.string(), z.unknown())

export const runHeaderSchema: z.ZodType<RunHeader> = z.looseObject({
  format: z.literal(1),
  id: z.string(),
  suite: z.string(),
  suiteVersion: z.number(),
  suiteModule: z.object({ from: z.string(), hash: z.string() }).optional(),
  models: strings,
  modelOptions: anything,
  profile: z.string(),
  options: anything,
  source: z.string(),
  sourceFingerprint: z.string(),
  limit: z.string().nullable(),
  sample: z.number().int().positive().optional(),
  sampleIds: z.array(z.string()).nullable(),
  epochs: z.number(),
  seed: z.number(),
  budget: z.string().nullable(),
  timeLimitSeconds: z.number().nullable(),
  fingerprint: z.looseObject({ parts: strings, hash: z.string() }),
  versions: strings,
  git: z.string().nullable(),
  prices: anything,
  created: z.string(),
  planned: z.number(),
})

/** `state.json`: the status and the size of the journal, so listing runs does not read journals. */
export interface StateFile extends RunStatus {
  /** Finished episodes, and size of `episodes.jsonl` in bytes, when this was written. */
  finished: number
  journalBytes: number
  /** Modification time of `events.jsonl` when its hashes were last known to match; null if they do not. */
  eventsModified?: number | null | undefined
}

export const stateFileSchema: z.ZodType<StateFile> = z.looseObject({
  state: z.enum(['running', 'done', 'interrupted', 'failed']),
  reason: z.string().nullable(),
  updated: z.string(),
  pid: z.number().int().nullable(),
  finished: z.number().int().nonnegative(),
  journalBytes: z.number().int().nonnegative(),
  eventsModified: z.number().nullish(),
})

/** The problem with a value that should be finite numbers by metric name; null if valid. */
export function scoresProblem(scores: unknown): string | null {
  if (!isObject(scores)) return '"scores" is not an object of numbers'
  for (const name in scores) {
    if (!Number.isFinite(scores[name])) return `score "${name}" is not a finite number`
  }
  return null
}

const statuses: ReadonlySet<unknown> = new Set(STATUSES)

/**
 * The problem with a line of `episodes.jsonl`; null if valid. Hand-written, because a run of 100,000 episodes must open in
 * under a second, and a schema library would take a good part of that.
 */
export function episodeProblem(line: unknown, withEvents = true): string | null {
  if (!isObject(line)) return 'not an object'
  if (!isCount(line['index'])) return '"index" is not a non-negative integer'
  if (typeof line['sample'] !== 'string') return '"sample" is not a string'
  if (!isCount(line['epoch'])) return '"epoch" is not a non-negative integer'
  if (typeof line['cluster'] !== 'string') return '"cluster" is not a string'
  const labels = line['labels']
  if (!isObject(labels)) return '"labels" is not an object of strings'
  for (const name in labels) if (typeof labels[name] !== 'string') return `label "${name}" is not a string`
  if (!statuses.has(line['status'])) return `"status" is not one of ${STATUSES.join(', ')}`
  if (line['error'] !== undefined && typeof line['error'] !== 'string') return '"error" is not a string'
  if (line['problems'] !== undefined && !isProblemList(line['problems'])) return '"problems" is not a list of problems'
  const problem = scoresProblem(line['scores']) ?? usageProblem(line['usage'])
  if (problem !== null) return problem
  if (!Number.isFinite(line['ms'])) return '"ms" is not a number'
  if (!withEvents) return null
  const events = line['events']
  const isRange = Array.isArray(events) && events.length === 2 && isCount(events[0]) && isCount(events[1])
  if (!isRange) return '"events" is not [offset, length]'
  if (Number(events[1]) > MAX_TEXT_BYTES) return `"events" has more than ${MAX_TEXT_BYTES} bytes`
  return line['hash'] === undefined || typeof line['hash'] === 'string' ? null : '"hash" is not a string'
}

const replyProblems: ReadonlySet<unknown> = new Set(REPLY_PROBLEMS)

function isProblemList(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => replyProblems.has(each))
}

export function isEpisodeLine(line: unknown): line is EpisodeLine {
  return episodeProblem(line) === null
}

function usageProblem(usage: unknown): string | null {
  if (!isObject(usage)) return '"usage" is not an object'
  const isWhole =
    Number.isFinite(usage['calls']) &&
    Number.isFinite(usage['inputTokens']) &&
    Number.isFinite(usage['outputTokens']) &&
    Number.isFinite(usage['reasoningTokens']) &&
    Number.isFinite(usage['cachedInputTokens']) &&
    (usage['usd'] === null || Number.isFinite(usage['usd']))
  return isWhole ? null : '"usage" has a missing or invalid number'
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
