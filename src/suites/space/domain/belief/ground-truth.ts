/** The true maps that beliefs are held against. */
import { AGENT, type MapContext, type MapEntry } from '../../parse/maps.ts'
import { toFrame } from '../grid/frames.ts'
import { NORTH } from '../grid/scene.ts'
import { entitiesOf, headingOf, visibleEntities } from '../grid/view.ts'

/** The true map from the start: the named things, and the player. Doors have no facing that counts. */
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

/** The true map of what is in view, in the player's frame; facings as true headings. */
export function trueLocalMap({ scene, pose }: Pick<MapContext, 'scene' | 'pose'>): MapEntry[] {
  return visibleEntities(scene, pose).map((entity) => ({
    name: entity.name,
    pos: toFrame(entity.pos, pose.pos, pose.heading),
    facing: headingOf(entity),
  }))
}
