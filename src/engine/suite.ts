/**
 * The contract between a benchmark and what runs it. Authors write a `SuiteDefinition` and pass it to `defineSuite`
 * (define.ts), which fills in everything that is left out; the engine only ever sees a complete `Suite`.
 */
import type { z } from 'zod'
import { isObject } from '../base/json-object.ts'
import type { Random } from '../base/random.ts'
import type { MediaRef, MediaType, Provenance } from '../media/ref.ts'
import type { Message, ModelRequest, Reply, Role, Sampling } from '../models/types.ts'
import type { Means, Metric } from '../report/means.ts'
import type { Summary } from '../report/summary.ts'
import type { EpisodeLine, Scores, Status } from '../store/records.ts'
import type { DataFiles } from './data-files.ts'

/** One thing to be answered. Suites add what they need; it must be plain JSON and the same on every machine. */
export interface SampleBase {
  /** Unique in its source, stable between versions, without spaces. */
  id: string
  /** Samples that share a scene share a cluster: intervals resample clusters. */
  cluster: string
  /** What results are grouped by: question type, setting. */
  labels: Readonly<Record<string, string>>
}

/** What a source may depend on. */
export interface SourceRequest<Options, Args, Profile extends string = string> {
  /** What follows the colon in `--source builtin:scenes=20`, checked by the source's schema. */
  args: Args
  options: Options
  /** `seed` of the arguments where the source has one, else the seed of the run. */
  seed: number
  /** Seeded by suite, source and seed. */
  random: Random
  /** The profile that the run is played under, also when it is scored under another. */
  profile: Profile
}

/** Where samples come from. The first source of a suite is its default. */
export interface Source<Options, Sample extends SampleBase> {
  /** One line for `sightline list`. */
  title: string
  /** How to spell it: `builtin:seed=7,scenes=100`. */
  usage: string
  /**
   * Schema of the arguments. With a `path` among them, `name:/some/folder` is short for `name:path=/some/folder`. With a
   * `seed` among them, it stands in for the seed of the run.
   */
  args: z.ZodObject
  /** Opens the source: checks it, and hands out its samples in a fixed order. Throws `UserError` for what a user can fix. */
  open(request: SourceRequest<Options, Readonly<Record<string, unknown>>>): Promise<OpenedSource<Sample>>
}

export interface OpenedSource<Sample> {
  /** Changes whenever the samples change: a content hash, or a generator's name, version and arguments. */
  fingerprint: string
  /** Null where it is not known before the end. */
  count: number | null
  /** Shown before the run: what is missing and will be left out. */
  notes?: readonly string[]
  /**
   * Where the files that samples refer to are on this machine, by the names that samples use. Samples hold no paths:
   * they are the same on every machine and end up in queues and logs.
   */
  roots?: Readonly<Record<string, string>>
  /**
   * A hash over the files that its samples refer to, by names and sizes: machines that play a run together check that they
   * have the same ones. Absent where there are none, or where `fingerprint` covers them.
   */
  files?(): Promise<string>
  /** May be called several times; always gives the same samples in the same order. */
  samples(): AsyncIterable<Sample> | Iterable<Sample>
}

/** How a request is made, beyond its messages. */
export interface AskOptions extends Sampling {
  /** What is asked, as data, for built-in players. Never sent to a model. */
  baselineInput?: unknown
  /** A short name for the log: `explore`, `question dir`. */
  purpose?: string
}

/** Something that happened in an episode and that a person may want to see: a move, a map, a verdict. Plain JSON. */
export interface EpisodeEvent {
  type: string
  [detail: string]: unknown
}

