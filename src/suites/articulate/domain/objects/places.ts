/**
 * Where the parts of a built-in object are, drawn: a cabinet's door may hang on its side or stand on its top. Where parts
 * usually are, names and sizes tell; where these are, only pictures do.
 */
import type { Random } from '../../../../suite.ts'
import { add, addScaled, frameOf, subtract, type Vec3 } from '../../../../world.ts'
import { hullDistance, type Solid } from '../assembly/hull-distance.ts'
import { type Block, bodyOf, depthOf } from './clearance.ts'
import { type ArticulatedModel, hullPoints, type ModelJoint, type ModelPart } from './model.ts'

type Drawable = Omit<ArticulatedModel, 'shelf'>

/** The sides that the stills show: front, both flanks and top. */
const SIDES: readonly Vec3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
]
const DRAWS = 80
/** Share of its own length that a part may stand out beyond what it is on. */
const BEYOND = 0.25
/** Meters that a part may be pressed into others. */
const PRESSED = 0.0005
/** Parts nearer than this touch, meters. */
const CONTACT = 0.002
/** Halvings of the way to what it is on: a tenth of a millimeter. */
const HALVINGS = 14

/** The object with every part at a place of its own, each on what it hangs on; where there is no room, as it was. */
export function drawPlaces<Model extends Drawable>(model: Model, random: Random): Model {
  const root = model.parts[0]!
  const placed = new Map<string, Vec3>([[root.name, root.center]])
  const waiting = [...model.joints]
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ parent }) => placed.has(parent))
    if (next < 0) return model
    const [joint] = waiting.splice(next, 1)
    const center = placeOf(model, joint!, placed, random.fork(joint!.child))
    if (!center) return model
    placed.set(joint!.child, center)
  }
  const shiftOf = ({ name, center }: ModelPart): Vec3 => subtract(placed.get(name)!, center)
  const shifts = new Map(model.parts.map((part) => [part.name, shiftOf(part)]))
  return {
    ...model,
    parts: model.parts.map((part) => ({ ...part, center: placed.get(part.name)! })),
    joints: model.joints.map((joint) => ({ ...joint, origin: add(joint.origin, shifts.get(joint.child)!) })),
  }
}

function placeOf(
  { parts, ground }: Drawable,
  { child, parent }: ModelJoint,
  placed: ReadonlyMap<string, Vec3>,
  random: Random,
): Vec3 | null {
  const named = (name: string): ModelPart => parts.find((part) => part.name === name)!
  const [part, holder] = [named(child), named(parent)]
  const at = (center: Vec3): Block[] => bodyOf(part, frameOf(center))
  const held = bodyOf(holder, frameOf(placed.get(parent)!))
  const others = [...placed].flatMap(([name, center]) => (name === parent ? [] : bodyOf(named(name), frameOf(center))))
  const isIn = (center: Vec3, all: readonly Block[]): boolean =>
    at(center).some((block) => all.some((other) => depthOf(block, other) > PRESSED))
  const [points, body] = [hullPoints(part.mesh.positions), hullPoints(holder.mesh.positions)]
  const touches = (center: Vec3): boolean => {
    const solid: Solid = { points: body, frame: frameOf(placed.get(parent)!) }
    return hullDistance({ points, frame: frameOf(center) }, solid) < CONTACT
  }
  for (let draw = 0; draw < DRAWS; draw++) {
    const side = random.pick(SIDES)
    const normal = side.findIndex(Boolean)
    const along = (k: 0 | 1 | 2): number => {
      const most = holder.size[k] / 2 + part.size[k] * (BEYOND - 0.5)
      // A part that is longer than what it is on may stand out on either end.
      const reach = Math.max(most, part.size[k] / 2 - holder.size[k] * BEYOND)
      return k === normal ? 0 : random.range(-reach, reach)
    }
    const middle = add(placed.get(parent)!, [along(0), along(1), along(2)])
    // From where it is clear of the holder inward, until it touches.
    let clear = (holder.size[normal]! + part.size[normal]!) / 2
    let touching = 0
    if (!isIn(addScaled(middle, side, touching), held)) continue
    for (let i = 0; i < HALVINGS; i++) {
      const half = (clear + touching) / 2
      if (isIn(addScaled(middle, side, half), held)) touching = half
      else clear = half
    }
    const center = addScaled(middle, side, clear)
    const isAboveGround = center[2] - part.size[2] / 2 >= -ground - PRESSED
    if (isAboveGround && !isIn(center, others) && touches(center)) return center
  }
  return null
}
