/**
 * Makes training data from generated samples: good players play them, and their conversations are written in files. Only
 * training seeds are played. A file is written at once or not at all, so a maker that is killed continues where the last
 * file ends, without doubles.
 */
import { availableParallelism } from 'node:os'
import { UserError } from '../base/errors.ts'
import { Thread } from '../base/thread.ts'
import { defaultSource, openSource, parseSource } from '../engine/source.ts'
import { TRAINING_SEEDS, withSeed } from '../engine/split.ts'
import type { AnySuite, OpenedSource, SampleBase } from '../engine/suite.ts'
import { profileOf } from '../engine/plan.ts'
import { checkCanPlaySource } from '../engine/players.ts'
import { suiteOptions } from '../engine/options.ts'
import { rememberedSettings } from '../media/sharp.ts'
import { Balance } from './balance.ts'
import { type DatasetSettings, DatasetFolder } from './dataset-folder.ts'
import type { Example } from './formats/example.ts'
import type { DataFormat } from './formats/names.ts'
import { REPLIES_VERSION } from './play.ts'

export interface ImageSettings {
  type: 'jpeg' | 'png'
  /** Of JPEG, 1 to 100. */
  quality: number
  /** Larger pictures are made smaller; null: as the model under test sees them. */
  maxSide: number | null
}

export interface MakeRequest {
  suite: AnySuite
  /** Where threads load the suite from; null for built-in ones. */
  loadFrom: string | null
  options?: Readonly<Record<string, unknown>>
  profile?: string | undefined
  source?: string | undefined
  /** A baseline: `baseline/oracle`. */
  player: string
  /** A worse one, for pairs of a better and a worse reply. */
  rejected: string | null
  /** How many examples to make. */
  examples: number
  /** As many of each type and level as of the others, within a quarter. */
  isBalanced: boolean
  reasons: boolean
  images: ImageSettings
  format: DataFormat
  folder: string
  version: string
  signal: AbortSignal
  onProgress(made: { examples: number; pictures: number }): void
  /** Default: one per core. */
  threads?: number
  /** Examples per file, at most. Default 500. */
  fileExamples?: number
}

export interface MadeData {
  examples: number
  pictures: number
  /** There are no more: the source gives no others. */
  isExhausted: boolean
}

/** `workerData` of the threads. */
export interface ThreadSettings {
  suite: string
  from: string | null
  options: Readonly<Record<string, unknown>>
  profile: string
  seed: number
  roots: Readonly<Record<string, string>>
  reasons: boolean
  images: ImageSettings
  player: string
  rejected: string | null
}

export interface MadeExamples {
  examples: readonly Example[]
  /** Bytes of all pictures, by hash. */
  media: readonly (readonly [hash: string, bytes: Uint8Array])[]
}

/** Examples of a batch, and how many samples of each kind were taken up to it. */
type Made = MadeExamples & { taken: Readonly<Record<string, number>> }

/** Samples of one scene: themselves, or where a thread finds them. */
type Batch = { samples: readonly SampleBase[] } | { seed: number; positions: readonly number[] }

export interface ThreadWork {
  /** The samples at positions of a source that makes them one by one. */
  draw(given: { source: string; seed: number; positions: readonly number[] }): Promise<SampleBase[]>
  make(given: { samples: readonly SampleBase[] }): Promise<MadeExamples>
}

/** Samples of a scene go to a thread together, so that it is built and drawn once. */
const MAX_BATCH = 64
/** Batches that a thread has at once: while pictures of one are encoded, the next is drawn. */
const PER_THREAD = 2
/** Batches per thread that are running or wait to be written. Scenes differ in how long they take, and are written in order. */
const AHEAD = 16
/** Building a scene leaves much behind that is soon forgotten: with more room, it is collected less often. */
const YOUNG_MB = 96
/** Seeds without a new example after which there are no more. */
const MAX_BARREN_SEEDS = 3

