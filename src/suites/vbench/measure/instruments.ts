/** What measures which output, given what the user has: networks, a judge, or nothing. */
import { didYouMean, UserError } from '../../../suite.ts'
import { type Dimension, listed, SAMPLES } from '../domain/dimensions.ts'
import { type FilterKind, type Output, type Tier, TIERS } from '../domain/results.ts'
import { cameraMeasure } from './camera.ts'
import { flickerMeasure } from './flicker.ts'
import { imagingMeasure } from './imaging.ts'
import { motionMeasure } from './motion.ts'
import type { Measure } from './types.ts'

export interface Instruments {
  measures: ReadonlyMap<Output, Measure>
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

/** What needs neither network nor judge. */
export function builtinMeasures(): Measure[] {
  return [flickerMeasure(), motionMeasure(), imagingMeasure(), cameraMeasure()]
}

/**
 * Chooses the best there is for every output, exact before variant before proxy and among equals the first given; and how
 * temporal flickering is filtered. Tiers are never mixed.
 */
export function chooseInstruments(request: InstrumentRequest): Instruments {
  const { dimensions, given, tiers, filter, builtin = builtinMeasures() } = request
  const measures = new Map<Output, Measure>()
  for (const tier of TIERS.filter((each) => tiers.includes(each))) {
    for (const measure of [...given, ...builtin].filter((each) => each.tier === tier)) {
      for (const output of measure.outputs) if (!measures.has(output)) measures.set(output, measure)
    }
  }
  const staticTier = measures.get('static_filter')?.tier ?? 'proxy'
  const kind = filter ?? (staticTier === 'proxy' ? 'flow' : 'raft')
  if (dimensions.includes('temporal_flickering')) {
    const orElse = 'where videos are filtered already.'
    if (kind === 'raft' && staticTier === 'proxy') {
      throw new UserError('The static filter "raft" of temporal flickering needs RAFT among the networks.', {
        hint: `Give it with --models (-T models; role raft), or use the filter flow, or none ${orElse}`,
      })
    }
    if (kind === 'flow' && !tiers.includes('proxy')) {
      const words = 'The static filter of temporal flickering would be a proxy, which the chosen tiers leave out.'
      const hint = `Give RAFT with --models (-T models; role raft), or use the filter none ${orElse}`
      throw new UserError(words, { hint })
    }
  }
  const flow = builtin.find(({ outputs }) => outputs.includes('static_filter'))
  if (kind === 'flow' && flow) measures.set('static_filter', flow)
  return { measures, filter: kind }
}

/** What is measured on a video: those beyond the fifth are there to be filtered for temporal flickering. */
export function outputsOf(
  { index, dimensions }: { index: number; dimensions: readonly Dimension[] },
  { measures, filter }: Instruments,
): Output[] {
  const outputs: Output[] = dimensions.filter(
    (name) => index < SAMPLES || (name === 'temporal_flickering' && filter !== 'none'),
  )
  if (outputs.includes('temporal_flickering') && filter !== 'none') outputs.push('static_filter')
  return outputs.filter((output) => measures.has(output))
}

/** The tiers that an option names; none at all for `none`. */
export function tiersNamed(option: string): readonly Tier[] {
  const names = listed(option)
  if (names.length === 1 && names[0] === 'none') return []
  return names.map((name) => {
    const tier = TIERS.find((each) => each === name)
    if (tier === undefined)
      throw new UserError(`There is no tier "${name}".`, { hint: didYouMean(name, [...TIERS, 'none'], 'Tiers') })
    return tier
  })
}
