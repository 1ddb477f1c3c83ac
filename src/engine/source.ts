import { UserError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import type { AnySuite, SampleBase, OpenedSource, SourceContext, SourceSpec } from './suite.ts'

/**
 * Reads how a user spells a source: `name`, `name:key=value,key=value` or `name:/some/path`.
 *
 * @example
 * parseSource('builtin:seed=7,scenes=20') // { name: 'builtin', path: null, args: { seed: '7', scenes: '20' } }
 * parseSource('vsi-bench:/data/vsi') // { name: 'vsi-bench', path: '/data/vsi', args: {} }
 */
export function parseSource(text: string): SourceSpec {
  const colon = text.indexOf(':')
  if (colon < 0) return { name: text, path: null, args: {} }
  const name = text.slice(0, colon)
  const rest = text.slice(colon + 1)
  const pairs = rest.split(',').map((piece) => piece.trim())
  if (!pairs.every((pair) => /^[\w-]+=/.test(pair))) return { name, path: rest, args: {} }
  const args = Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
  return { name, path: null, args }
}

/** Opens the source of a suite's cases, or says which ones there are. */
export async function openSource(
  suite: AnySuite,
  text: string,
  options: unknown,
  run: SourceContext,
): Promise<OpenedSource<SampleBase>> {
  const spec = parseSource(text)
  const kind = Object.hasOwn(suite.sources, spec.name) ? suite.sources[spec.name] : undefined
  if (!kind) {
    throw new UserError(`${suite.name} has no source called "${spec.name}".`, {
      hint: didYouMean(spec.name, Object.keys(suite.sources), 'Sources'),
    })
  }
  return kind.open(spec, options, run)
}

/** Which cases of a source are played. */
export interface Selection {
  /** Zero-based half-open range, from `--limit N` or `--limit a-b`. */
  from: number
  to: number
  ids: ReadonlySet<string> | null
}

/** Reads `--limit`: `20` is the first twenty cases, `21-40` are cases 21 to 40, counted from 1, both included. */
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

/** The selected cases in the order of their source. */
export async function* selectedCases(
  source: OpenedSource<SampleBase>,
  selection: Selection,
): AsyncGenerator<IndexedSample> {
  let index = 0
  let missing = selection.ids?.size ?? 0
  for await (const sample of source.cases()) {
    if (index >= selection.to || (selection.ids && missing === 0)) return
    const wanted = index >= selection.from && (!selection.ids || selection.ids.has(sample.id))
    if (selection.ids?.has(sample.id)) missing -= 1
    if (wanted) yield { index, sample }
    index += 1
  }
}

/** How many cases are selected; refuses sample ids that are not there, before anything is played. */
export async function countSelected(source: OpenedSource<SampleBase>, selection: Selection): Promise<number> {
  if (!selection.ids && source.count !== null) {
    return Math.max(0, Math.min(source.count, selection.to) - Math.min(source.count, selection.from))
  }
  const found = new Set<string>()
  for await (const { sample } of selectedCases(source, selection)) found.add(sample.id)
  const absent = [...(selection.ids ?? [])].filter((id) => !found.has(id))
  if (absent.length > 0) {
    throw new UserError(
      `No case with id ${absent.slice(0, 5).join(', ')}${absent.length > 5 ? ' …' : ''} in this source.`,
      {
        hint: 'Ids are listed by `sightline list SUITE --cases`.',
      },
    )
  }
  return found.size
}
