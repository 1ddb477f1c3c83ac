/**
 * The contract between a benchmark and the engine. Authors call `defineSuite` (define.ts), which fills in defaults; the
 * engine only ever sees a complete `Suite`.
 */
import type { z } from 'zod'
import { isObject } from '../base/json-object.ts'
import type { Random } from '../base/random.ts'
import type { Dataset } from '../datasets/dataset.ts'
import type { MediaRef, MediaType, Provenance } from '../media/ref.ts'
import type { Message, ModelRequest, Reply, Role, Sampling } from '../models/types.ts'
import type { Audit, BlindScores } from '../report/audit.ts'
import type { Means, Metric } from '../report/means.ts'
import type { PublishedResults } from '../report/published.ts'
import type { Summary } from '../report/summary.ts'
import type { EpisodeLine, Scores, Status } from '../store/records.ts'
import type { BlindTask } from './audit/task.ts'
import type { DataFiles } from './data-files.ts'

/**
 * The fields every sample has. Suites add their own; a sample must be plain JSON and identical on every machine.
 *
 * @example
 * { id: 'kitchen-03', cluster: 'kitchen', labels: { type: 'distance' }, question: 'How far is the chair?', meters: 1.8 }
 */
export interface SampleBase {
  /** Unique within its source, stable across versions, without spaces. */
  id: string
  /** Samples that share a scene share a cluster: confidence intervals resample clusters, not samples. */
  cluster: string
  /** Results are grouped by these, for example by question type. */
  labels: Readonly<Record<string, string>>
}

/** Everything the samples of a source may depend on. */
export interface SourceRequest<Options, Args, Profile extends string = string> {
  /** The part after the colon in `--source builtin:scenes=20`, validated by the schema of the source. */
  args: Args
  /** Suite options, with defaults filled in. */
  options: Options
  /** The source's own `seed` argument if given, otherwise the seed of the run. */
  seed: number
  /** A generator seeded by suite, source and seed. */
  random: Random
  /** The profile the run is played with, even if it is later scored with another. */
  profile: Profile
}

/** Where samples come from. The first source of a suite is its default. */
export interface Source<Options, Sample extends SampleBase> {
  /** One line for `sightline list`. */
  title: string
  /** Example shown in help and errors: `builtin:seed=7,scenes=100`. */
  usage: string
  /** The published dataset that it reads, for `sightline data get` and exports. */
  dataset?: Dataset
  /**
   * Schema of the arguments. If it has a `path`, `name:/some/folder` is short for `name:path=/some/folder`. If it has a
   * `seed`, that overrides the seed of the run.
   */
  args: z.ZodObject
  /** Validates and opens the source. Throws `UserError` for problems the user can fix, such as a missing dataset. */
  open(request: SourceRequest<Options, Readonly<Record<string, unknown>>>): Promise<OpenedSource<Sample>>
}

/** A source that is ready to yield samples. */
export interface OpenedSource<Sample> {
  /** Must change whenever the samples change: a content hash, or the name, version and arguments of a generator. */
  fingerprint: string
  /** Number of samples; null if unknown until all are read. */
  count: number | null
  /** Warnings shown before the run, for example about scenes that are skipped because files are missing. */
  notes?: readonly string[]
  /**
   * Folders on this machine, by the names samples use to refer to them. Samples contain no absolute paths, because they
   * must be identical on every machine and end up in queues and logs.
   */
  roots?: Readonly<Record<string, string>>
  /**
   * Hash of the names and sizes of the files that samples refer to. Workers compare it to verify that they have the same
   * dataset. Omit it if there are no files, or if `fingerprint` covers them.
   */
  files?(): Promise<string>
  /** Samples of a cluster, which share their media, are not next to each other: the engine plays them together. */
  isScattered?: boolean
  /** Yields the samples. Can be called repeatedly, and must always yield the same samples in the same order. */
  samples(): AsyncIterable<Sample> | Iterable<Sample>
  /**
   * Cluster and labels of every sample, in order, for `--sample`. Only for sources whose samples take long to make; labels
   * may be the intended ones. It may list samples that `at` then leaves out, if `count` is null.
   */
  outline?(): Iterable<Pick<SampleBase, 'cluster' | 'labels'>>
  /**
   * The sample at a position of `outline`, for sources that can make one without those before it. Null, only if `count` is
   * null, for one that `samples` does not yield: `--sample` draws another instead.
   */
  at?(index: number): Promise<Sample | null>
}

