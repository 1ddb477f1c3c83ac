/** `defineSuite`: builds a complete suite from a definition and fills in the defaults. */
import { z } from 'zod'
import type { Items } from '../base/items.ts'
import type { Dataset } from '../datasets/dataset.ts'
import type { Metric } from '../report/means.ts'
import { estimateTextTokens } from '../models/estimate.ts'
import type { Message, Sampling } from '../models/types.ts'
import { shortHash } from './fingerprint.ts'
import { describeSettings } from './options.ts'
import { type QuestionOutcome, questionParts } from './question.ts'
import type { Reader } from './readers.ts'
import type {
  AnySuite,
  Baseline,
  Episode,
  EpisodeEstimate,
  OpenedSource,
  SampleBase,
  Source,
  SourceRequest,
  SuiteTool,
  Suite,
  SuiteViewer,
} from './suite.ts'

/** A sample with the fields that may be omitted: the default id is its number, the default cluster is its id. */
export type CompleteSample<Sample> = Sample extends SampleBase ? Sample : Sample & SampleBase

/**
 * A source as authors write it: `samples` for a generator or list, or `open` for full control.
 *
 * @example
 * sources: {
 *   builtin: {
 *     args: z.object({ samples: z.int().min(1).default(100) }),
 *     *samples({ args, random }) {
 *       for (let i = 0; i < args.samples; i++) yield { degrees: random.int(360) }
 *     },
 *   },
 * }
 */
export interface SourceDefinition<Options, Sample, Args extends z.ZodObject, Profile extends string = string> {
  /** One line for `sightline list`. */
  title?: string
  /** Example shown in help and errors. Default: its name with the default arguments. */
  usage?: string
  /** The published dataset that it reads, for `sightline data get` and exports. */
  dataset?: Dataset
  /** Schema of the arguments. Default: an optional `seed`. */
  args?: Args
  /** Yields the samples in a fixed order, using no randomness but `random`. */
  samples?(request: SourceRequest<Options, z.output<Args>, Profile>): Items<Sample> | Promise<Items<Sample>>
  /** Opens the source; use it instead of `samples` for datasets with files, fingerprints or warnings. */
  open?(request: SourceRequest<Options, z.output<Args>, Profile>): Promise<OpenedSource<CompleteSample<Sample>>>
}

/**
 * Types a source that is defined outside its suite: `samples` and `open` receive the parsed arguments.
 *
 * @example
 * export const folder = defineSource({
 *   args: z.object({ path: z.string() }),
 *   samples: ({ args }) => readSamples(args.path),
 * })
 */
export function defineSource<Options, Sample, Args extends z.ZodObject, Profile extends string = string>(
  definition: SourceDefinition<Options, Sample, Args, Profile>,
): SourceDefinition<Options, Sample, Args, Profile> {
  return definition
}

type SourceDefinitions<Options, Sample, Args extends Readonly<Record<string, z.ZodObject>>, Profile extends string> = {
  [Name in keyof Args]: SourceDefinition<Options, Sample, Args[Name], Profile>
}

type Overridable<S, Keys extends keyof S> = Partial<Pick<S, Keys>>

/** Fields that every definition can have. */
interface CommonDefinition<
  Options,
  Sample,
  Outcome,
  Profile extends string,
  Args extends Readonly<Record<string, z.ZodObject>>,
> extends Overridable<
  Suite<Options, CompleteSample<Sample>, Outcome, Profile>,
  | 'output'
  | 'options'
  | 'roles'
  | 'prompts'
  | 'measure'
  | 'combine'
  | 'summary'
  | 'importer'
  | 'audit'
  | 'audits'
  | 'explain'
  | 'progress'
  | 'reward'
  | 'tools'
  | 'comparableWith'
  | 'published'
  | 'describe'
  | 'estimate'
