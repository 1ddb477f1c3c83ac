/** Votes of people on pairs of videos, as the server sends them. */

export interface BallotRequest {
  /** Ids of two or more runs of one suite. */
  runs: readonly string[]
  /** Dimensions to ask about; all that the videos have where absent. */
  dimensions?: readonly string[] | undefined
  seed: number
  /** How many questions; fewer if there are not so many. */
  count: number
}

export interface BallotRow {
  id: string
  created: string
  runs: readonly BallotRun[]
  total: number
  raters: readonly { name: string; done: number }[]
}

export interface BallotRun {
  id: string
  player: string
}

export const SIDES = ['left', 'right', 'tie', 'skip'] as const
export type SideChoice = (typeof SIDES)[number]

/** What a person sees next. Which model made which video is not in it. */
export interface VoteState {
  ballot: string
  rater: string
  done: number
  total: number
  /** Null when everything is answered. */
  question: ShownQuestion | null
  canUndo: boolean
}

export interface ShownQuestion {
  key: string
  dimension: string
  asked: string
  prompt: string
  left: ShownMedia
  right: ShownMedia
}

export interface ShownMedia {
  sha256: string
  type: string
}

export interface VoteReport {
  ballot: string
  runs: readonly BallotRun[]
  questions: number
  /** Without those that were skipped. */
  votes: number
  skipped: number
  ratios: readonly WinRatio[]
  agreement: readonly RaterAgreement[]
  correlations: readonly PreferenceCorrelation[]
  /** By the best tier that all runs have. */
  scores: readonly DimensionValue[]
  notes: readonly string[]
}

export interface WinRatio {
  run: string
  dimension: string
  votes: number
  ratio: number
}

export interface RaterAgreement {
  raters: readonly [string, string]
  questions: number
  share: number
  kappa: number | null
}

export interface PreferenceCorrelation {
  dimension: string
  models: number
  spearman: number | null
  pearson: number | null
  spearmanP: number | null
  pearsonP: number | null
}

export interface DimensionValue {
  run: string
  dimension: string
  tier: string
  value: number
}
