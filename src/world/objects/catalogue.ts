/** Every category of object there is, and how to build one. */
import { UserError } from '../../base/errors.ts'
import { Random } from '../../base/random.ts'
import { refine } from '../light/refine.ts'
import { bathroom } from './bathroom.ts'
import { clutter } from './clutter.ts'
import { decor } from './decor.ts'
import { type DyeablePart, dyeableParts } from './dyeable.ts'
import { electronics } from './electronics.ts'
import { instruments } from './instruments.ts'
import { kitchen } from './kitchen.ts'
import { kitchenware } from './kitchenware.ts'
import { leisure } from './leisure.ts'
import { lighting } from './lighting.ts'
import type { ObjectKind, ObjectModel } from './model.ts'
import { plants } from './plants.ts'
import { seating } from './seating.ts'
import { compose } from '../frames.ts'
import { type ObjectMesh, Sculpture } from './shapes.ts'
import { storage } from './storage.ts'
import { tables } from './tables.ts'
import { tools } from './tools.ts'
import { workplace } from './workplace.ts'

const all = {
  ...seating,
  ...tables,
  ...storage,
  ...lighting,
  ...electronics,
  ...kitchen,
  ...kitchenware,
  ...bathroom,
  ...plants,
  ...decor,
  ...instruments,
  ...leisure,
  ...workplace,
  ...tools,
  ...clutter,
}

export type Category = keyof typeof all

/** By name. Add an object: write its kind in the file of its group. */
export const catalogue: Readonly<Record<Category, ObjectKind>> = all

export const categories = Object.keys(all) as readonly Category[]

/** How many different objects each category has; variants count from 0. */
export const VARIANTS = 12

export function isCategory(name: string): name is Category {
  return Object.hasOwn(all, name)
}

/** Light is baked at vertices: no edge of an object is longer than this, in meters. */
const MAX_EDGE = 0.45

const built = new Map<string, ObjectModel>()

/**
 * The object of a category and variant; the same on every machine, built once and then kept. Do not write into its
 * arrays.
 *
 * @example
 * const chair = buildObject('chair', 3)
 * chair.size // [0.51, 0.44, 0.93]
 */
export function buildObject(category: string, variant: number | Random): ObjectModel {
  if (!isCategory(category)) {
    throw new UserError(`No built-in object is called “${category}”. There are: ${categories.join(', ')}.`)
  }
  const number = typeof variant === 'number' ? variant : variant.int(VARIANTS)
  const key = `${category}/${number}`
  let model = built.get(key)
  if (!model) {
    model = model3d(category, number)
    built.set(key, model)
  }
  return model
}

const millimetres = (metres: number): number => Math.round(metres * 1000) / 1000

function model3d(category: Category, variant: number): ObjectModel {
  const kind = catalogue[category]
  const sculpture = new Sculpture()
  const surfaces =
    kind.build(sculpture, new Random(`object/${category}/${variant}`), new Random(`style/${variant}`)) ?? []
  const low: [number, number, number] = [Infinity, Infinity, Infinity]
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity]
  const { positions, occluders, contents } = sculpture
  for (let i = 0; i < positions.length; i++) {
    const axis = (i % 3) as 0 | 1 | 2
    const p = positions[i]!
    if (p < low[axis]) low[axis] = p
    if (p > high[axis]) high[axis] = p
  }
  const offset = [-(low[0] + high[0]) / 2, -(low[1] + high[1]) / 2, -low[2]] as const
  // Scenes are described far more often than drawn. What a mesh was made from takes more memory than the mesh: it is let go.
  let shape: { mesh: ObjectMesh } | Sculpture = sculpture
  let dyeable: readonly DyeablePart[] | undefined
  const dyeableOf = (unmade: Sculpture) => (dyeable ??= dyeableParts(unmade))
  return {
    category,
    variant,
    get mesh() {
      if (shape instanceof Sculpture) {
        dyeableOf(shape)
        shape = { mesh: refine(shape.mesh(offset), MAX_EDGE) }
      }
      return shape.mesh
    },
    size: [millimetres(high[0] - low[0]), millimetres(high[1] - low[1]), millimetres(high[2] - low[2])],
    facing: kind.oriented ? 0 : null,
    mount: kind.mount,
    surfaces: surfaces.map(({ z, x, y, ...rest }) => ({
      z: millimetres(z + offset[2]),
      x: [millimetres(x[0] + offset[0]), millimetres(x[1] + offset[0])] as const,
      y: [millimetres(y[0] + offset[1]), millimetres(y[1] + offset[1])] as const,
      ...rest,
    })),
    occluders: occluders.map(({ frame, half }) => ({
      frame: compose([1, 0, 0, offset[0], 0, 1, 0, offset[1], 0, 0, 1, offset[2]], frame),
      half,
    })),
    get dyeable() {
      return shape instanceof Sculpture ? dyeableOf(shape) : dyeable!
    },
    contains: contents,
  }
}
