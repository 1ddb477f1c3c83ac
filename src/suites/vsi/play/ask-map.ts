/** Asks for a cognitive map of the question's objects and compares it with the true map, if known. */
import type { Episode, Part } from '../../../suite.ts'
import type { Bounds } from '../domain/bounds.ts'
import type { VsiSample } from '../samples/sample.ts'
import { type CognitiveMap, type Locality, locality, MAP_CELLS, trueMap } from '../domain/cognitive-map.ts'
import type { VsiEvent } from '../events.ts'
import { readMap } from '../parse.ts'
import type { BaselineInput } from './baseline-input.ts'
import { promptWith } from '../prompts.ts'

/** What is asked for. */
interface MapRequest {
  text: string
  categories: readonly string[]
  cells: number
}

export interface AskedMap {
  map: CognitiveMap | null
  agreement: number | null
  /** Pairs of categories by true distance, and how many of them agree; null if the true map is not known. */
  bins: Locality['bins'] | null
  truth: CognitiveMap | null
  cells: number
  /** The exchange, to be sent before the question. */
  said: { prompt: readonly Part[]; reply: string }
}

/** Sightline's own request; null if the question names no objects with known positions. */
export function ownMapRequest({ things }: VsiSample): MapRequest | null {
  const categories = [...new Set((things ?? []).map(({ category }) => category))]
  if (categories.length === 0) return null
  const text = promptWith('map', {
    shown: 'These are images of an indoor scene.',
    categories: categories.map((name) => `- ${name}`).join('\n'),
  })
  return { text, categories, cells: MAP_CELLS }
}

export async function askForMap(
  { things }: Pick<VsiSample, 'things'>,
  episode: Episode,
  pictures: readonly Part[],
  extent: Bounds | null,
  maxTokens: number,
  { text, categories, cells }: MapRequest,
): Promise<AskedMap> {
  const prompt: Part[] = [...pictures, { type: 'text', text }]
  const truth = extent === null ? null : trueMap(things ?? [], extent, cells)
  const baselineInput: BaselineInput = { ask: 'map', truth }
  const reply = await episode.ask('player', [{ role: 'user', content: prompt }], {
    temperature: 0,
    maxTokens,
    baselineInput,
    purpose: 'map',
  })
  const map = readMap(reply.text, categories, cells)
  const compared = map !== null && truth !== null ? locality(map, truth, cells) : null
  episode.note({ type: 'vsi/cognitive-map', map, truth, locality: compared } satisfies VsiEvent)
  const paired = truth !== null && categories.length >= 2
  // An unreadable map agrees with nothing.
  const compare = paired ? (compared ?? locality({}, truth, cells)) : null
  return {
    map,
    agreement: compare === null ? null : (compare.agreement ?? 0),
    bins: compare?.bins ?? null,
    truth,
    cells,
    said: { prompt, reply: reply.text },
  }
}
