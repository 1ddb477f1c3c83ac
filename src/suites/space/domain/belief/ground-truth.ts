/** The true maps that beliefs are compared with. */
import { AGENT, type MapContext, type MapEntry } from '../../parse/maps.ts'
import { toFrame } from '../grid/frames.ts'
import { NORTH } from '../grid/scene.ts'
import { entitiesOf, headingOf, visibleEntities } from '../grid/view.ts'

/** The true global map: the named entities and the player, relative to the start. */
export function trueGlobalMap(
  { scene, pose }: Pick<MapContext, 'scene' | 'pose'>,
  names: ReadonlySet<string>,
): MapEntry[] {
  const origin = scene.start.pos
  const entries: MapEntry[] = entitiesOf(scene)
    .filter(({ name }) => names.has(name))
    .map((entity) => ({
      name: entity.name,
      pos: toFrame(entity.pos, origin, NORTH),
      facing: headingOf(entity),
    }))
  return [...entries, { name: AGENT, pos: toFrame(pose.pos, origin, NORTH), facing: pose.heading }]
}

/** The true local map: everything in view, in the player's frame; facings are absolute headings. */
export function trueLocalMap({ scene, pose }: Pick<MapContext, 'scene' | 'pose'>): MapEntry[] {
  return visibleEntities(scene, pose).map((entity) => ({
    name: entity.name,
    pos: toFrame(entity.pos, pose.pos, pose.heading),
    facing: headingOf(entity),
  }))
}
