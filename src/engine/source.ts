import { UserError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import { Random } from '../base/random.ts'
import { readSettings } from './options.ts'
import type { AnySuite, OpenedSource, SampleBase } from './suite.ts'

/** Where samples come from, as the user wrote it: `builtin:seed=7`, `vsi-bench:/data/vsi`. */
export interface SourceSpec {
  name: string
  /** What follows the colon: `key=value,key=value`, or a path or address, which is `path`. */
  args: Readonly<Record<string, string>>
}

/**
 * Reads how a user spells a source: `name`, `name:key=value,key=value` or `name:/some/path`.
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

/** The first source of a suite is the one that is used when none is named. */
export function defaultSource(suite: AnySuite): string {
  return Object.keys(suite.sources)[0] ?? 'none'
}

/** Opens the source of a suite's samples. */
export async function openSource(
  suite: AnySuite,
  text: string,
  options: unknown,
  run: { seed: number; profile: string },
): Promise<OpenedSource<SampleBase>> {
  const { name, args: given } = parseSource(text)
  const source = Object.hasOwn(suite.sources, name) ? suite.sources[name] : undefined
  if (!source) {
    throw new UserError(`${suite.name} has no source called "${name}".`, {
      hint: didYouMean(name, Object.keys(suite.sources), 'Sources'),
    })
  }
  const args = readSettings(source.args, given, {
    what: `The source ${name} of ${suite.name} has no argument`,
    invalid: `Invalid source ${text}`,
    known: 'Arguments',
    hint: `It is written ${source.usage}.`,
  }) as Readonly<Record<string, unknown>>
  const seed = typeof args['seed'] === 'number' ? args['seed'] : run.seed
  const random = new Random(`${suite.name}/${name}/${seed}`)
  return source.open({ args, options, seed, random, profile: run.profile })
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
export async function* selectedSamples(
  source: OpenedSource<SampleBase>,
  selection: Selection,
): AsyncGenerator<IndexedSample> {
  let index = 0
  let missing = selection.ids?.size ?? 0
  for await (const sample of source.samples()) {
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
  for await (const { sample } of selectedSamples(source, selection)) found.add(sample.id)
  const absent = [...(selection.ids ?? [])].filter((id) => !found.has(id))
  if (absent.length > 0) {
    throw new UserError(
      `No sample with id ${absent.slice(0, 5).join(', ')}${absent.length > 5 ? ' …' : ''} in this source.`,
      {
        hint: 'Ids are listed by `sightline list SUITE --samples`.',
      },
    )
  }
  return found.size
}