> {
  /** `bearings`, or `family/variant`. */
  name: string
  /** Default: the name. */
  title?: string
  /** Increase it whenever prompts, samples or scores change. */
  version: number
  /** Named rules for prompting and scoring, the default first. Default: one profile, `default`. */
  profiles?: readonly [Profile, ...Profile[]]
  metrics?: Readonly<Record<string, Metric>>
  /** Where samples come from, the default first. */
  sources?: SourceDefinitions<Options, Sample, Args, Profile>
  /** Shorthand for a single source named `builtin`. */
  samples?:
    | readonly Sample[]
    | ((request: SourceRequest<Options, { seed?: number }, Profile>) => Items<Sample> | Promise<Items<Sample>>)
  /** Default for questions: `oracle`, and for multiple choice also `random` and `constant`. */
  baselines?: Readonly<Record<string, Baseline<CompleteSample<Sample>, Options, Profile>>>
  /** Schemas of the events that `play` and `measure` record, by type. */
  events?: Readonly<Record<string, z.core.$ZodType>>
  /** Schemas of samples and outcomes, checked by `sightline/testing`. */
  schemas?: { sample?: z.ZodType; outcome?: z.ZodType }
  viewer?: SuiteViewer<Options, CompleteSample<Sample>>
}

/** A benchmark that asks one question per sample. Playing, scoring, the table and baselines are provided. */
export interface QuestionDefinition<
  Options,
  Sample,
  Answer,
  Profile extends string,
  Args extends Readonly<Record<string, z.ZodObject>>,
> extends CommonDefinition<Options, Sample, QuestionOutcome<Answer>, Profile, Args> {
  /** The messages that ask the question. */
  ask(
    sample: CompleteSample<Sample>,
    episode: Episode<Profile>,
    options: Options,
  ): readonly Message[] | Promise<readonly Message[]>
  /** Extracts the answer from a reply; a function if it depends on the sample or the profile. */
  read: Reader<Answer> | ((sample: CompleteSample<Sample>, profile: Profile) => Reader<Answer>)
  /** The ground truth. */
  truth(sample: CompleteSample<Sample>): NoInfer<Answer>
  /** Sampling parameters of the request. Default: those of the provider. */
  sampling?(sample: CompleteSample<Sample>, profile: Profile): Sampling
  /** Default: the grade of the reader, and what chance and constant answers would score. */
  score?: Suite<Options, CompleteSample<Sample>, QuestionOutcome<Answer>, Profile>['score']
}

/** A benchmark that plays and scores samples itself: conversations, simulated worlds, custom metrics. */
export interface CustomDefinition<
  Options,
  Sample,
  Outcome,
  Profile extends string,
  Args extends Readonly<Record<string, z.ZodObject>>,
> extends CommonDefinition<Options, Sample, Outcome, Profile, Args> {
  play: Suite<Options, CompleteSample<Sample>, Outcome, Profile>['play']
  score: Suite<Options, CompleteSample<Sample>, Outcome, Profile>['score']
  metrics: Readonly<Record<string, Metric>>
  summary: Suite<Options, CompleteSample<Sample>, Outcome, Profile>['summary']
}

/**
 * Defines a benchmark. With `ask`, `read` and `truth` it is a list of questions, and everything else has a default; with
 * `play` and `score` it can do anything.
 *
 * @example
 * import { defineSuite, oneOf, user } from 'sightline/suite'
 *
 * const DIRECTIONS = ['north', 'east', 'south', 'west'] as const
 *
 * export default defineSuite({
 *   name: 'bearings',
 *   version: 1,
 *   *samples({ random }) {
 *     for (let i = 0; i < 100; i++) yield { quarters: random.int(4) }
 *   },
 *   ask: ({ quarters }) => [user`You face north and turn right ${quarters * 90} degrees. Which way do you face?`],
 *   read: oneOf(...DIRECTIONS),
 *   truth: ({ quarters }) => DIRECTIONS[quarters]!,
 * })
 */
export function defineSuite<
  Sample,
  Outcome,
  Options = Readonly<Record<string, never>>,
  const Profile extends string = 'default',
  Args extends Readonly<Record<string, z.ZodObject>> = Record<string, z.ZodObject>,
>(
  definition: CustomDefinition<Options, Sample, Outcome, Profile, Args>,
): Suite<Options, CompleteSample<Sample>, Outcome, Profile>
export function defineSuite<
  Sample,
  Answer,
  Options = Readonly<Record<string, never>>,
  const Profile extends string = 'default',
  Args extends Readonly<Record<string, z.ZodObject>> = Record<string, z.ZodObject>,
