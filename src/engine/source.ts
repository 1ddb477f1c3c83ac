import { UserError } from '../base/errors.ts'
import { flatMap, type Items } from '../base/items.ts'
import { didYouMean } from '../base/nearest.ts'
import { Random } from '../base/random.ts'
import { readSettings } from './options.ts'
import type { AnySuite, OpenedSource, SampleBase } from './suite.ts'

/** A parsed `--source`: `builtin:seed=7`, `vsi-bench:/data/vsi`. */
export interface SourceSpec {
  name: string
  /** The part after the colon: `key=value,key=value`, or a path or URL as `path`. */
  args: Readonly<Record<string, string>>
}

/**
 * Parses `--source`: `name`, `name:key=value,key=value` or `name:/some/path`.
 *
 * @example
 * parseSource('builtin:seed=7,scenes=20') // { name: 'builtin', args: { seed: '7', scenes: '20' } }
 * parseSource('vsi-bench:/data/vsi') // { name: 'vsi-bench', args: { path: '/data/vsi' } }
 */
export function parseSource(text: string): SourceSpec {
  const colon = text.indexOf(':')
  if (colon < 0) return { name: text, args: {} }
  const name = text.slice(0, colon)
  const rest = text.slice(colon + 1)
  const pairs = rest.split(',').map((piece) => piece.trim())
  if (!pairs.every((pair) => /^[\w-]+=/.test(pair))) return { name, args: { path: rest } }
  const args = Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
  return { name, args }
}

/** The source to use if none is given: the first one of the suite. */
export function defaultSource(suite: AnySuite): string {
  return Object.keys(suite.sources)[0] ?? 'none'
}

/** Parses a source, validates its arguments and opens it. */
export async function openSource(
  suite: AnySuite,
  text: string,
  options: unknown,
  run: { seed: number; profile: string },
): Promise<OpenedSource<SampleBase>> {
  const { name, args: given } = parseSource(text)
  const source = Object.hasOwn(suite.sources, name) ? suite.sources[name] : undefined
  if (!source) {
    throw new UserError(`${suite.name} has no source "${name}".`, {
      hint: didYouMean(name, Object.keys(suite.sources), 'Sources'),
    })
  }
  const args = readSettings(source.args, given, {
    unknownKey: `Source ${name} of ${suite.name} has no argument`,
    invalid: `Invalid source ${text}`,
    known: 'Arguments',
    hint: `Usage: ${source.usage}`,
  }) as Readonly<Record<string, unknown>>
  const seed = typeof args['seed'] === 'number' ? args['seed'] : run.seed
  const random = new Random(`${suite.name}/${name}/${seed}`)
  return source.open({ args, options, seed, random, profile: run.profile })
}

/** The samples of a source that are played. */
export interface Selection {
  /** Zero-based half-open range, from `--limit N` or `--limit a-b`. */
  from: number
  to: number
  ids: ReadonlySet<string> | null
  /** Positions drawn with `--sample N`, in order. */
  drawn?: readonly number[]
}

/** Parses `--limit`: `20` selects the first 20 samples, `21-40` selects samples 21 to 40, counted from 1, inclusive. */
export function parseLimit(limit: string | null): { from: number; to: number } {
  if (limit === null) return { from: 0, to: Infinity }
  const match = /^(\d+)(?:-(\d+))?$/.exec(limit.trim())
  const first = Number(match?.[1])
  const second = match?.[2] === undefined ? undefined : Number(match[2])
  if (!match || first < 1 || (second !== undefined && second < first)) {
    throw new UserError(`--limit must be a number like 20 or a range like 21-40, not "${limit}".`)
  }
  return second === undefined ? { from: 0, to: first } : { from: first - 1, to: second }
}

export interface IndexedSample {
  index: number
  sample: SampleBase
}

/** The selected samples, in the order of the source. */
export function selectedSamples(source: OpenedSource<SampleBase>, selection: Selection): Items<IndexedSample> {
  return selection.drawn ? samplesAt(source, selection.drawn) : samplesWithin(source, selection)
}

function samplesWithin(source: OpenedSource<SampleBase>, { from, to, ids }: Selection): Items<IndexedSample> {
  let next = 0
  let missing = ids?.size
  return flatMap(source.samples(), (sample) => {
    const index = next++
    if (index >= to || missing === 0) return null
    if (ids) {
      if (!ids.has(sample.id)) return []
      missing! -= 1
    }
    return index >= from ? [{ index, sample }] : []
  })
}

/** Samples that are looked through for more of a cluster: enough for a published dataset, few enough for memory. */
const WINDOW = 8192

/**
 * The selected samples in the order in which they are played: those of a cluster follow each other, because model servers
 * cache media that they have seen, and each is decoded once. The order changes no result.
 */
export function playedSamples(source: OpenedSource<SampleBase>, selection: Selection): Items<IndexedSample> {
  const selected = selectedSamples(source, selection)
  return source.isScattered ? byCluster(selected) : selected
}

async function* byCluster(samples: Items<IndexedSample>): AsyncGenerator<IndexedSample> {
  let clusters = new Map<string, IndexedSample[]>()
  let held = 0
  for await (const selected of samples) {
    const { cluster } = selected.sample
    const same = clusters.get(cluster)
    if (same) same.push(selected)
    else clusters.set(cluster, [selected])
    if (++held < WINDOW) continue
    for (const each of clusters.values()) yield* each
    clusters = new Map()
    held = 0
  }
  for (const each of clusters.values()) yield* each
}

async function* samplesAt(
  source: OpenedSource<SampleBase>,
  positions: readonly number[],
): AsyncGenerator<IndexedSample> {
  if (source.at) {
    for (const index of positions) {
      const sample = await source.at(index)
      if (sample) yield { index, sample }
    }
    return
  }
  const wanted = new Set(positions)
  const last = positions.at(-1) ?? -1
  let index = 0
  for await (const sample of source.samples()) {
    if (wanted.has(index)) yield { index, sample }
    if (index++ >= last) return
  }
}

/** The number of selected samples. Throws for unknown sample ids before anything is played. */
export async function countSelected(source: OpenedSource<SampleBase>, selection: Selection): Promise<number> {
  if (selection.drawn) return selection.drawn.length
  if (!selection.ids && source.count !== null) {
    return Math.max(0, Math.min(source.count, selection.to) - Math.min(source.count, selection.from))
  }
  const found = new Set<string>()
  for await (const { sample } of selectedSamples(source, selection)) found.add(sample.id)
  const absent = [...(selection.ids ?? [])].filter((id) => !found.has(id))
  if (absent.length > 0) {
    throw new UserError(
      `No sample with id ${absent.slice(0, 5).join(', ')}${absent.length > 5 ? ' …' : ''} in this source.`,
      {
        hint: 'List the ids with `sightline list SUITE --samples`.',
      },
    )
  }
  return found.size
}
