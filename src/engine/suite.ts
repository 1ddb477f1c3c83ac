/** The contract between a benchmark and what runs it. See docs/add-a-suite.md for a complete small suite. */
import type { z } from 'zod'
import type { Random } from '../base/random.ts'
import type { MediaRef, MediaType, Provenance } from '../media/ref.ts'
import type { Message, ModelRequest, Reply, Role, Sampling } from '../models/types.ts'
import type { Metric, Means } from '../report/means.ts'
import type { Summary } from '../report/summary.ts'
import type { EpisodeLine, Scores, Status } from '../store/records.ts'

/** One thing to be answered. Suites add what they need; it must be plain JSON and the same on every machine. */
export interface SampleBase {
  /** Unique in its source, stable between versions, without spaces. */
  id: string
  /** Cases that share a scene share a cluster. */
  cluster: string
  /** What results are grouped by: question type, setting. */
  labels: Readonly<Record<string, string>>
}

/** Where cases come from, as the user wrote it: `builtin:seed=7`, `vsi-bench:/data/vsi`. */
export interface SourceSpec {
  name: string
  /** What follows the colon when it is a path or an address. */
  path: string | null
  /** What follows the colon when it is `key=value,key=value`. */
  args: Readonly<Record<string, string>>
}

/** A kind of source that a suite can read. */
export interface SourceKind<Options, Case extends SampleBase> {
  /** One line for `sightline list`. */
  title: string
  /** How to spell it: `builtin:seed=7,scenes=100`. */
  usage: string
  /**
   * Opens the source: checks it, and hands out its cases in a fixed order. Throws `UserError` for what the user can
   * mend. `count` may be null where it is not known before the end.
   */
  open(spec: SourceSpec, options: Options, run: SourceContext): Promise<OpenedSource<Case>>
}

/** What a source may depend on beside its own arguments. */
export interface SourceContext {
  seed: number
  /** The profile that the run is played under, also when it is scored under another. */
  profile: string
}

export interface OpenedSource<Case> {
  /** Changes whenever the cases change: a content hash, or a generator's name, version and arguments. */
  fingerprint: string
  count: number | null
  /** For people, shown before the run: what is missing and will be left out. */
  notes?: readonly string[]
  /**
   * A hash over the files that its cases point to, by names and sizes: machines that play a run together make sure that they
   * have the same ones. Absent where there are none, or where `fingerprint` covers them.
   */
  files?(): Promise<string>
  /** May be called several times; always gives the same cases in the same order. */
  cases(): AsyncIterable<Case> | Iterable<Case>
}

/** How a request is made, beyond its messages. */
export interface AskOptions extends Sampling {
  /** What is asked, as data, for built-in players. Never sent to a model. */
  cue?: unknown
  /** A short name for the log: `explore`, `question dir`. */
  purpose?: string
}

/** Something that happened in an episode and that a person may want to see: a move, a map, a verdict. Plain JSON. */
export interface EpisodeEvent {
  type: string
  [detail: string]: unknown
}

/** What a suite has in its hands while a case is played. */
export interface Episode {
  readonly profile: string
  readonly epoch: number
  /** Is there a model for this role? Optional roles are asked only then. */
  has(role: Role): boolean
  /** Asks a model. Retries, cache, limits and cost are not the suite's business; failures end the episode. */
  ask(role: Role, messages: readonly Message[], how?: AskOptions): Promise<Reply>
  /** Stores bytes once and gives back what points to them. */
  keep(
    bytes: Uint8Array,
    type: MediaType,
    provenance: Provenance,
    size?: { width: number; height: number },
  ): Promise<MediaRef>
  /** Where kept bytes lie on this machine, for what reads files (decoders of video). Only where there is a store. */
  fileOf?(ref: MediaRef): string
  /** Records an event for the viewer. */
  note(event: EpisodeEvent): void
  /** Seeded by run seed, case id and epoch: the same on every machine. */
  readonly random: Random
  readonly signal: AbortSignal
}

