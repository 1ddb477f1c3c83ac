/** What measures the videos of a run: opened once, whatever number of videos go through. */
import { UserError } from '../../../base/errors.ts'
import { didYouMean } from '../../../base/nearest.ts'
import { listed } from '../cases/source.ts'
import { type Dimension, SAMPLES } from '../domain/dimensions.ts'
import type { VbenchOptions } from '../options.ts'
import { builtinMeasures, type Chosen, chooseMeasures } from './choose.ts'
import type { FilterKind } from '../score/aggregate.ts'
import { motionMeasure } from './motion.ts'
import { type Measure, type Output, type Tier, TIERS } from './types.ts'

export interface Instruments extends Chosen {
  filter: FilterKind
}

export interface InstrumentRequest {
  dimensions: readonly Dimension[]
  /** Networks and judges, besides what is built in. */
  given: readonly Measure[]
  tiers: readonly Tier[]
  filter?: FilterKind | undefined
  builtin?: readonly Measure[]
}

/** Chooses what measures each dimension, and how temporal flickering is filtered. Tiers are never mixed. */
export function chooseInstruments({ dimensions, given, tiers, filter, builtin }: InstrumentRequest): Instruments {
  const { measures, reasons } = chooseMeasures(given, tiers, builtin)
  const staticTier = measures.get('static_filter')?.tier ?? null
  const kind = filter ?? ((staticTier ?? 'proxy') === 'proxy' ? 'flow' : 'raft')
  if (dimensions.includes('temporal_flickering')) {
    if (kind === 'raft' && (staticTier === null || staticTier === 'proxy')) {
      throw new UserError('The static filter "raft" of temporal flickering needs RAFT among the networks.', {
        hint: 'Give it with --models (-T models; role raft), or use the filter flow, or none where videos are filtered already.',
      })
    }
    if (kind === 'flow' && !tiers.includes('proxy')) {
      throw new UserError(
        'The static filter of temporal flickering would be a proxy, which the chosen tiers leave out.',
        {
          hint: 'Give RAFT with --models (-T models; role raft), or use the filter none where videos are filtered already.',
        },
      )
    }
  }
  if (kind === 'flow' && staticTier !== 'proxy') {
    measures.set('static_filter', builtin?.find(({ outputs }) => outputs.includes('static_filter')) ?? motionMeasure())
  }
  return { measures, reasons, filter: kind }
}

/** What is measured on a video: videos beyond the fifth are there for temporal flickering alone. */
export function outputsOf(
  video: { index: number; dimensions: readonly Dimension[] },
  wanted: readonly Dimension[],
  filter: FilterKind,
): Output[] {
  const outputs: Output[] = [
    'clip',
    ...video.dimensions.filter(
      (name) => wanted.includes(name) && (video.index < SAMPLES || name === 'temporal_flickering'),
    ),
  ]
  if (outputs.includes('temporal_flickering') && filter !== 'none') outputs.push('static_filter')
  return outputs
}

export function tiersNamed(names: readonly string[]): readonly Tier[] {
  if (names.length === 0) return TIERS
  return names.map((name) => {
    const tier = TIERS.find((each) => each === name)
    if (tier === undefined)
      throw new UserError(`There is no tier "${name}".`, { hint: didYouMean(name, TIERS, 'Tiers') })
    return tier
  })
}

const networks = new Map<string, Promise<Measure[]>>()
let builtin: readonly Measure[] | null = null

/** For one episode of a run: networks and kernels are shared by all of them, a judge belongs to the episode. */
export async function runInstruments(
  options: VbenchOptions,
  dimensions: readonly Dimension[],
  more: readonly Measure[],
): Promise<Instruments> {
  builtin ??= builtinMeasures()
  const given: Measure[] = [...more]
  if (options.models !== undefined) {
    let opened = networks.get(options.models)
    if (!opened) {
      const { openNetworks } = await import('./networks/open.ts')
      networks.set(options.models, (opened = openNetworks(options.models, () => {})))
    }
    given.unshift(...(await opened))
  }
  return chooseInstruments({
    dimensions,
    given,
    tiers: tiersNamed(listed(options.tier)),
    filter: options.staticFilter === 'auto' ? undefined : options.staticFilter,
    builtin,
  })
}
