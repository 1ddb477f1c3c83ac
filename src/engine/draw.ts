/** `--sample N`: a random draw that is spread over clusters and labels like the whole source. */
import { Random } from '../base/random.ts'
import type { OpenedSource, SampleBase } from './suite.ts'

/** What a draw needs to know of a sample. */
export type Outline = Pick<SampleBase, 'cluster' | 'labels'>

/** Labels with more values than this are names of things, not types. */
export const MAX_TYPES = 50
/** Combinations of labels; the label with the most values is left out until there are at most this many. */
const MAX_STRATA = 1000
/** Outweighs every share: a value that was never drawn comes before one that lags behind. */
const NEVER_DRAWN = 1e9

/** Samples with the same labels. */
interface Stratum {
  labels: readonly string[]
  share: number
  taken: number
  /** Positions of its samples, by cluster, in random order; the clusters that wait longest come first. */
  clusters: { name: string; at: number[] }[]
}

async function outlineOf(source: OpenedSource<SampleBase>): Promise<Outline[]> {
  if (source.outline) return [...source.outline()]
  const outlines: Outline[] = []
  for await (const { cluster, labels } of source.samples()) outlines.push({ cluster, labels })
  return outlines
}

/** Draws from a source. Only the samples that are drawn are made, if the source can make single ones. */
export async function drawFrom(source: OpenedSource<SampleBase>, count: number, seed: number): Promise<number[]> {
  const outlines = await outlineOf(source)
  const isLeftOut = async (at: number): Promise<boolean> => (await source.at?.(at)) === null
  // With a count, no sample is left out.
  return source.outline && source.count === null
    ? drawSamples(outlines, count, seed, isLeftOut)
    : drawSamples(outlines, count, seed)
}

/**
 * Positions of the drawn samples, in order. Every label value is drawn in proportion to its share of the source, at least
 * once if the number allows, and no cluster twice before every other one was drawn, as far as the labels permit. A smaller
 * draw with the same seed is part of a larger one. Another sample is drawn instead of one that is left out.
 */
export async function drawSamples(
  outlines: readonly Outline[],
  count: number,
  seed: number,
  isLeftOut: (at: number) => Promise<boolean> | false = () => false,
): Promise<number[]> {
  const random = new Random(`sample/${seed}`)
  const strata = strataOf(outlines, random)
  const shares = new Map<string, number>()
  for (const { labels, share } of strata) {
    for (const label of labels) shares.set(label, (shares.get(label) ?? 0) + share)
  }
  const taken = new Map<string, number>()
  const byCluster = new Map<string, number>()
  const drawn: number[] = []
  while (drawn.length < count) {
    const next = mostMissed(strata, drawn.length + 1, shares, taken)
    if (!next) break
    const { at, cluster } = takeFrom(next, byCluster)
    if (await isLeftOut(at)) continue
    for (const label of next.labels) taken.set(label, (taken.get(label) ?? 0) + 1)
    byCluster.set(cluster, (byCluster.get(cluster) ?? 0) + 1)
    next.taken += 1
    drawn.push(at)
  }
  return drawn.sort((a, b) => a - b)
}

function strataOf(outlines: readonly Outline[], random: Random): Stratum[] {
  const order = random.shuffle([...outlines.keys()])
  let names = labelNames(outlines)
  const keyOf = (at: number): string[] => names.map((name) => `${name}=${outlines[at]!.labels[name] ?? ''}`)
  while (new Set(order.map((at) => keyOf(at).join('\n'))).size > MAX_STRATA) names = names.slice(0, -1)
  const strata = new Map<string, Stratum & { byName: Map<string, number[]> }>()
  for (const at of order) {
    const labels = keyOf(at)
    const key = labels.join('\n')
    let stratum = strata.get(key)
    if (!stratum) strata.set(key, (stratum = { labels, share: 0, taken: 0, clusters: [], byName: new Map() }))
    stratum.share += 1 / outlines.length
    const { cluster } = outlines[at]!
    const known = stratum.byName.get(cluster)
    if (known) known.push(at)
    else {
      const positions = [at]
      stratum.byName.set(cluster, positions)
      stratum.clusters.push({ name: cluster, at: positions })
    }
  }
  return [...strata.values()]
}

/** Labels that say of which type a sample is, those with the fewest values first. */
function labelNames(outlines: readonly Outline[]): string[] {
  const values = new Map<string, Set<string>>()
  for (const { labels } of outlines) {
    for (const [name, value] of Object.entries(labels)) {
      const seen = values.get(name)
      if (!seen) values.set(name, new Set([value]))
      else if (seen.size <= MAX_TYPES) seen.add(value)
    }
  }
  return [...values]
    .filter(([, { size }]) => size > 1 && size <= MAX_TYPES)
    .sort(([, a], [, b]) => a.size - b.size)
    .map(([name]) => name)
}

/** The stratum whose labels lag furthest behind their share; labels that were never drawn come first. */
function mostMissed(
  strata: readonly Stratum[],
  drawn: number,
  shares: ReadonlyMap<string, number>,
  taken: ReadonlyMap<string, number>,
): Stratum | undefined {
  let best: Stratum | undefined
  let most = -Infinity
  for (const stratum of strata) {
    if (stratum.clusters.length === 0) continue
    let missed = drawn * stratum.share - stratum.taken
    for (const label of stratum.labels) {
      const before = taken.get(label) ?? 0
      missed += drawn * shares.get(label)! - before + (before === 0 ? NEVER_DRAWN : 0)
    }
    if (missed > most) {
      most = missed
      best = stratum
    }
  }
  return best
}

/** Takes a sample of the cluster that was drawn least. */
function takeFrom(stratum: Stratum, byCluster: ReadonlyMap<string, number>): { at: number; cluster: string } {
  let least = 0
  let fewest = Infinity
  for (const [i, { name }] of stratum.clusters.entries()) {
    const count = byCluster.get(name) ?? 0
    if (count >= fewest) continue
    fewest = count
    least = i
    if (count === 0) break
  }
  const [cluster] = stratum.clusters.splice(least, 1)
  const at = cluster!.at.shift()!
  if (cluster!.at.length > 0) stratum.clusters.push(cluster!)
  return { at, cluster: cluster!.name }
}
