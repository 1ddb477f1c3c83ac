/** The stage after play: dimensions, the static filter and pictures of a video, each with what measures it. */
import { decodeImage, type Instrument, type MeasureStage, type OpenedInstruments, UserError } from '../../suite.ts'
import type { VbenchSample } from './samples/source.ts'
import { ALL_DIMENSIONS, type Dimension, DIMENSION_FACTS, dimensionsNamed, listed } from './domain/dimensions.ts'
import { imageFile, readImage } from './samples/images.ts'
import type { VbenchOutcome } from './domain/outcome.ts'
import type { Output } from './domain/results.ts'
import { decodeSlots } from './domain/semaphore.ts'
import { builtinMeasures, chooseInstruments, type Instruments, outputsOf, tiersNamed } from './measure/instruments.ts'
import { clipSeconds } from './measure/long/clips.ts'
import { inClips } from './measure/long/in-clips.ts'
import { judgeMeasure } from './measure/judge.ts'
import { judge2Measure } from './measure/judge2.ts'
import { pictureMeasure } from './measure/strips.ts'
import type { Measure, MeterContext } from './measure/types.ts'
import { measureVideo } from './measure/watch.ts'
import type { VbenchOptions } from './options.ts'

export const measure: MeasureStage<VbenchOptions, VbenchSample, VbenchOutcome> = {
  options: ['models', 'device', 'tier', 'staticFilter', 'pictures'],
  async open(options) {
    const notes: string[] = []
    return openedWith(options, await networksFor(options, notes), notes)
  },
}

async function networksFor(options: VbenchOptions, notes: string[]): Promise<Measure[]> {
  if (options.models === undefined) return []
  const { openNetworks } = await import('./measure/open-networks.ts')
  const outputs = new Set<Output>(dimensionsNamed(listed(options.dimension), ALL_DIMENSIONS))
  if (outputs.has('temporal_flickering') && options.staticFilter !== 'none') outputs.add('static_filter')
  const request = { outputs, device: options.device, long: options.long, log: (note: string) => void notes.push(note) }
  return openNetworks(options.models, request)
}

/**
 * The same, with the published evaluator for all of these dimensions that nothing else measures exactly. No option of a run: what a
 * run records may come from someone else, and names no program to start.
 */
export function measureWithPublished(python: string, dimensions: readonly Dimension[]): typeof measure {
  return {
    ...measure,
    async open(options) {
      if (options.long) {
        throw new UserError('The published evaluator of short videos cannot measure VBench-Long.', {
          hint: 'Run vbench2_beta_long/eval_long.py yourself, and combine its results with `sightline vbench total`.',
        })
      }
      const notes: string[] = []
      const networks = await networksFor(options, notes)
      const exact = new Set(
        [...networks, ...builtinMeasures()].filter(({ tier }) => tier === 'exact').flatMap(({ outputs }) => outputs),
      )
      const left = dimensions.filter((name) => !exact.has(name) && DIMENSION_FACTS[name].kind !== 'vbench2')
      const { publishedMeasures } = await import('./measure/with-published.ts')
      return openedWith(options, [...networks, ...(await publishedMeasures(python, left))], notes)
    },
  }
}

/** @param networks what measures besides what is built in */
export function openedWith(
  options: VbenchOptions,
  networks: readonly Measure[],
  notes: readonly string[] = [],
): OpenedInstruments<VbenchSample, VbenchOutcome> {
  const tiers = tiersNamed(options.tier)
  if (tiers.length === 0) return { all: [], wanted: () => [], measure: () => Promise.resolve({}) }
  const adapted = (measures: readonly Measure[]) =>
    options.long ? measures.map((each) => inClips(each, ({ prompt }) => secondsFor(prompt))) : measures
  const builtin = adapted(builtinMeasures())
  const choose = (given: readonly Measure[]): Instruments =>
    chooseInstruments({
      dimensions: dimensionsNamed(listed(options.dimension), ALL_DIMENSIONS),
      given,
      tiers,
      builtin,
      filter: options.staticFilter === 'auto' ? undefined : options.staticFilter,
    })
  const pictures = options.pictures ? [pictureMeasure()] : []
  const drawn = new Map<Output, Measure>(pictures.map((each) => ['pictures', each]))
  const [judged, alone] = [choose(adapted([...networks, judgeMeasure(), judge2Measure()])), choose(adapted(networks))]
  const suffix = options.long && options.sceneCuts ? '/scenes' : ''
  const named = ([output, { version }]: readonly [Output, Measure]): Instrument => ({
    name: output,
    version: output === 'pictures' ? version : version + suffix,
  })
  return {
    notes,
    all: [...judged.measures, ...drawn].map(named),
    wanted(sample, { media, clip }, has) {
      if (media === null || clip === null) return []
      const chosen = has('judge') ? judged : alone
      const outputs = outputsOf(sample, chosen)
      return [...outputs.map((output) => [output, chosen.measures.get(output)!] as const), ...drawn].map(named)
    },
    measure(sample, { media }, instruments, episode) {
      const measures = new Map([...(episode.has('judge') ? judged : alone).measures, ...drawn])
      const names = new Set(instruments.map(({ name }) => name))
      const wanted = new Map([...measures].filter(([output]) => names.has(output)))
      const { signal } = episode
      return decodeSlots.run(() =>
        measureVideo(
          {
            path: episode.fileOf(media!),
            prompt: sample,
            episode,
            signal,
            ...imageOf(sample, options),
            sceneCuts: options.long && options.sceneCuts,
          },
          wanted,
        ),
      )
    },
  }
}

function secondsFor({ labels, dimensions = [] }: MeterContext['prompt']): number {
  return clipSeconds(labels?.list ?? 'custom', dimensions)
}

function imageOf({ facts }: VbenchSample, options: VbenchOptions): Pick<MeterContext, 'image' | 'imagePath'> {
  const imagePath = imageFile(facts, options)
  return imagePath === null ? {} : { imagePath, image: async () => decodeImage(await readImage(imagePath)) }
}
