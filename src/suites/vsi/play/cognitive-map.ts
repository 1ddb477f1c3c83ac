/** The published cognitive map: drawn in a first turn or given, then the question in the same conversation. */
import { type Episode, type Message, MissingAssetError, type Played } from '../../../suite.ts'
import { boundsOf } from '../../../world.ts'
import type { Bounds } from '../domain/bounds.ts'
import { type CognitiveMap, MAP_CELLS, trueMap } from '../domain/cognitive-map.ts'
import type { VsiOutcome } from '../domain/outcome.ts'
import type { Profile } from '../domain/protocol.ts'
import type { NamedObject } from '../domain/question.ts'
import { loadStage } from '../domain/scene/stages.ts'
import type { VideoOptions } from '../options.ts'
import { cognitiveMapPrompts } from '../prompts.ts'
import { mapCategories } from '../samples/meta.ts'
import type { VsiSample } from '../samples/sample.ts'
import { askForAnswer, toPlayed } from './answer.ts'
import { type AskedMap, askForMap } from './ask-map.ts'
import type { BaselineInput, ShownFrames } from './baseline-input.ts'
import { type Part, text } from './message-parts.ts'

/** What a map is drawn of. */
export interface MapSubject {
  categories: readonly string[]
  /** The objects of these categories; null if the source does not know them. */
  things: readonly NamedObject[] | null
}

/** The question's categories, or all of the scene; null for questions that are asked without a map. */
export async function mapSubject(
  sample: VsiSample,
  { files }: Episode,
  { cognitiveMap }: Pick<VideoOptions, 'cognitiveMap'>,
): Promise<MapSubject | null> {
  if (cognitiveMap === undefined) return null
  if (cognitiveMap !== 'scene-map') {
    const categories = mapCategories(sample)
    return categories === null ? null : { categories, things: sample.things }
  }
  const things =
    sample.scene.kind === 'scan'
      ? (sample.contents ?? [])
      : (await loadStage(sample.scene, files)).objects.map(({ category, box }) => ({ category, box }))
  if (things.length === 0)
    throw new MissingAssetError('cognitiveMap=scene-map needs the objects of the scene, which the meta info has')
  return { categories: [...new Set(things.map(({ category }) => category))], things }
}

export async function playCognitiveMap(
  sample: VsiSample,
  episode: Episode<Profile>,
  { cognitiveMap, grid = MAP_CELLS, maxTokens, reasks }: VideoOptions,
  {
    pictures,
    subject: { categories, things },
    shown,
    upstream,
  }: { pictures: readonly Part[]; subject: MapSubject; shown: () => Promise<ShownFrames>; upstream: boolean },
): Promise<Played<VsiOutcome>> {
  const prompts = cognitiveMapPrompts(sample, categories, grid)
  const drawn = { scene: sample.scene, things }
  const extent = await mapExtent(drawn, episode)
  const request = { text: prompts.draw, categories, cells: grid }
  const asked =
    cognitiveMap === 'true-map' ? null : await askForMap(drawn, episode, pictures, extent, maxTokens, request)
  const said = asked?.said ?? {
    prompt: [...pictures, text(prompts.draw)],
    reply: mapText(knownMap(things, extent, grid)),
  }
  const messages: Message[] = [...exchange(said), { role: 'user', content: prompts.answer }]
  const answerInput: BaselineInput = { ask: 'answer', bare: true, shown }
  const how = { reasks, maxTokens, direct: true, upstream, answerInput }
  const answered = await askForAnswer(sample, episode, messages, how)
  return toPlayed(answered, { form: 'direct', pictures: pictures.length, ...outcomeOf(asked) })
}

function knownMap(things: MapSubject['things'], extent: Bounds | null, cells: number): CognitiveMap {
  if (extent === null || things === null)
    throw new MissingAssetError('cognitiveMap=true-map needs the positions of the objects, which the meta info has')
  return trueMap(things, extent, cells)
}

/** As the prompt asks for it: `{"chair": [(2, 7), (3, 7)]}`. */
function mapText(map: CognitiveMap): string {
  const entries = Object.entries(map).map(
    ([name, cells]) => `${JSON.stringify(name)}: [${cells.map(([x, y]) => `(${x}, ${y})`).join(', ')}]`,
  )
  return `{${entries.join(', ')}}`
}

export function exchange({ prompt, reply }: AskedMap['said']): Message[] {
  return [
    { role: 'user', content: prompt },
    { role: 'assistant', content: reply || ' ' },
  ]
}

export const NO_MAP = { map: null, mapAgreement: null } as const

export type MapOutcome = Pick<VsiOutcome, 'map' | 'mapAgreement' | 'mapBins' | 'trueMap' | 'mapCells'>

export function outcomeOf(asked: AskedMap | null): MapOutcome {
  if (asked === null) return NO_MAP
  const { map, agreement, bins, truth, cells } = asked
  return { map, mapAgreement: agreement, mapBins: bins, trueMap: truth, mapCells: cells }
}

/** The area that the true map covers: the room if known, else the extent of the objects. */
export async function mapExtent(
  { scene, things }: Pick<VsiSample, 'scene' | 'things'>,
  { files }: Episode,
): Promise<Bounds | null> {
  if (scene.kind !== 'scan') return (await loadStage(scene, files)).bounds
  if (things === null || things.length === 0) return null
  return boundsOf(things.flatMap(({ box }) => [...box.center]))
}
