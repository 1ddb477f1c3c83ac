/**
 * The HTTP API: types shared by the server and the viewer. Everything is plain JSON. `sightline export --html` writes
 * the same shapes to a folder, so a page works with or without a server.
 *
 * | endpoint | response |
 * |---|---|
 * | `GET /api/info` | `Info` |
 * | `GET /api/runs` | `RunRow[]`, newest first |
 * | `GET /api/runs/:run` | `RunDetail` |
 * | `GET /api/runs/:run/panel` | the suite's custom episode panel (a script), if it has one |
 * | `GET /api/runs/:run/episodes` | `EpisodeColumns` |
 * | `GET /api/runs/:run/descriptions?of=0.1,1.1` | `(EpisodeDescription \| null)[]` of these episodes (`INDEX.EPOCH`) |
 * | `GET /api/runs/:run/figures` | `Figure[]`: answers against the ground truth; empty while the run is running |
 * | `GET /api/runs/:run/search?q=` | `number[]`: rows of `EpisodeColumns` whose events contain the text |
 * | `GET /api/runs/:run/episodes/:index/:epoch` | `EpisodeDetail` |
 * | `GET /api/runs/:run/episodes/:index/:epoch/scene` | the episode's scene as GLB, if the suite has one |
 * | `GET /api/compare?a=&b=` | `CompareDetail` |
 * | `GET /api/shared?runs=A,B,C&least=0.5` | `SharedDetail`: the runs on the samples that all of them have |
 * | `GET /api/media/:sha256?type=` | the file, with range support; `&size=small` for a thumbnail of an image |
 * | `GET /api/live` | server-sent events, `LiveEvent` |
 * | `POST /api/errors` | `ErrorRequest` in: assigns a type of error to an episode, in a file beside the run |
 * | `GET /api/play` | `PlayState[]`: current play sessions |
 * | `GET /api/play/samples?suite=&seed=&from=&count=&language=` | `PlayableSamples` of the built-in source, in order |
 * | `POST /api/play/start` | `PlayRequest` in, `PlayState` out |
 * | `POST /api/play/resume` | `{ run }` in, `PlayState` out |
 * | `GET /api/play/:play?after=` | long poll: `PlayState` once it is newer than version `after`, or after 25 seconds |
 * | `POST /api/play/:play/reply` | `{ turn, text }` in, `PlayState` out |
 * | `GET /api/play/study` | `StudyState` of the participant whose link it is; only from the server of a study |
 * | `POST /api/play/study/begin` | `PlayState`: starts or resumes the participant's samples |
 * | `POST /api/play/:play/stop` | `PlayState`; the run can be resumed |
 * | `GET /api/votes` | `BallotRow[]`: ballots of the store, newest first |
 * | `POST /api/votes/start` | `BallotRequest` in, `{ id }` out; the same request finds its ballot again |
 * | `GET /api/votes/:ballot?name=` | `VoteState`: the next question for this person, without the models |
 * | `POST /api/votes/:ballot/vote` | `{ name, key, choice }` in, `VoteState` out; choice: left, right, tie or skip |
 * | `POST /api/votes/:ballot/undo` | `{ name }` in, `VoteState` out |
 * | `GET /api/votes/:ballot/report` | `VoteReport`: win ratios, agreement, correlation with the scores |
 */
import type { Comparison } from '../report/compare.ts'
import type { Message } from '../models/types.ts'
import type { Report } from '../report/report.ts'
import type { Work } from '../engine/episode.ts'
import type { EpisodeLine, RunHeader, RunState, RunStatus, Status } from '../store/records.ts'

export interface Info {
  version: string
  /** Name of the store folder, without its path. */
  store: string
  suites: readonly SuiteInfo[]
  /** False in an exported folder and when the store is read-only. */
  canPlay: boolean
}

export interface SuiteInfo {
  name: string
  title: string
  /** Whether a human can play its built-in samples. */
  playable: boolean
  /** Languages to choose from, for suites whose built-in samples contain speech. */
  languages?: readonly PlayLanguage[]
}

/** `both`: a mix of the two languages, which is the default for models. */
export type PlayLanguage = 'en' | 'zh' | 'both'

/** A run's headline score. */
export interface Headline {
  title: string
  value: number | null
  interval: readonly [number, number] | null
  chance: number | null
  unit: 'percent' | 'number'
  better: 'higher' | 'lower'
}

/** A run on the leaderboard. */
export interface RunRow {
  id: string
  suite: string
  suiteTitle: string
  player: string
  profile: string
  source: string
  /** Runs with equal settings (`settingsOf` in report/comparability.ts) are comparable: only the player differs. */
  settings: string
  /** Runs with equal groups can be compared on the samples they share: only players, limits and epochs differ. */
  group: string
  created: string
  state: RunState
  reason: string | null
  planned: number
  finished: number
  /** Fraction of the planned episodes that count toward the scores. */
  coverage: number
  /** `null` when the price of any call is unknown. */
  usd: number | null
  /** `null` before the first score, or when the suite is not installed. */
  headline: Headline | null
  /** Why there are no scores, for example a damaged journal. */
  problem?: string
}

export interface RunDetail {
  row: RunRow
  header: RunHeader
  status: RunStatus
  /** `null` when the suite is not installed. */
  report: Report | null
  /** Total duration of all episodes. */
  ms: number
  /** Repeats the run, quoted for a POSIX shell; `null` when a person played it or another tool recorded it. */
  command: string | null
}