export async function makeData(request: MakeRequest): Promise<MadeData> {
  const { suite, format, folder, isBalanced, examples: wanted, signal } = request
  const settings = settingsOf(request)
  const { options, profile } = settings
  checkCanPlaySource(suite, request.player, settings.source)
  if (request.rejected !== null) checkCanPlaySource(suite, request.rejected, settings.source)
  const start = { seed: Number(parseSource(settings.source).args['seed']), index: 0, taken: {} }
  const restoreSettings = rememberedSettings()
  const dataset = await DatasetFolder.open(folder, format, settings, start, request.fileExamples)
  const balance = new Balance(dataset.next.taken)
  let { seed, index } = dataset.next
  const first = await openSeed(seed).catch(async (error: unknown) => {
    await dataset.close()
    throw error
  })
  const threads = Array.from(
    { length: request.threads ?? availableParallelism() },
    () =>
      new Thread<ThreadWork>('./thread', import.meta.url, {
        title: 'the data thread',
        handlers: {},
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
        data: {
          suite: suite.name,
          from: request.loadFrom,
          options,
          profile,
          seed: 0,
          roots: first.roots ?? {},
          reasons: request.reasons,
          images: request.images,
          player: request.player,
          rejected: request.rejected,
        } satisfies ThreadSettings,
      }),
  )
  /** A scene takes seconds: what is being made when the maker is stopped is dropped, and made again later. */
  const aborted = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true })
  })
  /** The last seed that gave something new. */
  let fruitful = seed
  let settled = seed
  const load = new Map(threads.map((thread) => [thread, new Set<Promise<unknown>>()]))
  try {
    const pending: { made: Promise<Made>; next: { seed: number; index: number }; isMade: boolean }[] = []
    const isOver = (): boolean => signal.aborted || dataset.examples >= wanted
    const settle = async (): Promise<void> => {
      const { made, next } = pending[0]!
      const finished = await Promise.race([made, aborted])
      if (finished === null) return
      pending.shift()
      const { examples, media, taken } = finished
      const added = await dataset.add(examples, new Map(media), { ...next, taken }, wanted)
      settled = next.seed
      if (added > 0) fruitful = next.seed
      request.onProgress({ examples: dataset.examples, pictures: dataset.pictures })
    }
    /** What is taken of a batch depends on those before it. */
    let chosen: Promise<unknown> = Promise.resolve()
    for await (const { batch, next } of batches(first)) {
      const thread = await freeThread()
      while (!isOver() && (pending[0]?.isMade === true || pending.length >= AHEAD * threads.length)) await settle()
      if (isOver() || isBarren()) break
      const drawn = 'samples' in batch ? batch.samples : thread.call('draw', { ...batch, source: sourceOf(batch.seed) })
      const kept = Promise.all([drawn, chosen]).then(([samples]) => ({
        samples: isBalanced ? samples.filter((sample) => balance.takes(sample.labels)) : samples,
        taken: balance.taken,
      }))
      chosen = kept
      const made = kept.then(async ({ samples, taken }) => ({
        ...(samples.length === 0 ? { examples: [], media: [] } : await thread.call('make', { samples })),
        taken,
      }))
      const entry = { made, next, isMade: false }
      const running = load.get(thread)!
      // Awaited in order: a failure neither counts as unhandled before, nor comes before the batches that are ahead of it.
      const done: Promise<unknown> = made
        .catch(() => {})
        .finally(() => {
          running.delete(done)
          entry.isMade = true
        })
      running.add(done)
      pending.push(entry)
    }
    while (pending.length > 0 && !isOver()) await settle()
    await dataset.finish(request.version, request.loadFrom === null)
    signal.throwIfAborted()
    return { examples: dataset.examples, pictures: dataset.pictures, isExhausted: dataset.examples < wanted }
  } finally {
    await Promise.all(threads.map((thread) => thread.close()))
    restoreSettings()
    await dataset.close()
  }

  /** The thread with the fewest batches, as soon as one has room for another. */
  async function freeThread(): Promise<Thread<ThreadWork>> {
    for (;;) {
      const [thread, running] = [...load].reduce((a, b) => (b[1].size < a[1].size ? b : a))
      if (running.size < PER_THREAD || signal.aborted) return thread
      await Promise.race([...[...load.values()].flatMap((each) => [...each]), aborted])
    }
  }

  function sourceOf(number: number): string {
    return withSeed(suite, settings.source, number)!
  }

  function openSeed(number: number): Promise<OpenedSource<SampleBase>> {
    return openSource(suite, sourceOf(number), options, { seed: number, profile })
  }

  /** Counted over what is made: seeds that are still being made may give something. */
  function isBarren(): boolean {
    return settled - fruitful > MAX_BARREN_SEEDS
  }

  /** Samples of the same scene, from where the last file ended, seed after seed. */
  async function* batches(opened: OpenedSource<SampleBase>) {
    let empty = 0
    for (let source = opened; !isBarren() && empty <= MAX_BARREN_SEEDS; source = await openSeed(seed)) {
      const isOutlined = source.at !== undefined && source.outline !== undefined
      let cluster: string | null = null
      let [samples, positions]: [SampleBase[], number[]] = [[], []]
      const batch = (): Batch => (isOutlined ? { seed, positions } : { samples })
      for await (const { of, position } of listed(source, index)) {
        if (positions.length > 0 && (cluster !== of.cluster || positions.length === MAX_BATCH)) {
          yield { batch: batch(), next: { seed, index } }
          ;[samples, positions] = [[], []]
        }
        cluster = of.cluster
        index = position + 1
        positions.push(position)
        if ('id' in of) samples.push(of)
      }
      const last = batch()
      seed += 1
      index = 0
      empty = positions.length > 0 ? 0 : empty + 1
      if (positions.length > 0) yield { batch: last, next: { seed, index } }
    }
  }
}