/** What a suite has in its hands while a sample is played or measured. */
export interface Episode<Profile extends string = string> {
  readonly profile: Profile
  readonly epoch: number
  /** Is there a model for this role? Optional roles are asked only then. */
  has(role: Role): boolean
  /** Asks a model. Retries, cache, limits and cost are not the suite's business; failures end the episode. */
  ask(role: Role, messages: readonly Message[], how?: AskOptions): Promise<Reply>
  /** Stores bytes once and returns a reference to them. */
  keep(
    bytes: Uint8Array,
    type: MediaType,
    provenance: Provenance,
    size?: { width: number; height: number },
  ): Promise<MediaRef>
  /** Path of stored bytes on this machine, for decoders that read files. */
  fileOf(ref: MediaRef): string
  /** Files of the source that the sample refers to. */
  readonly files: DataFiles
  /** Records an event for the viewer. */
  note(event: EpisodeEvent): void
  /** Seeded by run seed, sample id and epoch: the same on every machine. */
  readonly random: Random
  readonly signal: AbortSignal
}

/** How a sample ended, and what the player did, as data that `score` can read again years later. */
export interface Played<Outcome> {
  status: Extract<Status, 'answered' | 'no_answer' | 'parse_failed'>
  outcome: Outcome
  /** For people: what was wrong when it is not `answered`. */
  problem?: string
}

/** What a built-in player of a suite with video output answers with. */
export interface GeneratedMedia {
  bytes: Uint8Array
  type: MediaType
}

/** A built-in player for one episode. It sees the sample with its truth and answers in words, like any model. */
export type BaselinePlayer = (
  request: ModelRequest,
  signal?: AbortSignal,
) => string | GeneratedMedia | Promise<string | GeneratedMedia>

export interface BaselineContext<Options, Profile extends string = string> {
  random: Random
  options: Options
  profile: Profile
  files: DataFiles
}

export interface Baseline<Sample, Options, Profile extends string = string> {
  /** One line for `sightline list`. */
  title: string
  /** Sources of the suite that it cannot play, by name, and why: "they have no depth". A run of it on one is refused. */
  cannotPlay?: Readonly<Record<string, string>>
  /** Starts a player for one episode. */
  start(sample: Sample, context: BaselineContext<Options, Profile>): BaselinePlayer
}

/** How a suite uses a role beside `player`, which every suite asks. */
export interface RoleUse<Options> {
  /** Must a model be given for it? Otherwise it is asked only when one is. Default: no. */
  needed?(options: Options): boolean
  /** Can the suite's built-in players take it? Default: no. */
  baselines?: boolean
}

/** Under which rules a number is formed. */
export interface ScoringContext<Options, Profile extends string = string> {
  profile: Profile
  options: Options
}

export interface ScoreContext<Options, Profile extends string = string> extends ScoringContext<Options, Profile> {
  /** What the measure stage found, by instrument; empty where there is none. */
  measurements: Measurements
}

/** Values by instrument name. Plain JSON. */
export type Measurements = Readonly<Record<string, unknown>>

/** Something that measures outcomes. Another version measures again, and its values replace the older ones. */
export interface Instrument {
  name: string
  version: string
}