/** All episodes of a run in columnar form: fast enough to sort and filter 100,000 rows in the browser. */
export interface EpisodeColumns {
  /** Position of the sample in its source; together with `epoch` it identifies the episode. */
  index: readonly number[]
  epoch: readonly number[]
  sample: readonly string[]
  /** Position in `statuses`. */
  status: readonly number[]
  statuses: readonly Status[]
  cluster: DictionaryColumn
  /** By label name, for example `type`. */
  labels: Readonly<Record<string, DictionaryColumn>>
  /** By metric name; `null` where an episode does not have the metric. */
  scores: Readonly<Record<string, readonly (number | null)[]>>
  /** The metric shown by default. */
  mainScore: string | null
  /** Metric descriptions from the suite; empty when it is not installed. */
  metrics: Readonly<Record<string, MetricInfo>>
  usd: readonly (number | null)[]
  ms: readonly number[]
  /** Error messages of episodes that are not `answered`, by row. */
  errors: Readonly<Record<number, string>>
  /** What the descriptions of the episodes have; they are requested as rows come into view. */
  described: readonly DescribedField[]
}

/** The fields of an `EpisodeDescription` that are columns of the table. */
export const DESCRIBED_FIELDS = ['image', 'question', 'answer', 'truth'] as const
export type DescribedField = (typeof DESCRIBED_FIELDS)[number]

export interface MetricInfo {
  title: string
  unit: 'percent' | 'number'
  better: 'higher' | 'lower'
}

/** A dictionary-encoded string column: `values[codes[row]]`; code −1 means no value. */
export interface DictionaryColumn {
  values: readonly string[]
  codes: readonly number[]
}

export interface EpisodeDetail {
  run: RunRow
  line: EpisodeLine
  /** The metrics of `line`, as the suite describes them; the main one first. Empty when it is not installed. */
  metrics: Readonly<Record<string, MetricInfo>>
  /** In chronological order: `sample`, `message`, `ask`, `reply`, `media`, `outcome`, `measurement` and the suite's own events. */
  events: readonly RecordedEvent[]
  /** Neighbors in run order. */
  previous: EpisodeAddress | null
  next: EpisodeAddress | null
  hasScene: boolean
  /** Whether the suite has a custom panel. */
  hasPanel: boolean
  /** Types of errors to choose from, by name, and what a person chose; absent if the suite has none. */
  error?: { types: Readonly<Record<string, string>>; chosen: string | null }
}

export interface ErrorRequest {
  run: string
  index: number
  epoch: number
  /** One of the suite's types; null takes it away. */
  type: string | null
}

export interface EpisodeAddress {
  index: number
  epoch: number
  sample: string
}

/** An event as stored in `events.jsonl`. Another version may have written it, so the viewer validates before use. */
export interface RecordedEvent {
  type: string
  [detail: string]: unknown
}

export interface CompareDetail {
  comparison: Comparison
  a: RunRow
  b: RunRow
  /** Title of the metric of `pairs`. */
  metricTitle: string
  unit: 'percent' | 'number'
  better: 'higher' | 'lower'
  /** Episodes present in both runs, largest difference first. */
  pairs: readonly Pair[]
}

/** Runs on the samples that all of them have. */
export interface SharedDetail {
  /** Shared samples, and samples that any of the runs has. */
  samples: number
  all: number
  /** Fingerprint parts that differ between the runs, besides players and limits. */
  unlike: readonly string[]
  runs: readonly SharedRunDetail[]
  leftOut: readonly { run: RunRow; reason: string }[]
}

export interface SharedRunDetail {
  row: RunRow
  /** On the shared samples only. */
  report: Report
}

export interface Pair {
  sample: string
  epoch: number
  labels: Readonly<Record<string, string>>
  a: { index: number; score: number | null; status: Status }
  b: { index: number; score: number | null; status: Status }
}

/** Sent when a run makes progress. The headline is the score so far. */
export interface LiveEvent {
  run: RunRow
  /** Episodes per second over the last 30 seconds. */
  rate: number | null
}

export interface PlayRequest {
  suite: string
  /** The player is called `human/<name>`. */
  name: string
  /** Seed of the built-in source. */
  seed: number
  /** Sample ids; default: the first `count` samples. */
  samples?: readonly string[]
  count?: number
  /** Only for suites with `languages`. */
  language?: PlayLanguage
  /** Suite options, as passed with `-T`. */
  options?: Readonly<Record<string, string>>
}

export interface PlayableSamples {
  /** May be fewer than asked for: the next page continues after them. */
  samples: readonly PlayableSample[]
  /** These are the last ones. */
  complete: boolean
}

export interface PlayableSample {
  id: string
  cluster: string
  labels: Readonly<Record<string, string>>
}

export interface PlayState {
  id: string
  /** Incremented on every change. */
  version: number
  /** `preparing` while the suite renders the next image or question. */
  state: 'preparing' | 'asking' | 'done' | 'stopped' | 'failed'
  /** Human-readable reason why it stopped or failed. */
  problem: string | null
  run: string | null
  suite: string
  name: string
  planned: number
  finished: number
  /** The current question, exactly as a model would receive it. */
  turn: PlayTurn | null
  /** What the suite is preparing, while there is no question. */
  work: Work | null
}

export interface PlayTurn {
  number: number
  sample: string
  epoch: number
  /** Short name of the question: `step 3`, `question dir`. */
  purpose: string
  /** The same for readers: `question: Pairwise direction`. */
  title: string
  messages: readonly Message[]
}

/** A participant's part of a study. */
export interface StudyState {
  study: string
  /** `p1`: all that is known of them. */
  participant: string
  suite: string
  assigned: number
  finished: number
  isDone: boolean
  /** The current session, if there is one. */
  session: string | null
}

/** A human-readable server error. */
export interface Problem {
  problem: string
  hint?: string
}