>(
  definition: QuestionDefinition<Options, Sample, Answer, Profile, Args>,
): Suite<Options, CompleteSample<Sample>, QuestionOutcome<Answer>, Profile>
export function defineSuite(definition: AnyDefinition): AnySuite {
  const { sources, samples, name, version } = definition
  const definitions: Readonly<Record<string, AnySource>> =
    sources ??
    (samples === undefined ? {} : { builtin: typeof samples === 'function' ? { samples } : { samples: () => samples } })
  return {
    title: name,
    output: 'text',
    options: z.object({}),
    roles: {},
    profiles: ['default'],
    prompts: () => ({}),
    baselines: {},
    events: {},
    schemas: {},
    viewer: {},
    estimate: defaultEstimate,
    ...('ask' in definition ? { ...questionParts(definition), ...definition } : definition),
    sources: Object.fromEntries(
      Object.entries(definitions).map(([source, each]) => [
        source,
        toSource(`${name}-${version}/${source}`, source, each),
      ]),
    ),
  }
}

/** A definition of any type; each is type-checked where it is written. */
// oxlint-disable-next-line typescript/no-explicit-any -- as AnySuite
type AnyDefinition = QuestionDefinition<any, any, any, any, any> | CustomDefinition<any, any, any, any, any>
// oxlint-disable-next-line typescript/no-explicit-any -- as AnySuite
type AnySource = SourceDefinition<any, any, any>

const DEFAULT_ARGS = z.object({ seed: z.int().min(0).optional().describe('seed; default: the seed of the run') })

function toSource(version: string, name: string, definition: AnySource): Source<unknown, SampleBase> {
  const args: z.ZodObject = definition.args ?? DEFAULT_ARGS
  const usage = definition.usage ?? usageOf(name, args)
  return {
    title: definition.title ?? 'built-in',
    usage,
    ...(definition.dataset !== undefined && { dataset: definition.dataset }),
    args,
    open: (request) => definition.open?.(request) ?? openSamples(version, definition, request),
  }
}

/** `builtin:samples=100`: the name with all arguments that have a default. */
function usageOf(name: string, args: z.ZodObject): string {
  const shown = describeSettings(args).flatMap(({ name: key, default: value }) => {
    if (key === 'path') return 'path=PATH'
    return value === '' ? [] : `${key}=${value.replaceAll('"', '')}`
  })
  return shown.length === 0 ? name : `${name}:${shown.join(',')}`
}

async function openSamples(
  version: string,
  definition: AnySource,
  request: SourceRequest<unknown, Readonly<Record<string, unknown>>>,
): Promise<OpenedSource<SampleBase>> {
  if (!definition.samples) throw new TypeError(`The source ${version} has neither "samples" nor "open".`)
  const { args, options, profile, seed } = request
  return {
    // Samples are a function of the suite version and these inputs.
    fingerprint: `${version}/${shortHash({ args, options, profile, seed })}`,
    count: null,
    async *samples() {
      let index = 0
      for await (const sample of (await definition.samples!({
        ...request,
        random: request.random.fork('cases'),
      })) as AsyncIterable<object>) {
        index += 1
        const id = 'id' in sample ? String(sample.id) : String(index).padStart(4, '0')
        yield { cluster: id, labels: {}, ...sample, id }
      }
    },
  }
}

/** A short question and a short answer. */
const BASE_ESTIMATE = { calls: 1, inputTokens: 300, outputTokens: 150 }

/** For suites without an estimate: one question, about as long as the sample. */
function defaultEstimate(sample: SampleBase): EpisodeEstimate {
  const sampleTokens = estimateTextTokens(JSON.stringify(sample).length)
  return { ...BASE_ESTIMATE, inputTokens: BASE_ESTIMATE.inputTokens + sampleTokens }
}

/** A tool whose arguments have the types of its schema. */
export function defineTool<Input extends z.ZodObject>(tool: {
  description: string
  input: Input
  reply(given: z.output<Input>): string
}): SuiteTool {
  return tool
}