/** Options of `episode.ask`: sampling parameters, plus data for baselines and the log. */
export interface AskOptions extends Sampling {
  /** The question as data, for baselines. Never sent to a model. */
  baselineInput?: unknown
  /** Short label for the log: `explore`, `question dir`. */
  purpose?: string
}

/** An event of an episode that is shown in the viewer: a move, a map, a verdict. Plain JSON. */
export interface EpisodeEvent {
  type: string
  [detail: string]: unknown
}

/** Passed to a suite while it plays or measures a sample: models, media, randomness, the log. */
export interface Episode<Profile extends string = string> {
  readonly profile: Profile
  /** Counted from 1. */
  readonly epoch: number
  /** Whether the run has a model for this role. Check it before asking an optional role. */
  has(role: Role): boolean
  /**
   * Sends a request to the model in this role. Retries, caching, rate limits and cost are handled by the engine; if the
   * request fails for good, the episode ends with `model_error`.
   *
   * @example
   * const { text } = await episode.ask('player', [user`How many chairs are there? ${image}`], { maxTokens: 256 })
   */
  ask(role: Role, messages: readonly Message[], how?: AskOptions): Promise<Reply>
  /** Stores media and returns a reference to it. Identical bytes are stored once. */
  keep(
    bytes: Uint8Array,
    type: MediaType,
    provenance: Provenance,
    size?: { width: number; height: number },
  ): Promise<MediaRef>
  /** Notes media that this process has kept before, without its bytes. Absent where every episode keeps its own. */
  keepAgain?(ref: MediaRef, provenance: Provenance): void
  /** Stores media without a note: `keepAgain` notes it later, in an order that does not depend on the disk. */
  keepUnnoted?(bytes: Uint8Array, type: MediaType, size?: { width: number; height: number }): Promise<MediaRef>
  /** Path of stored media on this machine, for decoders that read files. */
  fileOf(ref: MediaRef): string
  /** Resolves the files of the source that the sample refers to. */
  readonly files: DataFiles
  /** Nothing of the episode is kept, as in training: what only the viewer shows need not be drawn. */
  readonly isUnrecorded?: boolean
  /** Records an event for the viewer. */
  note(event: EpisodeEvent): void
  /**
   * Tells a person who waits for the next question what takes so long. Not recorded.
   *
   * @example
   * episode.progress('Rendering objects', 3, 14)
   */
  progress(what: string, done: number, total: number): void
  /** A generator seeded by run seed, sample id and epoch, so an episode is identical on every machine. */
  readonly random: Random
  /** Aborted when the run is stopped immediately. */
  readonly signal: AbortSignal
}

/** The result of `play`. */
export interface Played<Outcome> {
  status: Extract<Status, 'answered' | 'no_answer' | 'parse_failed'>
  /** What the player did, as plain JSON. It is recorded, and `score` reads it again when the run is rescored. */
  outcome: Outcome
  /** Human-readable reason if the status is not `answered`. */
  problem?: string
}

/** The answer of a baseline in a suite with video output. */
export interface GeneratedMedia {
  bytes: Uint8Array
  type: MediaType
}

/** Answers the requests of one episode, like a model would: as text, or as media in suites with video output. */
export type BaselinePlayer = (
  request: ModelRequest,
  signal?: AbortSignal,
) => string | GeneratedMedia | Promise<string | GeneratedMedia>

/** Passed to a baseline when it starts an episode. */
export interface BaselineContext<Options, Profile extends string = string> {
  random: Random
  options: Options
  profile: Profile
  files: DataFiles
}

/**
 * A player that needs no network, such as `baseline/random` or `baseline/oracle`. It sees the complete sample, ground
 * truth included.
 *
 * @example
 * baselines: {
 *   random: { title: 'guesses', start: (sample, { random }) => () => random.pick(sample.choices) },
 * }
 */
