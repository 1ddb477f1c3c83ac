/** The records of a run on disk; see docs/store.md. */

/**
 * How an episode ended. `no_answer`, `parse_failed` and `model_error` are failures of the model: they stay in the
 * denominator and score 0. `missing_asset` and `cancelled` are not, and are excluded.
 */
export const STATUSES = ['answered', 'no_answer', 'parse_failed', 'model_error', 'missing_asset', 'cancelled'] as const
export type Status = (typeof STATUSES)[number]

/** Whether an episode with this status counts in the denominator. */
export function counts(status: Status): boolean {
  return status !== 'missing_asset' && status !== 'cancelled'
}

/** Why a reply is not a full answer. */
export const REPLY_PROBLEMS = ['cut_off', 'filtered', 'refused', 'empty'] as const
export type ReplyProblem = (typeof REPLY_PROBLEMS)[number]

/** Values by metric. A metric that does not apply to a sample is absent. */
export type Scores = Readonly<Record<string, number>>

/** Calls, tokens and cost. */
export interface Usage {
  /** Replies received, from the network or from the cache. */
  calls: number
  inputTokens: number
  outputTokens: number
  /** The part of `outputTokens` spent on reasoning, if the provider reports it. */
  reasoningTokens: number
  /** The part of `inputTokens` served from the prompt cache of the provider. */
  cachedInputTokens: number
  /** List price in US dollars; null if any part has no known price. */
  usd: number | null
  /** Calls whose tokens are estimated, because the provider did not say or was absurd; absent if there are none. */
  estimatedCalls?: number | undefined
}

export const NO_USAGE: Usage = {
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  cachedInputTokens: 0,
  usd: 0,
}

/** A line of `episodes.jsonl`: one finished episode. Kept small, because a run can have 100,000 of them. */
export interface EpisodeLine {
  /** Position of the sample in its source. Results are sorted by it. */
  index: number
  /** Id of the sample. */
  sample: string
  epoch: number
  /** Samples of one cluster (a scene) are not independent, so confidence intervals resample clusters. */
  cluster: string
  /** Results are grouped by these: `{ type: 'object_count' }`. */
  labels: Readonly<Record<string, string>>
  status: Status
  /** Human-readable reason if the status is not `answered`. */
  error?: string
  /** Problems of its replies, each once; absent if there were none. */
  problems?: readonly ReplyProblem[]
  scores: Scores
  usage: Usage
  /** Wall-clock milliseconds. The only field that differs between two runs of the same episode. */
  ms: number
  /** Byte range of its events in `events.jsonl`. */
  events: readonly [offset: number, length: number]
  /** Hash of those bytes. Absent in runs of version 0.2. */
  hash?: string
}

/** `failed`: stopped because of errors. Both `interrupted` and `failed` runs can be resumed. */
export type RunState = 'running' | 'done' | 'interrupted' | 'failed'

/** A suite that is loaded from a file or package. */
export interface SuiteModule {
  /** As given by the user: `./my-suite.ts`, `some-package/suite`. */
  from: string
  /** Hash of its file and the local files it imports. */
  hash: string
}

/** `run.json`: everything needed to repeat a run and to decide which runs it is comparable with. */
export interface RunHeader {
  format: 1
  id: string
  suite: string
  suiteVersion: number
  /** Where the suite was loaded from; absent for bundled suites. */
  suiteModule?: SuiteModule | undefined
  /** Model by role, as given by the user. Always has `player`. */
  models: Readonly<Record<string, string>>
  /** Model options (`-M`), without keys and secrets. */
  modelOptions: Readonly<Record<string, unknown>>
  profile: string
  /** Suite options, with defaults filled in. */
  options: Readonly<Record<string, unknown>>
  source: string
  /** Identifies the samples: a hash of the dataset, or the name and version of a generator. */
  sourceFingerprint: string
  limit: string | null
  /** Number of samples drawn with `--sample`; absent if none were drawn. */
  sample?: number | undefined
  sampleIds: readonly string[] | null
  epochs: number
  seed: number
  budget: string | null
  timeLimitSeconds: number | null
  /** What must match for two runs to be comparable. */
  fingerprint: Fingerprint
  versions: Readonly<Record<string, string>>
  git: string | null
  /** Prices when the run started, in US dollars per million tokens, by model. */
  prices: Readonly<Record<string, unknown>>
  created: string
  /** Number of episodes of the whole run: samples × epochs. */
  planned: number
}

/** The status of a run, from `state.json`. */
export interface RunStatus {
  state: RunState
  /** Human-readable reason of an interruption or failure. */
  reason: string | null
  updated: string
  /** The process that is writing the run. */
  pid: number | null
}

/** Named parts (suite, prompts, source, options …), each a short value or hash, and the hash of all parts. */
export interface Fingerprint {
  parts: Readonly<Record<string, string>>
  hash: string
}
