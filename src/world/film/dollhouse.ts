import type { Bounds } from '../geometry/bounds.ts'
import { type Camera, fieldOfView, lookAt, type Vec3 } from '../render/index.ts'

/** Narrow, so that far walls are not much smaller than near ones. */
const FOV_DEGREES = 35
/** Bounds of scans leave out what lies at the very edge; it is to be seen too. */
const MARGIN = 1.1
/** From where one looks: south of it and well above, like a dollhouse. */
const ABOVE: Vec3 = [-0.25, -0.55, 0.8]
/** Things of any size are seen whole: nothing is cut off before this part of the distance to their middle. */
const NEAR_PART = 0.001

interface Size {
  width: number
  height: number
}

/** Looks on a whole scene from above and aside, like a dollhouse; cut it open with `cutAbove`. */
export function dollhouse(bounds: Bounds, size: Size): Camera {
  return wholeFrom(ABOVE, bounds, size)
}

/** The nearest place in a direction from which all of a box is in the picture. */
export function wholeFrom(direction: Vec3, { min, max }: Bounds, { width, height }: Size): Camera {
  const lens = fieldOfView(FOV_DEGREES, width, height)
  const middle = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2] as const
  const at = (distance: number): Vec3 => {
    const scale = distance / Math.hypot(...direction)
    return [middle[0] + direction[0] * scale, middle[1] + direction[1] * scale, middle[2] + direction[2] * scale]
  }
  const { right, down, forward } = lookAt(at(1), middle)
  let distance = 0
  for (let corner = 0; corner < 8; corner++) {
    const to = [0, 1, 2].map((axis) => ((corner >> axis) & 1 ? max[axis]! : min[axis]!) - middle[axis]!)
    const along = (way: Vec3): number => way[0] * to[0]! + way[1] * to[1]! + way[2] * to[2]!
    const aside = Math.max(
      (Math.abs(along(right)) * lens.fx) / (width / 2),
      (Math.abs(along(down)) * lens.fy) / (height / 2),
    )
    distance = Math.max(distance, MARGIN * aside - along(forward))
  }
  // A single point has no size; it is looked at from somewhere all the same.
  const from = distance || 1
  return { pose: lookAt(at(from), middle), lens, near: Math.min(0.05, from * NEAR_PART) }
}
