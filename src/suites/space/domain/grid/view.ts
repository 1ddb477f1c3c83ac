/**
 * Visibility, and the text of observations (docs/suites/space/index.md, "World"). There is no occlusion: rooms are convex
 * and walls only matter through room numbers. From a doorway, both rooms are in view, but not the door itself.
 */
import {
  aheadOf,
  cardinalBinOfCells,
  CARDINAL_LABELS,
  distanceBinOfSquare,
  DISTANCE_LABELS,
  egoBinOfCells,
  EGO_LABELS,
  facingWord,
  PROXIMITY_METERS,
  rightOf,
  wallWord,
} from './relations.ts'
import { isRoomCode } from './invariants.ts'
import { type Door, type Entity, NORTH, type Pose, type Scene, type Vec } from './scene.ts'
import type { Profile } from '../profile.ts'

/** Name of the start cell, wherever an entity name can be used. */
export const START = 'initial_pos'

/**
 * Minimum cosine between heading and line of sight, with the published tolerance: 0.707 − 0.001. Equivalent to "at most
 * 45°" on any grid below 317 cells.
 */
const COSINE_OF_HALF_FOV = 0.706

/** Is `pos` inside the viewer's cone? Ignores rooms; the viewer's own cell is not in view. */
export function inView(pose: Pick<Pose, 'pos' | 'heading'>, pos: Vec): boolean {
  const dx = pos[0] - pose.pos[0]
  const dy = pos[1] - pose.pos[1]
  const square = dx * dx + dy * dy
  if (square === 0) return false
  return aheadOf(pose.heading, dx, dy) >= COSINE_OF_HALF_FOV * Math.sqrt(square)
}

/** Lookup tables, built once per scene. */
interface SceneIndex {
  /** Objects, then doors, in the scene's listing order. */
  entities: readonly Entity[]
  byName: ReadonlyMap<string, Entity>
  /** `x * height + y` → the entity on that cell. */
  byCell: ReadonlyMap<number, Entity>
  height: number
}

const indexes = new WeakMap<Scene, SceneIndex>()

function indexOf(scene: Scene): SceneIndex {
  let index = indexes.get(scene)
  if (index === undefined) {
    const named = new Map<string, Entity>()
    for (const object of scene.objects) named.set(object.name, object)
    for (const door of scene.doors) named.set(door.name, door)
    const height = scene.mask[0]?.length ?? 0
    const entities: Entity[] = []
    for (const name of scene.order) {
      const entity = named.get(name)
      if (entity) entities.push(entity)
    }
    // If several entities share a cell, the first one wins.
    const byCell = new Map<number, Entity>()
    for (const entity of entities) {
      const cell = entity.pos[0] * height + entity.pos[1]
      if (!byCell.has(cell)) byCell.set(cell, entity)
    }
    index = { entities, byName: named, byCell, height }
    indexes.set(scene, index)
  }
  return index
}

/** Objects, then doors, in listing order. */
export function entitiesOf(scene: Scene): readonly Entity[] {
  return indexOf(scene).entities
}

/** The entity with exactly this name. */
export function entityNamed(scene: Scene, name: string): Entity | undefined {
  return indexOf(scene).byName.get(name)
}

export function entityAt(scene: Scene, pos: Vec): Entity | undefined {
  const index = indexOf(scene)
  return index.byCell.get(pos[0] * index.height + pos[1])
}

/** The number of an object in the prompt: its index in the list, from 1. Doors have none. */
export function objectNumber(scene: Scene, name: string): number {
  return scene.order.indexOf(name) + 1
}

const roomLists = new Map<number, readonly number[]>()

/** The rooms that an entity is in: one for an object, two for a door. */
export function roomsOf(entity: Entity): readonly number[] {
  if (entity.kind === 'door') return entity.rooms
  let rooms = roomLists.get(entity.room)
  if (rooms === undefined) roomLists.set(entity.room, (rooms = [entity.room]))
  return rooms
}

/** The rooms in view from a cell: one inside a room, two on a door, none elsewhere. */
export function roomsAt(scene: Scene, pos: Vec): readonly number[] {
  const entity = entityAt(scene, pos)
  if (entity?.kind === 'door') return entity.rooms
  const code = scene.mask[pos[0]]?.[pos[1]] ?? -1
  return isRoomCode(code) ? [code] : []
}

/** Numbers of all rooms, ascending. */
export function roomIds(scene: Scene): number[] {
  const ids = new Set<number>()
  for (const column of scene.mask) for (const code of column) if (isRoomCode(code)) ids.add(code)
  return [...ids].sort((a, b) => a - b)
}

/** Cells of a room, by x and then by y. */
export function cellsOfRoom(scene: Scene, room: number): Vec[] {
  const cells: Vec[] = []
  scene.mask.forEach((column, x) => column.forEach((code, y) => code === room && cells.push([x, y])))
  return cells
}

/** The pose on the start cell or an entity's cell, looking along `heading`. */
export function poseAt(scene: Scene, at: Entity | typeof START, heading: Vec = NORTH): Pose {
  if (at === START) return { pos: scene.start.pos, heading, rooms: [scene.start.room] }
  return { pos: at.pos, heading, rooms: roomsOf(at) }
}

