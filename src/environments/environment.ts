/**
 * A suite as an environment for training: the same samples, prompts, parsers and scores as in a run, with a client that
 * takes the place of the model. Every reset plays an episode of its own.
 */
import { UserError } from '../base/errors.ts'
import { LruCache } from '../base/lru-cache.ts'
import { IndexedSamples } from '../engine/indexed-samples.ts'
import { parseLiteral } from '../engine/options.ts'
import { planRun, type RunPlan } from '../engine/plan.ts'
import { defaultSource, parseSource } from '../engine/source.ts'
import { TRAINING_SEEDS, withSeed } from '../engine/split.ts'
import type { AnySuite, EpisodeEvent, OpenedInstruments, SampleBase } from '../engine/suite.ts'
import type { EpisodeLine } from '../store/records.ts'
import { rewardOf } from '../training/reward.ts'
import type { Reward } from '../training/rewards.ts'

export interface EnvironmentRequest {
  suite: AnySuite
  options?: Readonly<Record<string, unknown>>
  profile?: string | undefined
  /** Default: the first source of the suite. */
  source?: string | undefined
  /** Serve the samples of test seeds, which runs report on. */
  test?: boolean
  /** What the end of an episode is worth. Default: its score. */
  reward?: Reward | undefined
  /** Also reward each step for the progress that the suite sees in it. */
  isDense?: boolean
}

/** Opened draws of samples; each belongs to a seed. */
const OPEN_DRAWS = 4

interface Draw {
  plan: RunPlan
  samples: IndexedSamples
}

export class Environment {
  readonly suite: AnySuite
  readonly profile: string
  readonly #request: EnvironmentRequest
  readonly #source: string
  /** Numbers of a draw. The next seed has as many others, or about as many: then some are played twice, or left out. */
  readonly #perDraw: number
  readonly #draws = new LruCache<Promise<Draw>>(OPEN_DRAWS)
  /** What measures an episode; undefined if the suite has no measure stage. */
  readonly instruments: OpenedInstruments<unknown, unknown> | undefined

  private constructor(
    request: EnvironmentRequest,
    source: string,
    first: RunPlan,
    instruments: OpenedInstruments<unknown, unknown> | undefined,
  ) {
    this.suite = request.suite
    this.profile = first.header.profile
    this.#request = request
    this.#source = source
    this.instruments = instruments
    this.#perDraw = first.header.planned
    this.#draws.set('0', Promise.resolve({ plan: first, samples: new IndexedSamples(first.source) }))
  }

  static async open(request: EnvironmentRequest): Promise<Environment> {
    const { suite } = request
    if (request.isDense === true && suite.progress === undefined)
      throw new UserError(`${suite.name} rewards only the end of an episode: leave out --dense.`)
    const source = request.source ?? defaultSource(suite)
    checkSeed(request, source)
    const first = await planOf(request, source, 0)
    return new Environment(request, source, first, await suite.measure?.open(first.options))
  }

  /** Where the samples of the first draw come from. */
  get source(): string {
    return sourceOf(this.#request, this.#source, 0)
  }

  /** Which seeds are played. */
  get split(): 'train' | 'test' {
    return this.#request.test === true ? 'test' : 'train'
  }

  /** Samples of the first draw. Those of sources with a seed go on after them. */
  get size(): number {
    return this.#perDraw
  }

  /** The sample with a number. Numbers go on forever if the source has a seed; other sources start again. */
  async sample(number: number): Promise<{ plan: RunPlan; sample: SampleBase; index: number }> {
    const draw = this.isFixed ? 0 : Math.floor(number / this.#perDraw)
    const { plan, samples } = await this.#draw(draw)
    const index = (number % this.#perDraw) % plan.header.planned
    const sample = (plan.source.count === null ? null : await plan.source.at?.(index)) ?? (await samples.at(index))
    if (sample === null) throw new UserError(`${this.suite.name} has no sample ${index} in ${plan.header.source}.`)
    return { plan, sample, index }
  }

  #draw(number: number): Promise<Draw> {
    return this.#draws.getOrCreate(String(number), async () => {
      const plan = await planOf(this.#request, this.#source, number)
      return { plan, samples: new IndexedSamples(plan.source) }
    })
  }

  /** What the end of an episode is worth. */
  reward(line: Omit<EpisodeLine, 'events'>, { header }: RunPlan): number {
    return rewardOf(this.suite, line, header, this.#request.reward)
  }

  /** How far an event shows the player to be, 0 to 1; null if it says nothing, or if only the end counts. */
  progress(event: EpisodeEvent, sample: SampleBase): number | null {
    return this.#request.isDense === true ? (this.suite.progress?.(event, sample) ?? null) : null
  }

  /** Whether the samples are rows of a table or a published dataset, which models may be tested on. */
  get isFixed(): boolean {
    return withSeed(this.suite, this.#source, 0) === null
  }
}

function sourceOf(request: EnvironmentRequest, source: string, draw: number): string {
  const { suite, test } = request
  const first = firstSeed(request, source)
  if (first === null) return source
  const seed = first + draw
  // Tests start again where training begins.
  return withSeed(suite, source, test === true ? seed % TRAINING_SEEDS : seed) ?? source
}

/** Null if the seed in the source is invalid: the suite refuses it. */
function firstSeed({ test }: EnvironmentRequest, source: string): number | null {
  const seed = parseLiteral(parseSource(source).args['seed'] ?? (test === true ? 0 : TRAINING_SEEDS))
  return typeof seed === 'number' && Number.isSafeInteger(seed) ? seed : null
}

/** The seed of a source is where its samples start. */
function checkSeed(request: EnvironmentRequest, source: string): void {
  const { suite, test } = request
  const seed = firstSeed(request, source)
  if (withSeed(suite, source, 0) === null || seed === null) return
  const isForTraining = seed >= TRAINING_SEEDS
  if (isForTraining === (test === true)) {
    const hint = test === true ? 'Leave out --test.' : 'Use --test, or leave out the seed.'
    throw new UserError(`Seed ${seed} is for ${isForTraining ? 'training' : 'tests'}.`, { hint })
  }
}

function planOf(request: EnvironmentRequest, source: string, draw: number): Promise<RunPlan> {
  const { suite, options, profile } = request
  return planRun({
    suite,
    options,
    profile,
    source: sourceOf(request, source, draw),
    models: { player: 'client/environment' },
  })
}
