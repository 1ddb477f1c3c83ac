/** Which built-in object stands for a name, and how large it is shown. */
import { hashOf, Random, UserError } from '../../../../suite.ts'
import { buildObject, type Category, isCategory, type ObjectModel, VARIANTS } from '../../../../world.ts'
import type { GridObject, Scene } from '../grid/scene.ts'

/**
 * Widest side on the floor, metres. Half of it is the 0.4 m by which the placement rules keep the middle one of three
 * things off the line through the other two: from any of them, the middle of every other is in sight.
 */
export const WIDEST = 0.8
/** Tall things end a little above the camera (0.8 m); all others below it, so that one sees what is behind them. */
const TALLEST = 1
const TALLEST_ENLARGED = 0.7
/** Small things are shown larger, or nobody could name them from across a room. */
const MAX_ENLARGED = 2.2

/** What the published scenes call otherwise. */
const ALSO_CALLED: Readonly<Record<string, Category>> = {
  fridge: 'refrigerator',
  shelf: 'bookshelf',
  tv: 'television',
  bike: 'bicycle',
  teddybear: 'teddy bear',
  dresser: 'chest of drawers',
  wine: 'bottle',
  carpet: 'rug',
}

/** Things that one does not put on a floor, and thin ones that are next to nothing from the side, stand on a plinth. */
export const PLINTH_WIDTH = 0.62
const PLINTH_HEIGHT = 0.3
const LOW_PLINTH_HEIGHT = 0.12
const THIN: ReadonlySet<string> = new Set(['whiteboard'])

export interface ShownObject {
  model: ObjectModel
  scale: number
  /** Height of the plinth that it stands on, metres; 0 for none. */
  raised: number
}

/** `red chair` is a chair. Undefined when nothing built-in is called so. */
export function categoryOf(name: string): Category | undefined {
  const plain = name.toLowerCase().replaceAll('_', ' ').trim()
  for (const candidate of [plain, plain.split(' ').at(-1)!]) {
    if (isCategory(candidate)) return candidate
    const other = Object.hasOwn(ALSO_CALLED, candidate) ? ALSO_CALLED[candidate] : undefined
    if (other !== undefined) return other
  }
  return undefined
}

/** Objects that have no picture, in words; empty when the scene can be shown. */
export function notShowable({ objects }: Pick<Scene, 'objects'>): string[] {
  return objects.flatMap(({ name, oriented }) => {
    const category = categoryOf(name)
    if (category === undefined) return [`there is no built-in “${name}”`]
    return oriented && buildObject(category, 0).facing === null ? [`the built-in ${category} has no front`] : []
  })
}

export function checkShowable(scene: Pick<Scene, 'objects'>, from: string): void {
  const problems = notShowable(scene)
  if (problems.length > 0) {
    throw new UserError(`${from} cannot be shown: ${problems.slice(0, 3).join('; ')}.`, {
      hint: 'space/text plays it in words. Built-in rooms have at most 20 objects in pictures.',
    })
  }
}

/**
 * The variants of a scene's objects. They go by what does not change when objects are moved or turned, so that a chair
 * stays the same chair.
 */
export function appearanceKey({ mask, start, order }: Pick<Scene, 'mask' | 'start' | 'order'>): string {
  return hashOf({ mask, start, order })
}

export function shownObject({ name }: Pick<GridObject, 'name'>, appearance: string): ShownObject {
  const category = categoryOf(name)
  if (category === undefined) throw new UserError(`There is no built-in “${name}”.`)
  const model = buildObject(category, new Random(`space/vision/${appearance}/${name}`).int(VARIANTS))
  const raised = model.mount !== 'floor' ? PLINTH_HEIGHT : THIN.has(category) ? LOW_PLINTH_HEIGHT : 0
  return { model, scale: scaleOf(model.size, raised), raised }
}

function scaleOf([depth, width, height]: readonly [number, number, number], raised: number): number {
  const fits = Math.min(WIDEST / Math.max(depth, width), (TALLEST - raised) / height)
  if (fits <= 1) return fits
  return Math.max(1, Math.min(fits, TALLEST_ENLARGED / height, MAX_ENLARGED))
}
