/** What an object covers of an image at most, without drawing it. */
import type { Pose, TriangleMesh } from '../../../world.ts'
import type { CameraSettings } from './camera.ts'

/** Positions are rounded before they are drawn, by less than this. In meters, and in pixels. */
const ROUNDING_METERS = 0.001
const ROUNDING_PIXELS = 0.02

/** Least x, y, z and greatest x, y, z. */
type Box = [number, number, number, number, number, number]

/**
 * The share of an image that each object cannot exceed: that of the rectangle around the box around its triangles. 1 where
 * it may be as near as the camera itself.
 */
export function mostShares(
  mesh: TriangleMesh,
  { width: fullWidth, height: fullHeight, focal: fullFocal, near }: CameraSettings,
  scale: number,
): (instance: number, pose: Pose) => number {
  const boxes = boxesOf(mesh)
  const [width, height, focal] = [fullWidth * scale, fullHeight * scale, fullFocal * scale]
  return (instance, { position, right, down, forward }) => {
    const box = boxes.get(instance)
    if (!box) return 0
    let [left, top, rightmost, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
    let behind = 0
    for (let corner = 0; corner < 8; corner++) {
      const x = box[corner & 1 ? 3 : 0] - position[0]
      const y = box[corner & 2 ? 4 : 1] - position[1]
      const z = box[corner & 4 ? 5 : 2] - position[2]
      const depth = forward[0] * x + forward[1] * y + forward[2] * z
      if (depth <= near) {
        behind += 1
        continue
      }
      const across = width / 2 + (focal * (right[0] * x + right[1] * y + right[2] * z)) / depth
      const along = height / 2 + (focal * (down[0] * x + down[1] * y + down[2] * z)) / depth
      left = Math.min(left, across)
      rightmost = Math.max(rightmost, across)
      top = Math.min(top, along)
      bottom = Math.max(bottom, along)
    }
    if (behind > 0) return behind === 8 ? 0 : 1
    return (pixels(left, rightmost, width) * pixels(top, bottom, height)) / (width * height)
  }
}

/** Centers of pixels between two places of a row, at most. */
function pixels(from: number, to: number, size: number): number {
  const length = Math.min(to, size) - Math.max(from, 0) + 2 * ROUNDING_PIXELS
  return length < 0 ? 0 : Math.floor(length) + 1
}

function boxesOf({ positions, indices, triangleInstances }: TriangleMesh): Map<number, Box> {
  const boxes = new Map<number, Box>()
  const triangles = indices.length / 3
  for (let from = 0; from < triangles;) {
    const instance = triangleInstances?.[from] ?? 0
    let to = from + 1
    while (to < triangles && (triangleInstances?.[to] ?? 0) === instance) to++
    boxes.set(instance, grown(boxes.get(instance), positions, indices.subarray(from * 3, to * 3)))
    from = to
  }
  return boxes
}

function grown(box: Box | undefined, positions: Float32Array, corners: Uint32Array): Box {
  let [x0, y0, z0, x1, y1, z1] = box ?? [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
  for (let i = 0; i < corners.length; i++) {
    const at = corners[i]! * 3
    const x = positions[at]!
    const y = positions[at + 1]!
    const z = positions[at + 2]!
    // A triangle with such a corner is not drawn.
    if (!Number.isFinite(x + y + z)) continue
    if (x - ROUNDING_METERS < x0) x0 = x - ROUNDING_METERS
    if (y - ROUNDING_METERS < y0) y0 = y - ROUNDING_METERS
    if (z - ROUNDING_METERS < z0) z0 = z - ROUNDING_METERS
    if (x + ROUNDING_METERS > x1) x1 = x + ROUNDING_METERS
    if (y + ROUNDING_METERS > y1) y1 = y + ROUNDING_METERS
    if (z + ROUNDING_METERS > z1) z1 = z + ROUNDING_METERS
  }
  return [x0, y0, z0, x1, y1, z1]
}
