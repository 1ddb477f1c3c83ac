/** A scene as the question generators see it: objects, rooms, free floor, and first appearances. */
import type { Shares } from '../../domain/evidence.ts'
import { closestOfBoxes, type FreeSpace, type SceneObject, turnedBox } from '../../../../world.ts'

export interface QuestionScene {
  objects: readonly SceneObject[]
  /** Floor area of all rooms, in square meters. */
  area: number
  rooms: number
  /**
   * `balanced`: numbers and sizes are asked about so that names tell little, which is known of built-in objects. `any`: all
   * names alike.
   */
  names: 'balanced' | 'any'
  space: FreeSpace
  /** Instances that the default frames of the walkthrough show, and that an agent sees in the default number of moves. */
  shown: ReadonlySet<number>
  /** What each default frame shows. */
  frames: readonly Shares[]
  /** Their numbers in the walkthrough. */
  frameNumbers: readonly number[]
  /** What an agent sees that walks to see everything: at the start, and after each move. */
  survey: readonly Shares[]
  /** When one of each group of instances first appears in the walkthrough. */
  firstAppearances: (groups: readonly (readonly number[])[]) => readonly Appearance[]
}

/** Numbers of frames; null if there is none. */
export interface Appearance {
  /** Clearly visible. */
  seen: number | null
  /** The first few pixels. */
  glimpse: number | null
}

/**
 * Categories that cannot be counted or measured by looking: parts of the building, soft furnishings, and pieces that look
 * like one when placed side by side.
 */
const EXCLUDED = new Set([
  'carpet',
  'curtain',
  'door',
  'kitchen counter',
  'light panel',
  'rug',
  'wall cabinet',
  'window',
])

/** The part of a scene that says what can be asked about. */
export type Contents = Pick<QuestionScene, 'objects' | 'shown'>

/** Categories that questions can be about, with their instances; all of them are visible in the walkthrough. */
export function askableCategories({ objects, shown }: Contents): Map<string, readonly SceneObject[]> {
  const groups = new Map<string, SceneObject[]>()
  for (const object of objects) {
    if (EXCLUDED.has(object.category)) continue
    const group = groups.get(object.category)
    if (group) group.push(object)
    else groups.set(object.category, [object])
  }
  // Books in a shelf are books: a person would count them, or look for "the books" there.
  for (const name of objects.flatMap(({ contains }) => Object.keys(contains ?? {}))) groups.delete(name)
  // "The table" is ambiguous if there is also a coffee table.
  const names = [...groups.keys()]
  for (const name of names) if (names.some((other) => other.endsWith(` ${name}`))) groups.delete(name)
  // Excludes a category if one of its instances is not shown: its count could not be seen.
  for (const [category, group] of groups) {
    if (!group.every(({ instance }) => shown.has(instance))) groups.delete(category)
  }
  return groups
}

/** Objects that are the only instance of their category: "the sofa". */
export function uniqueObjects(scene: Contents): SceneObject[] {
  return [...askableCategories(scene).values()].filter((group) => group.length === 1).map((group) => group[0]!)
}

/** Whether one can stand next to the object. */
export function standsOnFloor({ support }: SceneObject): boolean {
  return support === 'floor'
}

/** Whether one of two objects stands or lies on the other. */
export function restsOn(a: SceneObject, b: SceneObject): boolean {
  return a.support === b.instance || b.support === a.instance
}

/** Where something is. */
export type Placed = Pick<SceneObject, 'box'>

/** Several questions of a scene measure the same pairs. */
const gaps = new WeakMap<Placed, WeakMap<Placed, number>>()

/** Distance between the closest points of two boxes, in meters. */
export function gap(a: Placed, b: Placed): number {
  const known = gaps.get(a) ?? new WeakMap<Placed, number>()
  gaps.set(a, known)
  const meters = known.get(b) ?? closestOfBoxes(turnedBox(a.box), turnedBox(b.box)).distance
  known.set(b, meters)
  return meters
}

/** Distance from an object to the nearest of a group, in meters. */
export function gapToNearest(from: SceneObject, group: readonly SceneObject[]): number {
  return Math.min(...group.map((object) => gap(from, object)))
}

export function groupBy<T>(items: readonly T[], key: (item: T) => unknown): T[][] {
  const groups = new Map<unknown, T[]>()
  for (const item of items) {
    const held = groups.get(key(item))
    if (held) held.push(item)
    else groups.set(key(item), [item])
  }
  return [...groups.values()]
}
