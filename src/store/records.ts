/** What a run leaves on disk. One place decides what each file holds; see docs/store.md. */

/**
 * How an episode ended. A failure is data: `no_answer`, `parse_failed` and `model_error` stay in the denominator and
 * score 0; `missing_asset` and `cancelled` are not the model's doing and are left out.
 */
export const STATUSES = ['answered', 'no_answer', 'parse_failed', 'model_error', 'missing_asset', 'cancelled'] as const
export type Status = (typeof STATUSES)[number]

/** Does an episode that ended so count in the denominator? */
export function counts(status: Status): boolean {
  return status !== 'missing_asset' && status !== 'cancelled'
}

/** Metric name to value; a metric that does not apply to a case is absent. */
export type Scores = Readonly<Record<string, number>>

export interface Usage {
  /** Replies received, from the network or from the cache. */
  calls: number
  inputTokens: number
  outputTokens: number
  /** Part of `outputTokens` that was spent on thinking, where the provider tells. */
  reasoningTokens: number
  /** Part of `inputTokens` that the provider served from its own prompt cache. */
  cachedInputTokens: number
  /** List price of all this in US dollars; `null` when any of it has no known price. */
  usd: number | null
}

export const NO_USAGE: Usage = {
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  cachedInputTokens: 0,
  usd: 0,
}

/** A line of `episodes.jsonl`: one finished episode, small enough that 100,000 of them are read in a moment. */
export interface EpisodeLine {
  /** Position of the case in its source: results are ordered by it, whoever finished first. */
  index: number
  sample: string
  epoch: number
  /** Cases of one cluster (a scene) are not independent: intervals resample clusters. */
  cluster: string
  /** What cases are grouped by in tables: `{ type: 'object_count' }`. */
  labels: Readonly<Record<string, string>>
  status: Status
  /** For people: why it is not `answered`. */
  error?: string
  scores: Scores
  usage: Usage
  /** Wall-clock milliseconds. The only part that differs between two runs of the same episodes. */
  ms: number
  /** Where the episode's events are in `events.jsonl`: byte offset and length. */
  events: readonly [offset: number, length: number]
}

export type RunState = 'running' | 'done' | 'interrupted'

/** A suite of somebody else: a file or a package. */
export interface SuiteModule {
  /** As the user spelled it: `./my-suite.ts`, `some-package/suite`. */
  from: string
  /** Hash of its code: its file and everything that it imports from files of its own. */
  hash: string
}

/** `run.json`: everything that is needed to play the run again, and to say what it can be compared with. */
export interface RunHeader {
  format: 1
  id: string
  suite: string
  suiteVersion: number
  /** Where the suite was loaded from; absent for suites of this package. */
  suiteModule?: SuiteModule | undefined
  /** Role to model as the user spelled it; always has `player`. */
  models: Readonly<Record<string, string>>
  /** `-M` options of the models, keys and secrets never among them. */
  modelOptions: Readonly<Record<string, unknown>>
  profile: string
  /** Suite options, defaults filled in. */
  options: Readonly<Record<string, unknown>>
  source: string
  /** Says which data the cases were made from: a hash of a data set's files, or a generator's name and version. */
  sourceFingerprint: string
  limit: string | null
  sampleIds: readonly string[] | null
  epochs: number
  seed: number
  budget: string | null
  timeLimitSeconds: number | null
  /** What must be equal for two numbers to be comparable, each part by name. */
  fingerprint: Fingerprint
  versions: Readonly<Record<string, string>>
  git: string | null
  /** Prices in force when the run started, in US dollars per million tokens, by model. */
  prices: Readonly<Record<string, unknown>>
  created: string
  /** How many episodes the whole run has: cases × epochs. */
  planned: number
}

/** `state.json`, rewritten as a whole: how far the run is. Derived but for `state` and `reason`. */
export interface RunStatus {
  state: RunState
  /** For people: why it is interrupted. */
  reason: string | null
  updated: string
  /** The writing process, so that a dead one can be told from a slow one. */
  pid: number | null
}

/** Named parts (suite, prompts, source, sampling …) each with a short value or hash, and the hash of them all. */
export interface Fingerprint {
  parts: Readonly<Record<string, string>>
  hash: string
}