/** The samples of a source, or their outline if they take long to make. */
async function* listed(
  source: OpenedSource<SampleBase>,
  from: number,
): AsyncGenerator<{ of: SampleBase | Pick<SampleBase, 'cluster'>; position: number }> {
  let position = 0
  for await (const of of source.at && source.outline ? source.outline() : source.samples()) {
    if (position >= from) yield { of, position }
    position += 1
  }
}

/** What decides which examples are made; a folder holds examples of one kind. */
function settingsOf(request: MakeRequest): DatasetSettings {
  const { suite, player, rejected, isBalanced, reasons, images, format } = request
  if (suite.output !== 'text') throw new UserError(`${suite.name} makes no training data: its players generate videos.`)
  const source = trainingSource(suite, request.source ?? defaultSource(suite))
  return {
    suite: suite.name,
    suiteVersion: suite.version,
    options: suiteOptions(suite, request.options ?? {}),
    profile: profileOf(suite, request.profile),
    source,
    player,
    rejected,
    isBalanced,
    reasons,
    repliesVersion: REPLIES_VERSION,
    images,
    format,
  }
}

/** The source with its first training seed. Samples that are not generated may be what models are tested on. */
function trainingSource(suite: AnySuite, text: string): string {
  const { seed } = parseSource(text).args
  const first = seed === undefined ? TRAINING_SEEDS : Number(seed)
  if (!Number.isSafeInteger(first)) throw new UserError(`Invalid source ${text}: its seed is not a whole number.`)
  const source = withSeed(suite, text, first)
  if (source === null) {
    throw new UserError(`No training data from "${text}" of ${suite.name}: its samples are fixed, and for tests.`, {
      hint: 'Use a source that takes a seed, such as builtin.',
    })
  }
  if (first < TRAINING_SEEDS) throw new UserError(`${seed} is a test seed; training seeds start at ${TRAINING_SEEDS}.`)
  return source
}
