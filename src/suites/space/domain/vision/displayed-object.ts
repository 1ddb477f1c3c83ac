/** Selects the built-in model for an object name, and its displayed size. */
import { hashOf, Random, UserError } from '../../../../suite.ts'
import { buildObject, type Category, isCategory, type ObjectModel, VARIANTS } from '../../../../world.ts'
import type { GridObject, Scene } from '../grid/scene.ts'

/**
 * Maximum side on the floor, in meters. Half of it is the 0.4 m by which the placement rules keep the middle one of three
 * objects off the line through the other two: from any of them, the center of every other is visible.
 */
export const MAX_WIDTH = 0.8
/** Tall objects end slightly above the camera (0.8 m); enlarged ones stay below it, which keeps the view behind them. */
const MAX_HEIGHT = 1
const MAX_ENLARGED_HEIGHT = 0.7
/** Small objects are enlarged, to be recognizable from across a room. */
const MAX_SCALE = 2.2

/** Names in the published scenes that differ from ours. */
const ALIASES: Readonly<Record<string, Category>> = {
  fridge: 'refrigerator',
  shelf: 'bookshelf',
  tv: 'television',
  bike: 'bicycle',
  teddybear: 'teddy bear',
  dresser: 'chest of drawers',
  wine: 'bottle',
  carpet: 'rug',
}

/** Objects that do not belong on a floor, and thin ones that almost vanish from the side, are placed on a plinth. */
export const PLINTH_WIDTH = 0.62
const PLINTH_HEIGHT = 0.3
const LOW_PLINTH_HEIGHT = 0.12
const THIN: ReadonlySet<string> = new Set(['whiteboard'])

export interface DisplayedObject {
  model: ObjectModel
  scale: number
  /** Height of its plinth, in meters; 0 for none. */
  raised: number
}

/** `red chair` is a chair. Undefined if there is no built-in model. */
export function categoryOf(name: string): Category | undefined {
  const plain = name.toLowerCase().replaceAll('_', ' ').trim()
  for (const candidate of [plain, plain.split(' ').at(-1)!]) {
    if (isCategory(candidate)) return candidate
    const other = Object.hasOwn(ALIASES, candidate) ? ALIASES[candidate] : undefined
    if (other !== undefined) return other
  }
  return undefined
}

/** Reasons why a scene cannot be rendered; empty if it can. */
export function renderProblems({ objects }: Pick<Scene, 'objects'>): string[] {
  return objects.flatMap(({ name, oriented }) => {
    const category = categoryOf(name)
    if (category === undefined) return [`no built-in model of "${name}"`]
    return oriented && buildObject(category, 0).facing === null ? [`the built-in ${category} has no front`] : []
  })
}

export function checkRenderable(scene: Pick<Scene, 'objects'>, from: string): void {
  const problems = renderProblems(scene)
  if (problems.length > 0) {
    throw new UserError(`${from} cannot be rendered: ${problems.slice(0, 3).join('; ')}.`, {
      hint: 'Use space/text, which needs no images. Generated rooms can be rendered with up to 20 objects.',
    })
  }
}

/**
 * Seed for the model variants of a scene's objects. It only depends on what stays the same when objects move or turn, so a
 * chair remains the same chair.
 */
export function appearanceKey({ mask, start, order }: Pick<Scene, 'mask' | 'start' | 'order'>): string {
  return hashOf({ mask, start, order })
}

export function displayedObject({ name }: Pick<GridObject, 'name'>, appearance: string): DisplayedObject {
  const category = categoryOf(name)
  if (category === undefined) throw new UserError(`No built-in model of "${name}".`)
  const model = buildObject(category, new Random(`space/vision/${appearance}/${name}`).int(VARIANTS))
  const raised = model.mount !== 'floor' ? PLINTH_HEIGHT : THIN.has(category) ? LOW_PLINTH_HEIGHT : 0
  return { model, scale: scaleOf(model.size, raised), raised }
}

function scaleOf([depth, width, height]: readonly [number, number, number], raised: number): number {
  const fitting = Math.min(MAX_WIDTH / Math.max(depth, width), (MAX_HEIGHT - raised) / height)
  if (fitting <= 1) return fitting
  return Math.max(1, Math.min(fitting, MAX_ENLARGED_HEIGHT / height, MAX_SCALE))
}
