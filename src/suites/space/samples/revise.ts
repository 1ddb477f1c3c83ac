/** Changes a scene for the revision phase. */
import type { Random } from '../../../suite.ts'
import {
  type Change,
  type GridObject,
  HEADINGS,
  type RevisedScene,
  type Scene,
  type Vec,
} from '../domain/grid/scene.ts'
import { canPlace, SPACING, type SpacingRules } from '../domain/grid/spacing.ts'
import { entitiesOf, roomsAt, roomsOf } from '../domain/grid/view.ts'
import { floorCells } from '../domain/grid/distance-score.ts'

export const DEFAULT_CHANGES = 4
const MAX_ROTATIONS = 2
/** Minimum distance of a move, in cells: it must be noticeable. */
const MIN_MOVE = 6

export interface RevisionOptions {
  /** Default 4. */
  count?: number
  /**
   * Placement rules for new positions, as far as the scene allows, to keep changed objects unoccluded. The published
   * environment applies none here.
   */
  rules?: SpacingRules
}

/**
 * Turns up to two objects and moves others until there are enough changes; no object is both turned and moved. Returns
 * fewer changes if the scene has no space for more.
 */
export function reviseScene(
  scene: Scene,
  random: Random,
  { count = DEFAULT_CHANGES, rules = SPACING.free }: RevisionOptions = {},
): RevisedScene {
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
  // First move objects that have a position within the rules; then, if needed, without rules.
  const order = random.shuffle(scene.objects.filter(({ name }) => !changes.some((change) => change.name === name)))
  for (const kept of [rules, SPACING.free]) {
    for (const object of order) {
      if (changes.length >= count) break
      if (changes.some(({ name }) => name === object.name)) continue
      const pos = newPosition({ ...scene, objects: [...objects.values()] }, object, kept, random)
      if (pos === null) continue
      objects.set(object.name, { ...object, pos, room: roomsAt(scene, pos)[0]! })
      changes.push({ name: object.name, kind: 'position' })
    }
  }
  return { scene: { ...scene, objects: scene.objects.map(({ name }) => objects.get(name)!) }, changes }
}

function newPosition(scene: Scene, object: GridObject, rules: SpacingRules, random: Random): Vec | null {
  const taken = new Set([...scene.objects.map(({ pos }) => String(pos)), String(scene.start.pos)])
  const free = floorCells(scene).filter(
    (cell) =>
      !taken.has(String(cell)) &&
      (cell[0] - object.pos[0]) ** 2 + (cell[1] - object.pos[1]) ** 2 >= MIN_MOVE * MIN_MOVE &&
      canPlace(rules, cell, occupiedInRoom(scene, cell, object.name)),
  )
  return free.length === 0 ? null : random.pick(free)
}

/** Positions of the other objects, the doors and the start in the room of a cell. */
function occupiedInRoom(scene: Scene, cell: Vec, except: string): Vec[] {
  const [room] = roomsAt(scene, cell)
  if (room === undefined) return []
  return [
    ...entitiesOf(scene).filter((entity) => entity.name !== except && roomsOf(entity).includes(room)),
    ...(room === scene.start.room ? [scene.start] : []),
  ].map(({ pos }) => pos)
}
