/** What changes in a scene before the second exploration. */
import type { Random } from '../../../suite.ts'
import { type Change, type GridObject, HEADINGS, type Revised, type Scene, type Vec } from '../domain/grid/scene.ts'
import { mayStand, SPACING, type SpacingRules } from '../domain/grid/spacing.ts'
import { entitiesOf, roomsAt, roomsOf } from '../domain/grid/view.ts'
import { floorCells } from '../domain/grid/distance-score.ts'

export const DEFAULT_CHANGES = 4
const MAX_ROTATIONS = 2
/** A moved object must be noticeable: at least this many cells from where it was. */
const MIN_MOVE = 6

export interface RevisionOptions {
  /** Default 4. */
  count?: number
  /**
   * Rules that new places keep where the scene leaves a choice, so that what was in plain view is not hidden after the
   * changes. The published environment has none here.
   */
  rules?: SpacingRules
}

/**
 * Turns up to two objects and moves others until there are enough changes; no object is both turned and moved. Fewer
 * changes come back when the scene has no room for more.
 */
export function reviseScene(
  scene: Scene,
  random: Random,
  { count = DEFAULT_CHANGES, rules = SPACING.free }: RevisionOptions = {},
): Revised {
  const objects = new Map(scene.objects.map((object) => [object.name, object]))
  const changes: Change[] = []
  const oriented = scene.objects.filter((object) => object.oriented)
  for (const object of random.sample(oriented, Math.min(MAX_ROTATIONS, count))) {
    const heading = random.pick(
      HEADINGS.filter((other) => other[0] !== object.heading[0] || other[1] !== object.heading[1]),
    )
    objects.set(object.name, { ...object, heading })
    changes.push({ name: object.name, kind: 'orientation' })
  }
  // An object without a place by the rules is passed over as long as another one has one.
  const order = random.shuffle(scene.objects.filter(({ name }) => !changes.some((change) => change.name === name)))
  for (const kept of [rules, SPACING.free]) {
    for (const object of order) {
      if (changes.length >= count) break
      if (changes.some(({ name }) => name === object.name)) continue
      const pos = newPlace({ ...scene, objects: [...objects.values()] }, object, kept, random)
      if (pos === null) continue
      objects.set(object.name, { ...object, pos, room: roomsAt(scene, pos)[0]! })
      changes.push({ name: object.name, kind: 'position' })
    }
  }
  return { scene: { ...scene, objects: scene.objects.map(({ name }) => objects.get(name)!) }, changes }
}

function newPlace(scene: Scene, object: GridObject, rules: SpacingRules, random: Random): Vec | null {
  const taken = new Set([...scene.objects.map(({ pos }) => String(pos)), String(scene.start.pos)])
  const free = floorCells(scene).filter(
    (cell) =>
      !taken.has(String(cell)) &&
      (cell[0] - object.pos[0]) ** 2 + (cell[1] - object.pos[1]) ** 2 >= MIN_MOVE * MIN_MOVE &&
      mayStand(rules, cell, thingsAround(scene, cell, object.name)),
  )
  return free.length === 0 ? null : random.pick(free)
}

/** What else is in the room of a cell: objects, doors, and the start in its room. */
function thingsAround(scene: Scene, cell: Vec, except: string): Vec[] {
  const [room] = roomsAt(scene, cell)
  if (room === undefined) return []
  return [
    ...entitiesOf(scene).filter((entity) => entity.name !== except && roomsOf(entity).includes(room)),
    ...(room === scene.start.room ? [scene.start] : []),
  ].map(({ pos }) => pos)
}
