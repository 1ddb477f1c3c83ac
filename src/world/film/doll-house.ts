import type { Bounds } from '../geometry/bounds.ts'
import { type Camera, fieldOfView, lookAt } from '../render/index.ts'

/** Narrow, so that far walls are not much smaller than near ones. */
const FOV_DEGREES = 35
/** Where the viewer is from the middle of the scene, for each metre of distance: south of it and well above. */
const ASIDE = { x: -0.25, y: -0.55, z: 0.8 }

/** Looks on a whole scene from above and aside, as into a doll's house; cut it open with `cutAbove`. */
export function dollHouse({ min, max }: Bounds, { width, height }: { width: number; height: number }): Camera {
  const middle = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, min[2]] as const
  const lens = fieldOfView(FOV_DEGREES, width, height)
  const radius = Math.hypot(max[0] - min[0], max[1] - min[1]) / 2
  // The whole ball around the scene fits into the narrower side of the picture.
  const reach = Math.min(width, height) / 2 / lens.fx
  const distance = radius / (reach / Math.sqrt(1 + reach * reach))
  const eye = [middle[0] + ASIDE.x * distance, middle[1] + ASIDE.y * distance, middle[2] + ASIDE.z * distance] as const
  return { pose: lookAt(eye, middle), lens }
}
