/** Whether a part can move as it is said to: bodies as the boxes they are built of, so that a case is hollow. */
import {
  addScaled,
  compose,
  cross,
  dot,
  type Frame,
  IDENTITY,
  lengthOf,
  moved,
  type Occluder,
  originOf,
  scaled,
  subtract,
  turned,
  type Vec3,
} from '../../../../world.ts'
import type { ModelPart } from './model.ts'

/** A turned box: its middle and its half sides. */
export interface Block {
  center: Vec3
  /** From the middle to a corner. */
  radius: number
  halves: readonly [Vec3, Vec3, Vec3]
}

/** Lighting knows a part by boxes; what is too small for that is its own box. */
export function blocksOf({ occluders, size }: Pick<ModelPart, 'occluders' | 'size'>, frame: Frame): Block[] {
  const boxes: readonly Occluder[] = occluders.length > 0 ? occluders : [{ frame: IDENTITY, half: scaled(size, 0.5) }]
  return boxes.map((box) => {
    const at = compose(frame, box.frame)
    const side = (k: 0 | 1 | 2): Vec3 => scaled([at[k]!, at[k + 4]!, at[k + 8]!], box.half[k])
    return { center: originOf(at), radius: lengthOf(box.half), halves: [side(0), side(1), side(2)] }
  })
}

/** All that a part may fill: where lighting knows it by one box, it may be more than that. */
export function bodyOf({ size, occluders }: Pick<ModelPart, 'occluders' | 'size'>, frame: Frame): Block[] {
  return blocksOf({ size, occluders: occluders.length > 1 ? occluders : [] }, frame)
}

export function movedBlock({ center, radius, halves: [x, y, z] }: Block, by: Frame): Block {
  return { center: moved(by, center), radius, halves: [turned(by, x), turned(by, y), turned(by, z)] }
}

/** Directions shorter than this, of sides that run alike, separate nothing. */
const PARALLEL = 1e-12

/** How deep two boxes are in each other, meters: the least way that parts them. Below 0 they are apart. */
export function depthOf(a: Block, b: Block): number {
  const between = subtract(b.center, a.center)
  let least = a.radius + b.radius - lengthOf(between)
  if (least <= 0) return least
  const test = (direction: Vec3): boolean => {
    const length = lengthOf(direction)
    if (length < PARALLEL) return true
    let reach = 0
    for (const half of a.halves) reach += Math.abs(dot(half, direction))
    for (const half of b.halves) reach += Math.abs(dot(half, direction))
    least = Math.min(least, (reach - Math.abs(dot(between, direction))) / length)
    return least > 0
  }
  for (const side of a.halves) if (!test(side)) return least
  for (const side of b.halves) if (!test(side)) return least
  for (const one of a.halves) for (const other of b.halves) if (!test(cross(one, other))) return least
  return least
}

/** Places along each side of a box where is looked what they lie in. */
const PLACES = 6

/** How much of the volume of some boxes lies within others, 0 to 1. */
export function shareWithin(blocks: readonly Block[], others: readonly Block[]): number {
  const steps = Array.from({ length: PLACES }, (_, i) => (2 * i + 1) / PLACES - 1)
  let [volume, within] = [0, 0]
  for (const { center, halves } of blocks) {
    const [x, y, z] = halves
    const own = lengthOf(x) * lengthOf(y) * lengthOf(z)
    let count = 0
    for (const i of steps)
      for (const j of steps)
        for (const k of steps) {
          const point = addScaled(addScaled(addScaled(center, x, i), y, j), z, k)
          if (others.some((other) => holds(other, point))) count += 1
        }
    volume += own
    within += (own * count) / PLACES ** 3
  }
  return volume > 0 ? within / volume : 0
}

function holds({ center, halves }: Block, point: Vec3): boolean {
  const offset = subtract(point, center)
  return halves.every((half) => Math.abs(dot(offset, half)) < dot(half, half))
}
