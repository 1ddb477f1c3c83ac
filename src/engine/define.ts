/** `defineSuite`: a suite from as little as its author wants to say. What is left out gets the default that is written here. */
import { z } from 'zod'
import type { Metric } from '../report/means.ts'
import type { Message } from '../models/types.ts'
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
  Suite,
  SuiteViewer,
} from './suite.ts'

/** A sample as a source may yield it: without an id it gets its number, without a cluster it stands alone. */
export type Sampled<Sample> = Sample extends SampleBase ? Sample : Sample & SampleBase

type Items<Item> = Iterable<Item> | AsyncIterable<Item>

/** A source as authors write it: `cases` that yields samples, or `open` for full control. */
export interface SourceDefinition<Options, Sample, Args extends z.ZodObject, Profile extends string = string> {
  /** One line for `sightline list`. */
  title?: string
  /** How to spell it. Default: its name with the defaults of its arguments. */
  usage?: string
  args?: Args
  /** Yields the samples in a fixed order, drawn from `random` alone. */
  samples?(request: SourceRequest<Options, z.output<Args>, Profile>): Items<Sample> | Promise<Items<Sample>>
  open?(request: SourceRequest<Options, z.output<Args>, Profile>): Promise<OpenedSource<Sampled<Sample>>>
}

/** A source that is written apart from its suite: gives `cases` and `open` the types of the arguments. */
export function defineSource<Options, Sample, Args extends z.ZodObject, Profile extends string = string>(
  definition: SourceDefinition<Options, Sample, Args, Profile>,
): SourceDefinition<Options, Sample, Args, Profile> {
  return definition
}

type SourceDefinitions<Options, Sample, Args extends Readonly<Record<string, z.ZodObject>>, Profile extends string> = {
  [Name in keyof Args]: SourceDefinition<Options, Sample, Args[Name], Profile>
}

type Given<S, Keys extends keyof S> = Partial<Pick<S, Keys>>

/** What every definition may have. */
interface CommonDefinition<
  Options,
  Sample,
  Outcome,
  Profile extends string,
  Args extends Readonly<Record<string, z.ZodObject>>,
> extends Given<
  Suite<Options, Sampled<Sample>, Outcome, Profile>,
  'output' | 'options' | 'roles' | 'prompts' | 'measure' | 'combine' | 'summary' | 'comparableWith' | 'estimate'
> {
  /** `bearings`, or `family/variant`. */
  name: string
  title?: string
  /** Raised whenever prompts, samples or scores change. */
  version: number
  /** Default: one, `default`. */
  profiles?: readonly [Profile, ...Profile[]]
  metrics?: Readonly<Record<string, Metric>>
  /** The default first. */
  sources?: SourceDefinitions<Options, Sample, Args, Profile>
  /** Short for one source, `builtin`. */
  samples?:
    | readonly Sample[]
    | ((request: SourceRequest<Options, { seed?: number }, Profile>) => Items<Sample> | Promise<Items<Sample>>)
  baselines?: Readonly<Record<string, Baseline<Sampled<Sample>, Options, Profile>>>
  events?: Readonly<Record<string, z.core.$ZodType>>
  schemas?: { sample?: z.ZodType; outcome?: z.ZodType }
  viewer?: SuiteViewer<Options, Sampled<Sample>>
}

/** A benchmark that asks one question per sample. */
export interface QuestionDefinition<
  Options,
  Sample,
  Answer,
  Profile extends string,
  Args extends Readonly<Record<string, z.ZodObject>>,
> extends CommonDefinition<Options, Sample, QuestionOutcome<Answer>, Profile, Args> {
  /** The messages that put the question. */
  ask(
    sample: Sampled<Sample>,
    episode: Episode<Profile>,
    options: Options,
  ): readonly Message[] | Promise<readonly Message[]>
  /** How an answer is read out of a reply; a function where it depends on the sample. */
  read: Reader<Answer> | ((sample: Sampled<Sample>) => Reader<Answer>)
  truth(sample: Sampled<Sample>): NoInfer<Answer>
  score?: Suite<Options, Sampled<Sample>, QuestionOutcome<Answer>, Profile>['score']
}

