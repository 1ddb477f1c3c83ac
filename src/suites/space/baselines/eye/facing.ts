/**
 * Finds which way an object faces, from its outline and depth: the shape on the contact sheet is rendered on its cell in
 * four orientations and compared with the image.
 */
import { lookAlong, type ObjectModel, prepareScene, Renderer } from '../../../../world.ts'
import { type DisplayedObject, SCALE } from '../../domain/vision/displayed-object.ts'
import type { DepthIdFrame } from '../../domain/vision/depth-id-frame.ts'
import type { Detection } from './reading.ts'

/** Depths that differ by less than this are equal, in meters. */
const DEPTH_TOLERANCE = 0.004
/** A difference of this much or more counts as a full pixel of error, in meters. */
const MAX_DEPTH_ERROR = 0.1

const renderers = new WeakMap<ObjectModel, Renderer>()

function rendererFor({ model }: DisplayedObject): Renderer {
  let renderer = renderers.get(model)
  if (renderer === undefined) {
    const { positions, indices } = model.mesh
    const scaled = positions.map((value) => value * SCALE)
    renderer = new Renderer(
      prepareScene({ positions: scaled, indices, materials: [{ name: 'shape', color: [0, 0, 0] }] }),
    )
    renderers.set(model, renderer)
  }
  return renderer
}

/** The viewer's forward in the frame of an object that faces forward, right, backward or left of the viewer. */
const FORWARD = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const

/**
 * Error of each of four facings, in pixels: forward (as the viewer looks), right, backward (toward the viewer), left.
 * Pixels occluded by something nearer are ignored.
 */
export function facingErrors(frame: DepthIdFrame, { id, right, ahead }: Detection, shape: DisplayedObject): number[] {
  const { width, height, focal, near, cameraHeight } = frame
  const renderer = rendererFor(shape)
  return FORWARD.map(([fx, fy]) => {
    // The viewer's right is a quarter turn clockwise from forward.
    const [rx, ry] = [fy, -fx]
    const position = [-(right * rx + ahead * fx), -(right * ry + ahead * fy), cameraHeight] as const
    const { depth } = renderer.render(
      {
        pose: lookAlong(position, [fx, fy, 0]),
        lens: { fx: focal, fy: focal, cx: width / 2, cy: height / 2 },
        near,
      },
      { width, height, color: false, depth: true },
    )
    return facingError(frame, id, depth)
  })
}

function facingError({ depth, ids }: DepthIdFrame, id: number, expected: Float32Array): number {
  let sum = 0
  for (let i = 0; i < ids.length; i++) {
    const there = expected[i]!
    if (ids[i] === id) {
      if (there === 0) sum += 1
      else {
        const off = Math.abs(depth[i]! - there)
        if (off > DEPTH_TOLERANCE) sum += Math.min(1, off / MAX_DEPTH_ERROR)
      }
    } else if (there > 0 && depth[i]! > there - DEPTH_TOLERANCE) sum += 1
  }
  return sum
}