/** The value of an instrument that could not do its work: it counts until the outcome is measured again. */
export class FailedMeasurement {
  /** Not the class but this tells it: a suite may bring its own copy of this package. */
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
 * The stage between play and score: for what is expensive and needs no model under test. Values are kept per instrument and
 * version, so that `sightline measure RUN` adds what is missing to a recorded run and plays nothing again.
 */
export interface MeasureStage<Options, Sample, Outcome> {
  /** Options that say what is measured and with what: `sightline measure RUN -T …` may change these and no others. */
  options: readonly (keyof Options & string)[]
  /** Opens what the options ask for. Called before a run starts; throws `UserError` when something is missing. */
  open(options: Options): Promise<OpenedInstruments<Sample, Outcome>>
}

export interface OpenedInstruments<Sample, Outcome> {
  /** Everything that is open, for the run's fingerprint. */
  all: readonly Instrument[]
  /** Shown before the run: what was found and cannot be used. */
  notes?: readonly string[]
  /** The instruments that apply to an outcome. `has` tells which optional roles (a judge) there is a model for. */
  wanted(sample: Sample, outcome: Outcome, has: (role: Role) => boolean): readonly Instrument[]
  /**
   * Measures an outcome with these instruments, all in one pass. Every one of them gets a value, those that failed a
   * `FailedMeasurement`.
   */
  measure(
    sample: Sample,
    outcome: Outcome,
    instruments: readonly Instrument[],
    episode: Episode,
  ): Promise<Readonly<Record<string, unknown>>>
}

/** What one episode roughly asks, for the estimate before a paid run. */
export interface EpisodeEstimate {
  calls: number
  inputTokens: number
  outputTokens: number
}

/** One benchmark variant. All that the engine knows about it. */
export interface Suite<
  Options = unknown,
  Sample extends SampleBase = SampleBase,
  Outcome = unknown,
  Profile extends string = string,
> {
  /** `space/text` */
  name: string
  title: string
  /** Raised whenever prompts, samples or scores change. */
  version: number
  /** What the player answers with. */
  output: 'text' | 'video'
  options: z.ZodType<Options>
  /** Roles beside `player`. */
  roles: Readonly<Partial<Record<Exclude<Role, 'player'>, RoleUse<Options>>>>
  /** Named ways to play and score, the default first. */
  profiles: readonly [Profile, ...Profile[]]
  metrics: Readonly<Record<string, Metric>>
  /** The default first. */
  sources: Readonly<Record<string, Source<Options, Sample>>>
  /** Everything besides options and samples that changes results: prompt texts. Hashed into the fingerprint. */
  prompts(options: Options): Readonly<Record<string, string>>
  play(sample: Sample, episode: Episode<Profile>, options: Options): Promise<Played<Outcome>>
  measure?: MeasureStage<Options, Sample, Outcome>
  score(sample: Sample, outcome: Outcome, context: ScoreContext<Options, Profile>): Scores | Promise<Scores>
  /**
   * For scores that depend on other episodes of the run: a majority over epochs, the first five videos of a prompt that stand
   * still. Gets all lines before they are reported or compared, and returns them with the scores that count.
   */
  combine?(lines: readonly EpisodeLine[], context: ScoringContext<Options, Profile>): EpisodeLine[]
  summary(means: Means, context: ScoringContext<Options, Profile>): Summary
  baselines: Readonly<Record<string, Baseline<Sample, Options, Profile>>>
  /** Schemas of the events that `play` and `measure` record, by type. */
  events: Readonly<Record<string, z.core.$ZodType>>
  /** Schemas of what is recorded, where the author gives them: checked by `sightline/testing`. */
  schemas: { sample?: z.ZodType; outcome?: z.ZodType }
  /** Suites that ask the same questions in another way, with the same sample ids: `compare` pairs their runs. */
  comparableWith?: readonly string[]
  viewer: SuiteViewer<Options, Sample>
  estimate(sample: Sample, options: Options): EpisodeEstimate
}

/** What a suite adds to the viewer. */
export interface SuiteViewer<Options, Sample> {
  /** The 3D scene of a sample; null when it has none (its data set has no mesh). */
  scene?(sample: Sample, options: Options, files: DataFiles): SampleScene | null | Promise<SampleScene | null>
  /**
   * A script for the browser that shows the suite's episodes: `new URL('./panel.js', import.meta.url)`. What it exports and
   * gets is in panel.ts. Without it the general panel is used.
   */
  panel?: URL
}

/** A scene that is made only when someone looks at it, and once for all samples that share it. */
export interface SampleScene {
  /** Scenes with equal keys are equal: everything they are made from, as a short text or a hash. */
  key: string
  /** Metres, as the episode's poses are. */
  glb(): Promise<Uint8Array>
}

/** The type of a suite in a list of different suites. */
// oxlint-disable-next-line typescript/no-explicit-any -- a list of suites is a list of different types by nature
export type AnySuite = Suite<any, any, any, any>