export interface Baseline<Sample, Options, Profile extends string = string> {
  /** One line for `sightline list`. */
  title: string
  /** Sources it cannot play, by name, each with the reason: `{ photos: 'they have no depth' }`. Such runs are rejected. */
  cannotPlay?: Readonly<Record<string, string>>
  /** Starts one episode. */
  start(sample: Sample, context: BaselineContext<Options, Profile>): BaselinePlayer
}

/** How a suite uses a role other than `player`. */
export interface RoleUse<Options> {
  /** Whether a model is required for this role. Default: no; the role is asked only if the run has a model for it. */
  needed?(options: Options): boolean
  /** Whether baselines can take this role. Default: no. */
  baselines?: boolean
}

/** The rules that scores and summaries are computed with. */
export interface ScoringContext<Options, Profile extends string = string> {
  profile: Profile
  options: Options
}

/** Passed to `summary`. */
export interface SummaryContext<Options, Profile extends string = string> extends ScoringContext<Options, Profile> {
  /** Scores of a learner that reads only words, by row, if the suite ships an audit that holds for the run. */
  blind?: BlindScores
}

/** Passed to `score`. */
export interface ScoreContext<Options, Profile extends string = string> extends ScoringContext<Options, Profile> {
  /** Measurements by instrument; empty in suites without a measure stage. */
  measurements: Measurements
}

/** Measured values by instrument name. Plain JSON. */
export type Measurements = Readonly<Record<string, unknown>>

/** Measures outcomes: a metric network, a judge. A new version measures again and replaces the values of the old one. */
export interface Instrument {
  name: string
  version: string
}

/** The value of an instrument that failed. It is used until the outcome is measured again. */
export class FailedMeasurement {
  /** `instanceof` checks this marker, because a suite may bring its own copy of this package. */
  readonly sightline = 'failed-measurement'
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }

  static [Symbol.hasInstance](value: unknown): boolean {
    return isObject(value) && value['sightline'] === 'failed-measurement'
  }
}

/**
 * The stage between play and score, for measurements that are expensive and do not need the model under test. Values are
 * recorded per instrument and version, so `sightline measure RUN` adds missing ones without playing anything again.
 */
export interface MeasureStage<Options, Sample, Outcome> {
  /** Suite options that select instruments. Only these can be changed with `sightline measure RUN -T …`. */
  options: readonly (keyof Options & string)[]
  /** Opens the selected instruments. Called before a run starts; throws `UserError` if a network or program is missing. */
  open(options: Options): Promise<OpenedInstruments<Sample, Outcome>>
}

/** Instruments that are ready to measure. */
export interface OpenedInstruments<Sample, Outcome> {
  /** All open instruments; part of the fingerprint of the run. */
  all: readonly Instrument[]
  /** Warnings shown before the run, for example about a network that cannot be used. */
  notes?: readonly string[]
  /** The instruments that apply to an outcome. `has` returns whether the run has a model for an optional role (a judge). */
  wanted(sample: Sample, outcome: Outcome, has: (role: Role) => boolean): readonly Instrument[]
  /**
   * Measures an outcome with these instruments in one pass. Returns a value for each of them, or a `FailedMeasurement`
   * for those that failed.
   */
  measure(
    sample: Sample,
    outcome: Outcome,
    instruments: readonly Instrument[],
    episode: Episode,
  ): Promise<Readonly<Record<string, unknown>>>
}

/** What another tool recorded about one sample. */
export interface ImportedEpisode<Sample> {
  /** Sample ids must be unique within an import. */
  sample: Sample
  /** The texts that models replied, by role, in the order in which `play` asks for them. */
  replies: Readonly<Partial<Record<Role, readonly string[]>>>
}

/** The result of reading another tool's files. */
export interface ImportedReplies<Sample> {
  /** Name of the model, if the files contain it. */
  model: string | null
  /** Human-readable notes on what was skipped or assumed. */
  notes?: readonly string[]
  episodes: readonly ImportedEpisode<Sample>[]
}

/**
 * Reads files that another tool wrote for the same benchmark, for `sightline import PATH --from SUITE`. The replies are
 * played like those of a model: `play` parses them and `score` scores them, with any profile.
 */
