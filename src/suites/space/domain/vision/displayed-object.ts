/** Selects the built-in model for an object name, and prepares it for display: on a stand if it needs one, its rear marked. */
import { hashOf, memoized, Random, UserError } from '../../../../suite.ts'
import {
  buildObject,
  type Category,
  compose,
  isCategory,
  joinMeshes,
  type ObjectMesh,
  type ObjectModel,
  VARIANTS,
} from '../../../../world.ts'
import type { GridObject, Scene } from '../grid/scene.ts'
import { EDGE_SHARE, withMarkedRear } from './rear.ts'
import { cabinetStand, pedestal, type Stand } from './stand.ts'

/**
 * Meters shown per real meter, for every object, door and wall: two things at the same distance have the right sizes
 * relative to each other. The published renderer has the same factor.
 */
export const SCALE = 0.6
/** Objects stay within their cell of one meter; larger variants are not shown. */
export const MAX_WIDTH = 1
/** Below the top of the walls, in meters shown. */
const MAX_HEIGHT = 1.4

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

/** The sturdier one of two things that go by the name: little of a slim one is left to see across a room. */
const SHOWN_AS: Readonly<Record<string, Category>> = { chair: 'armchair', lamp: 'floor lamp' }

/** All in real meters. An object with its stand is about as high as a table with something on it. */
const HEIGHT_ON_STAND = 1.15
const STAND_HEIGHT = [0.5, 0.8] as const
const STAND_SIDE = 0.56
/** Lower objects with a front get a stand. */
const MIN_HEIGHT = 0.46
/** Lower things, like a waste-paper basket, are hard to see across a room: a larger variant is taken if there is one. */
const TALL = 0.5
/** Objects that almost vanish from the side stand on a low, deep one, and all of their back is marked. */
const THIN: ReadonlySet<string> = new Set(['whiteboard'])
const PODIUM = { depth: 0.85, height: 0.35 } as const

/** An object as it is drawn: real meters, to be scaled by `SCALE`. */
export interface DisplayedObject {
  /** With its stand. */
  model: ObjectModel
  oriented: boolean
  /** The same in the catalogue, without a stand. */
  catalogued: ObjectModel
}

/** `red chair` is a chair. Undefined if there is no built-in model. */
export function categoryOf(name: string): Category | undefined {
  const plain = name.toLowerCase().replaceAll('_', ' ').trim()
  for (const candidate of [plain, plain.split(' ').at(-1)!]) {
    const shown = Object.hasOwn(SHOWN_AS, candidate) ? SHOWN_AS[candidate] : undefined
    if (shown !== undefined) return shown
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
    if (!VARIANT_NUMBERS.some((variant) => fits(buildObject(category, variant), oriented)))
      return [`the built-in ${category} is larger than a cell`]
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

export function displayedObject(
  { name, oriented }: Pick<GridObject, 'name' | 'oriented'>,
  appearance: string,
): DisplayedObject {
  const category = categoryOf(name)
  if (category === undefined) throw new UserError(`No built-in model of "${name}".`)
  const order = new Random(`space/vision/${appearance}/${name}`).shuffle([...VARIANT_NUMBERS])
  const isFitting = (number: number): boolean => fits(buildObject(category, number), oriented)
  const isTall = (number: number): boolean => sizeOf(buildObject(category, number), oriented)[2] >= TALL
  const variant = order.find((number) => isFitting(number) && isTall(number)) ?? order.find(isFitting)
  if (variant === undefined) throw new UserError(`The built-in ${category} is larger than a cell.`)
  return display(buildObject(category, variant), oriented)
}

const VARIANT_NUMBERS: readonly number[] = Array.from({ length: VARIANTS }, (_, variant) => variant)

/** Does it stay within a cell and below the top of the walls, at the scale of all objects? */
export function fits(catalogued: ObjectModel, oriented: boolean): boolean {
  const [depth, width, height] = sizeOf(catalogued, oriented)
  return Math.max(depth, width) * SCALE <= MAX_WIDTH && height * SCALE <= MAX_HEIGHT
}

/** With its stand. */
function sizeOf(catalogued: ObjectModel, oriented: boolean): ObjectModel['size'] {
  const { size } = catalogued
  const stand = standFor(catalogued, oriented)
  if (stand === null) return size
  return [Math.max(stand.depth, size[0]), Math.max(stand.width, size[1]), stand.height + size[2]]
}

/** An object of the catalogue as it is drawn. */
export function display(catalogued: ObjectModel, oriented: boolean): DisplayedObject {
  return oriented ? withFront(catalogued) : withoutFront(catalogued)
}

const withFront = memoized((catalogued: ObjectModel) => prepare(catalogued, true))
const withoutFront = memoized((catalogued: ObjectModel) => prepare(catalogued, false))

function standFor({ category, mount, size: [depth, width, height] }: ObjectModel, oriented: boolean): Stand | null {
  if (THIN.has(category)) return { ...PODIUM, width }
  if (mount === 'floor' && (!oriented || height >= MIN_HEIGHT)) return null
  const wanted = Math.min(STAND_HEIGHT[1], Math.max(STAND_HEIGHT[0], HEIGHT_ON_STAND - height))
  return { depth: Math.max(STAND_SIDE, depth), width: Math.max(STAND_SIDE, width), height: wanted }
}

function prepare(catalogued: ObjectModel, oriented: boolean): DisplayedObject {
  const stand = standFor(catalogued, oriented)
  const size = sizeOf(catalogued, oriented)
  const edgeShare = THIN.has(catalogued.category) ? 0.5 : EDGE_SHARE
  const marked = (mesh: ObjectMesh): ObjectMesh => (oriented ? withMarkedRear(mesh, size[0], size[1], edgeShare) : mesh)
  // A device keeps its own back, to be recognized from behind: its stand is marked.
  const own = catalogued.mount === 'floor' ? marked(catalogued.mesh) : catalogued.mesh
  if (stand === null) return { model: { ...catalogued, mesh: own }, catalogued, oriented }
  const raise = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, stand.height]
  const under = oriented ? cabinetStand(stand) : pedestal(stand)
  const model: ObjectModel = {
    ...catalogued,
    mesh: joinMeshes([
      { mesh: marked(under.mesh([0, 0, 0])), instance: 0, frame: null },
      { mesh: own, instance: 0, frame: raise },
    ]),
    size,
    occluders: [
      ...under.occluders,
      ...catalogued.occluders.map(({ frame, half }) => ({ frame: compose(raise, frame), half })),
    ],
  }
  return { model, catalogued, oriented }
}
