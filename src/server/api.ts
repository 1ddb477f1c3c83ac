/**
 * What passes between the server and the viewer: types alone, imported by both. Everything is plain JSON. The same
 * shapes are written into a shared folder by `sightline export --html`, so a page works with and without a server.
 *
 * | address | answer |
 * |---|---|
 * | `GET /api/info` | `Info` |
 * | `GET /api/runs` | `RunRow[]`, the newest first |
 * | `GET /api/runs/:run` | `RunDetail` |
 * | `GET /api/runs/:run/panel` | the script that shows its episodes, where the suite brings one |
 * | `GET /api/runs/:run/episodes` | `EpisodeColumns` |
 * | `GET /api/runs/:run/search?q=` | `number[]`: rows of `EpisodeColumns` in whose events the text occurs |
 * | `GET /api/runs/:run/episodes/:index/:epoch` | `EpisodeDetail` |
 * | `GET /api/runs/:run/episodes/:index/:epoch/scene` | the scene of an episode as GLB, where the suite has one |
 * | `GET /api/compare?a=&b=` | `CompareDetail` |
 * | `GET /api/media/:sha256?type=` | the bytes, ranges allowed |
 * | `GET /api/live` | server-sent events, `LiveEvent` |
 * | `GET /api/play` | `PlayState[]`: who plays here now |
 * | `GET /api/play/samples?suite=&seed=&from=&count=&language=` | `PlayableSample[]` of the built-in source |
 * | `POST /api/play/start` | `PlayRequest` in, `PlayState` out |
 * | `POST /api/play/resume` | `{ run }` in, `PlayState` out |
 * | `GET /api/play/:play?after=` | `PlayState`, as soon as it is newer than version `after`, or after half a minute |
 * | `POST /api/play/:play/reply` | `{ turn, text }` in, `PlayState` out |
 * | `POST /api/play/:play/stop` | `PlayState`; the run can be resumed |
 */
import type { Comparison } from '../report/compare.ts'
import type { Message } from '../models/types.ts'
import type { Report } from '../report/report.ts'
import type { EpisodeLine, RunHeader, RunState, RunStatus, Status } from '../store/records.ts'

export interface Info {
  version: string
  /** Name of the store's folder, without its path. */
  store: string
  suites: readonly SuiteInfo[]
  /** Can a person play here? Not in a shared folder, and not when the store cannot be written. */
  canPlay: boolean
}

export interface SuiteInfo {
  name: string
  title: string
  /** Can built-in samples of it be played by a person? */
  playable: boolean
  /** What a person may choose from, where built-in samples are spoken. */
  languages?: readonly PlayLanguage[]
}

/** `both`: some samples in one, some in the other, as models get them unless somebody says otherwise. */
export type PlayLanguage = 'en' | 'zh' | 'both'

/** The number that stands for a run. */
export interface Headline {
  title: string
  value: number | null
  interval: readonly [number, number] | null
  chance: number | null
  unit: 'percent' | 'number'
  better: 'higher' | 'lower'
}

/** A run on the board. */
export interface RunRow {
  id: string
  suite: string
  suiteTitle: string
  player: string
  profile: string
  source: string
  /** Runs with the same settings (`settingsOf` of report/likeness.ts) may stand side by side: only the player differs. */
  settings: string
  created: string
  state: RunState
  reason: string | null
  planned: number
  finished: number
  /** Share of the planned episodes that is behind the numbers. */
  coverage: number
  /** `null` when some of it has no known price. */
  usd: number | null
  /** `null` while there is no number yet, or when the suite is not known here. */
  headline: Headline | null
  /** Why there are no numbers: the journal is damaged. */
  problem?: string
}

export interface RunDetail {
  row: RunRow
  header: RunHeader
  status: RunStatus
  /** `null` when the suite is not known here. */
  report: Report | null
  /** Milliseconds of all episodes together. */
  ms: number
}