/** A benchmark with a conversation, a world or metrics of its own. */
export interface PlayedDefinition<
  Options,
  Sample,
  Outcome,
  Profile extends string,
  Args extends Readonly<Record<string, z.ZodObject>>,
> extends CommonDefinition<Options, Sample, Outcome, Profile, Args> {
  play: Suite<Options, Sampled<Sample>, Outcome, Profile>['play']
  score: Suite<Options, Sampled<Sample>, Outcome, Profile>['score']
  metrics: Readonly<Record<string, Metric>>
  summary: Suite<Options, Sampled<Sample>, Outcome, Profile>['summary']
}

/**
 * Makes a suite.
 *
 * @example
 * export default defineSuite({
 *   name: 'bearings',
 *   version: 1,
 *   cases: function* ({ random }) {
 *     for (let i = 0; i < 100; i++) yield rateLimiter(random.fork(String(i)))
 *   },
 *   ask: (sample) => [user`You face north. You turn ${sample.rateLimiter}. Which way do you face now?`],
 *   read: oneOf('north', 'east', 'south', 'west'),
 *   truth: (sample) => sample.answer,
 * })
 */
export function defineSuite<
  Sample,
  Outcome,
  Options = Readonly<Record<string, never>>,
  const Profile extends string = 'default',
  Args extends Readonly<Record<string, z.ZodObject>> = Record<string, z.ZodObject>,
>(
  definition: PlayedDefinition<Options, Sample, Outcome, Profile, Args>,
): Suite<Options, Sampled<Sample>, Outcome, Profile>
export function defineSuite<
  Sample,
  Answer,
  Options = Readonly<Record<string, never>>,
  const Profile extends string = 'default',
  Args extends Readonly<Record<string, z.ZodObject>> = Record<string, z.ZodObject>,
>(
  definition: QuestionDefinition<Options, Sample, Answer, Profile, Args>,
): Suite<Options, Sampled<Sample>, QuestionOutcome<Answer>, Profile>
export function defineSuite(definition: AnyDefinition): AnySuite {
  const { sources, samples, name, version } = definition
  const given: Readonly<Record<string, AnySource>> =
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
    estimate: roughly,
    ...('ask' in definition ? { ...questionParts(definition), ...definition } : definition),
    sources: Object.fromEntries(
      Object.entries(given).map(([source, each]) => [source, sourceOf(`${name}-${version}/${source}`, source, each)]),
    ),
  }
}

/** Definitions of all types; what makes each of them right is checked where it is written. */
// oxlint-disable-next-line typescript/no-explicit-any -- as AnySuite
type AnyDefinition = QuestionDefinition<any, any, any, any, any> | PlayedDefinition<any, any, any, any, any>
// oxlint-disable-next-line typescript/no-explicit-any -- as AnySuite
type AnySource = SourceDefinition<any, any, any>

const WITH_SEED = z.object({ seed: z.int().min(0).optional().describe('seed; default: the seed of the run') })

function sourceOf(version: string, name: string, definition: AnySource): Source<unknown, SampleBase> {
  const args: z.ZodObject = definition.args ?? WITH_SEED
  const usage = definition.usage ?? usageOf(name, args)
  return {
    title: definition.title ?? 'built in',
    usage,
    args,
    open: (request) => definition.open?.(request) ?? openSamples(version, definition, request),
  }
}

/** `builtin:samples=100`: the arguments that have a default. */
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
    // What a function draws is known by what it gets; a list is its own fingerprint.
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

/** Tokens of a short question and a short answer. */
const ROUGHLY = { calls: 1, inputTokens: 300, outputTokens: 150 }
const CHARACTERS_PER_TOKEN = 4

/** For suites that do not say: one question, as long as its sample. */
function roughly(sample: SampleBase): EpisodeEstimate {
  const own = Math.ceil(JSON.stringify(sample).length / CHARACTERS_PER_TOKEN)
  return { ...ROUGHLY, inputTokens: ROUGHLY.inputTokens + own }
}
