/** A scene as questions see it: things with boxes, rooms, floor to walk on, and when each thing is first seen. */
import { closestOfBoxes, type FreeSpace, type SceneObject, turnedBox } from '../../../../world.ts'

export interface QuestionScene {
  objects: readonly SceneObject[]
  /** Square metres of floor, all rooms together. */
  area: number
  rooms: number
  space: FreeSpace
  /** Frame of the walkthrough in which a thing first has enough pixels, by instance. */
  firstSeen: ReadonlyMap<number, number>
  /** Frame in which a few pixels of it are first seen, by instance. */
  firstGlimpse: ReadonlyMap<number, number>
}

/**
 * What nobody can count or measure by looking: parts of the building, things that hang or lie in folds, and pieces that
 * stand side by side and look like one.
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

/** Categories that can be asked about, with their instances; only things that the walkthrough shows count as known. */
export function askableCategories({ objects, firstSeen }: QuestionScene): Map<string, readonly SceneObject[]> {
  const groups = new Map<string, SceneObject[]>()
  for (const object of objects) {
    if (EXCLUDED.has(object.category)) continue
    const group = groups.get(object.category)
    if (group) group.push(object)
    else groups.set(object.category, [object])
  }
  // “The table” is not clear where there is a coffee table, too.
  const names = [...groups.keys()]
  for (const name of names) if (names.some((other) => other.endsWith(` ${name}`))) groups.delete(name)
  // A category is left out whole when one of its instances is never seen: its count would be wrong for who only looks.
  for (const [category, group] of groups) {
    if (!group.every(({ instance }) => firstSeen.has(instance))) groups.delete(category)
  }
  return groups
}

/** The askable categories of which there is exactly one: “the sofa”. */
export function uniqueObjects(scene: QuestionScene): SceneObject[] {
  return [...askableCategories(scene).values()].filter((group) => group.length === 1).map((group) => group[0]!)
}

/** Things that one can stand by. */
export function standsOnFloor({ support }: SceneObject): boolean {
  return support === 'floor'
}

/** Metres between the closest points of two things' boxes. */
export function gap(a: SceneObject, b: SceneObject): number {
  return closestOfBoxes(turnedBox(a.box), turnedBox(b.box)).distance
}

/** Metres from a thing to the nearest of several. */
export function gapToNearest(from: SceneObject, group: readonly SceneObject[]): number {
  return Math.min(...group.map((object) => gap(from, object)))
}