/** All episodes of a run, column by column: 100,000 of them are read, sorted and filtered in the page in a moment. */
export interface EpisodeColumns {
  /** Position of the case in its source; with `epoch`, the episode's address. */
  index: readonly number[]
  epoch: readonly number[]
  sample: readonly string[]
  /** Position in `statuses`. */
  status: readonly number[]
  statuses: readonly Status[]
  cluster: DictionaryColumn
  /** By the name of the label, for example `type`. */
  labels: Readonly<Record<string, DictionaryColumn>>
  /** By the name of the metric; `null` where an episode does not have it. */
  scores: Readonly<Record<string, readonly (number | null)[]>>
  /** The metric to show first. */
  mainScore: string | null
  /** What the suite says about its metrics, where it is known here. */
  metrics: Readonly<Record<string, MetricInfo>>
  usd: readonly (number | null)[]
  ms: readonly number[]
  /** Why episodes are not `answered`: row to sentence. */
  errors: Readonly<Record<number, string>>
}

export interface MetricInfo {
  title: string
  unit: 'percent' | 'number'
  better: 'higher' | 'lower'
}

/** A column of few different strings: `values[codes[row]]`; a code of −1 is a row without the label. */
export interface DictionaryColumn {
  values: readonly string[]
  codes: readonly number[]
}

export interface EpisodeDetail {
  run: RunRow
  line: EpisodeLine
  /**
   * In the order in which it happened: `sample`, `message`, `ask`, `reply`, `media`, `outcome`, `measurement` and what the
   * suite notes.
   */
  events: readonly RecordedEvent[]
  /** Neighbours in the order of the run. */
  previous: EpisodeAddress | null
  next: EpisodeAddress | null
  /** Is there a 3D scene to ask for? */
  hasScene: boolean
  /** Does the suite bring a panel of its own? */
  hasPanel: boolean
}

export interface EpisodeAddress {
  index: number
  epoch: number
  sample: string
}

/** An event as it stands in `events.jsonl`. It may come from another version: the viewer checks before it uses it. */
export interface RecordedEvent {
  type: string
  [detail: string]: unknown
}

export interface CompareDetail {
  comparison: Comparison
  a: RunRow
  b: RunRow
  /** The metric of `pairs`. */
  metric: string
  unit: 'percent' | 'number'
  better: 'higher' | 'lower'
  /** Episodes that both runs have, the largest disagreement first. */
  pairs: readonly Pair[]
}

export interface Pair {
  sample: string
  epoch: number
  labels: Readonly<Record<string, string>>
  a: { index: number; score: number | null; status: Status }
  b: { index: number; score: number | null; status: Status }
}

/** Told to everyone who listens: a run moved. The headline is the running score. */
export interface LiveEvent {
  run: RunRow
  /** Episodes a second, over the last half minute. */
  rate: number | null
}

/** What a person wants to play. */
export interface PlayRequest {
  suite: string
  /** The player is called `human/<name>`. */
  name: string
  /** Seed of the built-in source. */
  seed: number
  /** Ids of samples; without it the first `count` samples. */
  samples?: readonly string[]
  count?: number
  /** Only for suites that have `languages`. */
  language?: PlayLanguage
  /** Options of the suite, as `-T` takes them. */
  options?: Readonly<Record<string, string>>
}

export interface PlayableSample {
  id: string
  cluster: string
  labels: Readonly<Record<string, string>>
}

export interface PlayState {
  id: string
  /** Goes up whenever anything here changes. */
  version: number
  /** `preparing` while the suite makes the next picture or question. */
  state: 'preparing' | 'asking' | 'done' | 'stopped' | 'failed'
  /** For people: why it stopped or failed. */
  problem: string | null
  run: string | null
  suite: string
  name: string
  planned: number
  finished: number
  /** What is asked now, exactly as a model would be asked. */
  turn: PlayTurn | null
}

export interface PlayTurn {
  number: number
  sample: string
  epoch: number
  /** A short name of what is asked: `step 3`, `question dir`. */
  purpose: string
  messages: readonly Message[]
}

/** An error of the server, for people. */
export interface Problem {
  problem: string
  hint?: string
}
