/**
 * Which way a thing faces, from its outline and depth: the shape that the contact sheet shows is imagined on its cell,
 * turned four ways, and held against the picture.
 */
import { lookAlong, type ObjectModel, prepareScene, Renderer } from '../../../../world.ts'
import type { ShownObject } from '../../domain/vision/shown.ts'
import type { DepthIdFrame } from '../../domain/vision/depth-id-frame.ts'
import type { Glimpse } from './reading.ts'

/** Depths that differ by less than this are the same, metres. */
const SAME = 0.004
/** A difference of this much or more is as wrong as a miss. */
const WRONG = 0.1

const imagined = new WeakMap<ObjectModel, Renderer>()

function rendererFor({ model, scale, raised }: ShownObject): Renderer {
  let renderer = imagined.get(model)
  if (renderer === undefined) {
    const { positions, indices } = model.mesh
    const scaled = positions.map((value, i) => value * scale + (i % 3 === 2 ? raised : 0))
    renderer = new Renderer(
      prepareScene({ positions: scaled, indices, materials: [{ name: 'shape', color: [0, 0, 0] }] }),
    )
    imagined.set(model, renderer)
  }
  return renderer
}

/** The viewer's forward in the frame of a thing that faces forward, right, backward and left of the viewer. */
const FORWARD = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const

/**
 * How badly each of four facings fits, in pixels: forward (as the viewer looks), right, backward (towards the viewer),
 * left. What something nearer hides tells nothing.
 */
export function misfits(frame: DepthIdFrame, { id, right, ahead }: Glimpse, shape: ShownObject): number[] {
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
    return misfit(frame, id, depth)
  })
}

function misfit({ depth, ids }: DepthIdFrame, id: number, expected: Float32Array): number {
  let sum = 0
  for (let i = 0; i < ids.length; i++) {
    const there = expected[i]!
    if (ids[i] === id) {
      if (there === 0) sum += 1
      else {
        const off = Math.abs(depth[i]! - there)
        if (off > SAME) sum += Math.min(1, off / WRONG)
      }
    } else if (there > 0 && depth[i]! > there - SAME) sum += 1
  }
  return sum
}