export function startPose(scene: Scene): Pose {
  return poseAt(scene, START)
}

function sharesRoom(rooms: readonly number[], entity: Entity): boolean {
  for (const room of rooms) {
    if (entity.kind === 'object' ? entity.room === room : entity.rooms[0] === room || entity.rooms[1] === room) {
      return true
    }
  }
  return false
}

/** Is the entity visible from `pose`? */
export function isVisible(pose: Pose, entity: Entity): boolean {
  return sharesRoom(pose.rooms, entity) && inView(pose, entity.pos)
}

/** Everything in view, in the scene's listing order. */
export function visibleEntities(scene: Scene, pose: Pose): Entity[] {
  const visible: Entity[] = []
  for (const entity of indexOf(scene).entities) if (isVisible(pose, entity)) visible.push(entity)
  return visible
}

/** The heading of an entity: for a door its axis, pointing east or north; null for an object without a front. */
export function headingOf(entity: Entity): Vec | null {
  if (entity.kind === 'object') return entity.oriented ? entity.heading : null
  return entity.normals.find(([x, y]) => x + y > 0) ?? NORTH
}

/** The normal of a door into the room that the viewer shares with it. */
export function doorNormal(door: Door, rooms: readonly number[]): Vec {
  return rooms.includes(door.rooms[0]) ? door.normals[0] : door.normals[1]
}

/** `facing left`, `on front wall`, or undefined for an object without a front. */
export function facingPhrase(entity: Entity, pose: Pose): string | undefined {
  if (entity.kind === 'door') return `on ${wallWord(doorNormal(entity, pose.rooms), pose.heading)} wall`
  return entity.oriented ? `facing ${facingWord(entity.heading, pose.heading)}` : undefined
}

/** Direction and distance of an entity from the viewer: `front-left, near`. */
export function egoRelation(entity: Entity, pose: Pick<Pose, 'pos' | 'heading'>): string {
  const dx = entity.pos[0] - pose.pos[0]
  const dy = entity.pos[1] - pose.pos[1]
  const ego = EGO_LABELS[egoBinOfCells(rightOf(pose.heading, dx, dy), aheadOf(pose.heading, dx, dy))]!
  return `${ego}, ${DISTANCE_LABELS[distanceBinOfSquare(dx * dx + dy * dy)]!}`
}

/** The description of an entity after its name: `front-left, near, facing backward`. */
export function describeEntity(entity: Entity, pose: Pose): string {
  const phrase = facingPhrase(entity, pose)
  return phrase === undefined ? egoRelation(entity, pose) : `${egoRelation(entity, pose)}, ${phrase}`
}

/** Two entities in view that are close enough for the observation to relate them. */
export interface ProximityPair {
  subject: Entity
  anchor: Entity
  /** Cardinal bin of the subject seen from the anchor, with the viewer's heading as north. */
  cardinal: number
}

const PROXIMITY_SQUARE = PROXIMITY_METERS * PROXIMITY_METERS

/** All pairs in view that are at most two cells apart, in listing order. */
export function proximityPairs(visible: readonly Entity[], heading: Vec): ProximityPair[] {
  const pairs: ProximityPair[] = []
  for (let i = 0; i < visible.length; i++) {
    const subject = visible[i]!
    for (let j = i + 1; j < visible.length; j++) {
      const anchor = visible[j]!
      const dx = subject.pos[0] - anchor.pos[0]
      const dy = subject.pos[1] - anchor.pos[1]
      if (dx * dx + dy * dy > PROXIMITY_SQUARE) continue
      const cardinal = cardinalBinOfCells(rightOf(heading, dx, dy), aheadOf(heading, dx, dy))
      pairs.push({ subject, anchor, cardinal })
    }
  }
  return pairs
}

/** `lamp is south west, near to red door` */
export function proximityPhrase({ subject, anchor, cardinal }: ProximityPair): string {
  const dx = subject.pos[0] - anchor.pos[0]
  const dy = subject.pos[1] - anchor.pos[1]
  const distance = DISTANCE_LABELS[distanceBinOfSquare(dx * dx + dy * dy)]!
  return `${subject.name} is ${CARDINAL_LABELS[cardinal]!}, ${distance} to ${anchor.name}`
}

/** The text of one Observe: one line per entity in view, then the relations between neighbors. */
export function observationText(visible: readonly Entity[], pose: Pose, profile: Profile): string {
  if (visible.length === 0) {
    // The published text ends with two periods.
    return profile === 'upstream'
      ? 'You observe: No objects in field of view..'
      : 'You observe: No objects in field of view.'
  }
  let text = 'You observe: '
  for (const entity of visible) text += `\n• ${entity.name}: ${describeEntity(entity, pose)}`
  const pairs = proximityPairs(visible, pose.heading)
  if (pairs.length > 0) text += '\nAssume your current facing direction is called "north":'
  for (const pair of pairs) text += `\n• ${proximityPhrase(pair)}`
  return `${text}.`
}