export interface Importer<Options, Sample extends SampleBase, Profile extends string = string> {
  /** Which files it reads, for help and errors: `result files of the published code`. */
  title: string
  /**
   * Reads a file or folder. Throws `UserError` for files it cannot read.
   *
   * @param request.source samples of `--source`; null if none is given, so that samples must come from the files
   */
  read(
    path: string,
    request: { options: Options; profile: Profile; source: OpenedSource<Sample> | null },
  ): Promise<ImportedReplies<Sample>>
}

/**
 * What an episode asked, what was answered and what is true, in words for readers: the columns of the episodes table,
 * targets in exports, figures. Long texts are cut where they are shown.
 */
export interface EpisodeDescription {
  /** Default: the text of the first request to the player. */
  question?: string
  /** What the player answered; null if no answer was found. Numbers can be plotted against the truth. */
  answer?: string | number | null
  /** The ground truth, written like the answer. */
  truth?: string | number | null
  /** Unit of numeric answers: `m`. */
  unit?: string
  /** All possible answers, as the player saw them; `answer` and `truth` are among them. */
  choices?: readonly string[]
  /** The image that shows best what the episode is about. Default: the first recorded image. */
  image?: MediaRef
  /** A map that the player drew, beside the true one: cells `[x, y]` of a square grid by name, from the lower left. */
  map?: DescribedMap
}

export interface DescribedMap {
  /** Per side. */
  cells: number
  drawn: Readonly<Record<string, readonly (readonly [number, number])[]>>
  truth: Readonly<Record<string, readonly (readonly [number, number])[]>>
}

/** An image recorded in an episode, with how it was made. */
export interface RecordedImage extends MediaRef {
  provenance: Readonly<Record<string, unknown>>
}

/** Passed to `describe`. */
export interface DescribeContext<Options, Profile extends string = string> extends ScoringContext<Options, Profile> {
  /** The images of the episode, in order. */
  images: readonly RecordedImage[]
}

/** Rough cost of one episode, for the estimate before a run. */
export interface EpisodeEstimate {
  calls: number
  inputTokens: number
  outputTokens: number
  /** Of the input, what an earlier request of the episode began with too: the history of a conversation. Default 0. */
  repeatedTokens?: number
  /** Of the input, what questions about the same scene (`cluster`) begin with too: its images. Default 0. */
  sharedTokens?: number
}

/** An action of the player as a tool with named arguments. */
export interface SuiteTool {
  description: string
  input: z.ZodObject
  /** The reply that a model would write to do it. */
  reply(given: Readonly<Record<string, unknown>>): string
}

/** One benchmark variant, complete with defaults, as `defineSuite` returns it. */
export interface Suite<
  Options = unknown,
  Sample extends SampleBase = SampleBase,
  Outcome = unknown,
  Profile extends string = string,