/** How a case ended, and what the player did, as data that `score` can read again years later. */
export interface Played<Outcome> {
  status: Extract<Status, 'answered' | 'no_answer' | 'parse_failed'>
  outcome: Outcome
  /** For people: what was wrong when it is not `answered`. */
  problem?: string
}

/** What a built-in player of a suite that `makes` videos answers with. */
export interface Made {
  bytes: Uint8Array
  type: MediaType
}

/** A built-in player for one episode. It sees the case with its truth and answers in words, like any model. */
export type BaselinePlayer = (request: ModelRequest, signal?: AbortSignal) => string | Made | Promise<string | Made>

export interface Baseline<Case, Options> {
  /** One line for `sightline list`. */
  title: string
  /** Sources of the suite that it cannot play, by name, and why: "they have no depth". A run of it on one is refused. */
  cannotPlay?: Readonly<Record<string, string>>
  /** Starts a player for one episode. */
  start(sample: Case, context: { random: Random; options: Options; profile: string }): BaselinePlayer
}

/** One benchmark variant. All that the engine knows about it. */
export interface Suite<Options = unknown, Case extends SampleBase = SampleBase, Outcome = unknown> {
  /** `space/text` */
  name: string
  title: string
  /** Raised whenever prompts, cases or scores change. */
  version: number
  /** What its player makes: words unless said otherwise. */
  makes?: 'video'
  options: z.ZodType<Options>
  /** Roles it asks; `player` always. A role in `optionalRoles` is asked only when a model is given for it. */
  roles: readonly Role[]
  optionalRoles?: readonly Role[]
  /** Optional roles that these options cannot do without: a run without a model for them is refused. */
  rolesFor?(options: Options): readonly Role[]
  /** Roles that its built-in players know how to take. Default: `player` alone. */
  baselineRoles?: readonly Role[]
  /** Named ways to play and score, the default first. */
  profiles: readonly [string, ...string[]]
  metrics: Readonly<Record<string, Metric>>
  sources: Readonly<Record<string, SourceKind<Options, Case>>>
  defaultSource: string
  /** Everything besides options and cases that changes results: prompt texts. Hashed into the fingerprint. */
  prompts(options: Options): Promise<Readonly<Record<string, string>>>
  /** Before a run starts or goes on: is what these options need on this machine? Throws `UserError` when it is not. */
  ready?(options: Options): Promise<void>
  play(sample: Case, episode: Episode, options: Options): Promise<Played<Outcome>>
  score(sample: Case, outcome: Outcome, context: ScoreContext<Options>): Scores | Promise<Scores>
  /**
   * For scores that depend on other episodes of the run ("the first five of a prompt that stand still"): gets all
   * lines before they are reported or compared, and gives them back with the scores that count.
   */
  together?(lines: readonly EpisodeLine[]): EpisodeLine[]
  summary(means: Means): Summary
  baselines: Readonly<Record<string, Baseline<Case, Options>>>
  /** Suites that ask the same questions in another way, with the same case ids: `compare` pairs their runs. */
  comparableWith?: readonly string[]
  /** The 3D scene of a case, for whoever looks at its episodes; null when it has none (its data set has no mesh). */
  scene?(sample: Case, options: Options): SampleScene | null | Promise<SampleScene | null>
  /** Roughly what one episode asks, for the estimate before a paid run. */
  estimate?(sample: Case, options: Options): { calls: number; inputTokens: number; outputTokens: number }
}

/** A scene that is made only when somebody looks at it, and once for all cases that share it. */
export interface SampleScene {
  /** Scenes with equal keys are equal: everything they are made from, as a short text or a hash. */
  key: string
  /** Metres, as the episode's poses are. */
  glb(): Promise<Uint8Array>
}

export interface ScoreContext<Options> {
  profile: string
  options: Options
}

/** Options that change how a suite is played go by name into the fingerprint; this is the type of a suite in a list. */
// oxlint-disable-next-line typescript/no-explicit-any -- a list of suites is a list of different types by nature
export type AnySuite = Suite<any, any, any>