> {
  /** `family/variant`, for example `space/text`. */
  name: string
  title: string
  /** Increase it whenever prompts, samples or scores change. */
  version: number
  /** The kind of answer the player gives. */
  output: 'text' | 'video'
  /** Schema of the suite options (`-T name=value`). */
  options: z.ZodType<Options>
  /** Roles other than `player`. */
  roles: Readonly<Partial<Record<Exclude<Role, 'player'>, RoleUse<Options>>>>
  /** Named rules for prompting and scoring, the default first. */
  profiles: readonly [Profile, ...Profile[]]
  /** The metrics that `score` may return, by name. */
  metrics: Readonly<Record<string, Metric>>
  /** Where samples come from, the default first. */
  sources: Readonly<Record<string, Source<Options, Sample>>>
  /** Prompt texts, by name. Their hash is part of the fingerprint of a run. */
  prompts(options: Options): Readonly<Record<string, string>>
  /** Plays one sample: asks the player and returns what it did. */
  play(sample: Sample, episode: Episode<Profile>, options: Options): Promise<Played<Outcome>>
  measure?: MeasureStage<Options, Sample, Outcome>
  /** Scores an outcome. Must be deterministic; it runs again whenever a run is rescored. */
  score(sample: Sample, outcome: Outcome, context: ScoreContext<Options, Profile>): Scores | Promise<Scores>
  /**
   * For scores that depend on other episodes of the run, such as a majority over epochs. Receives all episodes before they
   * are reported or compared, and returns them with their final scores.
   */
  combine?(lines: readonly EpisodeLine[], context: ScoringContext<Options, Profile>): EpisodeLine[]
  /** Builds the result table from the means of the metrics. */
  summary(means: Means, context: SummaryContext<Options, Profile>): Summary
  baselines: Readonly<Record<string, Baseline<Sample, Options, Profile>>>
  /**
   * A reply of a baseline with the reasons for it, from the ground truth, in the form that the prompt asks for: training
   * data made with `sightline data make` then shows how to get to an answer. Other replies stay as they are.
   */
  explain?(sample: Sample, reply: string, context: ScoringContext<Options, Profile>): string
  /**
   * How far the player has come, 0 to 1, as an event says: how much it knows, how near it is. Null for events that say
   * nothing about it. What a step adds is its reward when `sightline serve --dense` serves the suite.
   */
  progress?(event: EpisodeEvent, sample: Sample): number | null
  /**
   * What one answered episode is worth to a learner, 0 to 1, where no single metric is what the suite reports; null if
   * nothing was scored.
   */
  reward?(scores: Scores): number | null
  /** The player's actions, by name, for clients of `sightline serve` that call tools (MCP, OpenReward). */
  tools?: Readonly<Record<string, SuiteTool>>
  /**
   * The answers that a sample asks for, with the text that the player gets: `sightline audit` measures how far words
   * alone get. Nothing can be asked in the episode, and nothing is kept. Default for questions: the text of `ask`, if the
   * answer is a number or one of the reader's choices.
   *
   * @example
   * audit: ({ question, options, answer, labels }) => [
   *   { row: labels.type, words: question, target: { kind: 'choice', options, answer } },
   * ]
   */
  audit?(
    sample: Sample,
    episode: Episode<Profile>,
    options: Options,
  ): readonly BlindTask[] | Promise<readonly BlindTask[]>
  /**
   * Audits made with `sightline audit SUITE -o FILE`. Reports print their floors and ceilings next to the scores of runs
   * with the same version, profile, kind of source and options.
   */
  audits?(): readonly Audit[]
  /** Results that others published, for `sightline report --published`. The table may depend on the profile of the run. */
  published?(profile?: string): PublishedResults
  /** Reads what other tools recorded for the same benchmark. */
  importer?: Importer<Options, Sample, Profile>
  /** Schemas of the events that `play` and `measure` record, by type. */
  events: Readonly<Record<string, z.core.$ZodType>>
  /** Optional schemas of samples and outcomes, checked by `sightline/testing`. */
  schemas: { sample?: z.ZodType; outcome?: z.ZodType }
  /** Suites with the same sample ids that ask the same questions differently. `compare` pairs their runs. */
  comparableWith?: readonly string[]
  /**
   * Describes an episode for readers, from its sample and outcome alone. The outcome is null if the episode failed before
   * it had one. Default for questions: the answer, the ground truth and the choices.
   */
  describe?(sample: Sample, outcome: Outcome | null, context: DescribeContext<Options, Profile>): EpisodeDescription
  viewer: SuiteViewer<Options, Sample>
  /** Rough calls and tokens of one episode. */
  estimate(sample: Sample, options: Options): EpisodeEstimate
}

/** Extensions of the viewer for a suite. */
export interface SuiteViewer<Options, Sample> {
  /** The 3D scene of a sample; null if it has none, for example because the dataset has no mesh. */
  scene?(sample: Sample, options: Options, files: DataFiles): SampleScene | null | Promise<SampleScene | null>
  /**
   * Browser script that displays episodes of the suite: `new URL('./panel.js', import.meta.url)`. See `PanelContext`.
   * Default: the general panel.
   */
  panel?: URL
  /** Types of errors that a person can assign to an episode, with their titles; the report counts them. */
  errorTypes?: Readonly<Record<string, string>>
}

/** A 3D scene, built only when it is viewed, and once for all samples that share it. */
export interface SampleScene {
  /** Cache key: a short text or hash of everything the scene is built from. */
  key: string
  /** The scene as GLB, in meters, in the same coordinates as the poses of the episode. */
  glb(): Promise<Uint8Array>
}

/** A suite of any type, for lists of different suites. */
// oxlint-disable-next-line typescript/no-explicit-any -- suites in a list differ in all type parameters
export type AnySuite = Suite<any, any, any, any>
