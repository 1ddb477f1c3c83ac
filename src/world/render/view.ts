/** A camera and a picture size as the rasterisers take them: 64 words, rounded to single precision once, here. */
import { UserError } from '../../base/errors.ts'
import type { Camera } from './camera.ts'
import * as at from './layout.ts'
import type { RenderOptions } from './picture.ts'
import type { PreparedScene } from './scene.ts'

const DEFAULT_NEAR = 0.05
/** Sides of a picture. At twice this, coordinates still fit the guard band. */
const MAX_SIDE = 4096
/** Higher than anything; finite, so that differences of it are numbers. */
const NO_CUT = 1e30

export function checkSides({ width, height }: Pick<RenderOptions, 'width' | 'height'>): void {
  for (const [name, side] of Object.entries({ width, height }))
    if (!Number.isInteger(side) || side < 1 || side > MAX_SIDE)
      throw new UserError(`A picture's ${name} must be a whole number from 1 to ${MAX_SIDE}, not ${side}.`)
}

/** `scale` 2 makes the view twice as wide and high, with the same picture in it. */
export function makeView(
  scene: PreparedScene,
  { pose, lens, near = DEFAULT_NEAR }: Camera,
  options: RenderOptions,
  scale: 1 | 2,
): Float32Array {
  const { width, height, background = [255, 255, 255], cutAbove, exposure = 1, hideBackFaces = false } = options
  checkSides({ width, height })
  const numbers = [...pose.position, ...pose.right, ...pose.down, ...pose.forward, lens.fx, lens.fy, lens.cx, lens.cy]
  if (!numbers.every(Number.isFinite) || !(lens.fx > 0) || !(lens.fy > 0) || !(near > 0))
    throw new UserError(
      'The camera has a coordinate that is not a number, or a focal length or near plane that is not positive.',
    )

  const view = new Float32Array(at.VIEW_BYTES / 4)
  view.set([...pose.right, ...pose.down, ...pose.forward], at.V_ROTATION)
  view.set(pose.position, at.V_POSITION)
  const fx = lens.fx * scale
  const fy = lens.fy * scale
  view.set([fx, fy, lens.cx * scale, lens.cy * scale, 1 / fx, 1 / fy], at.V_FX)
  const orthographic = lens.orthographic === true
  view[at.V_NEAR] = near
  view[at.V_GUARD_X] = at.GUARD_PIXELS / fx
  view[at.V_GUARD_Y] = at.GUARD_PIXELS / fy
  view[at.V_FAR] = orthographic ? farthest(scene, pose) : 0
  view[at.V_CUT] = cutAbove ?? NO_CUT
  view[at.V_EXPOSURE] = exposure
  if (background !== 'none') view.set(background, at.V_BACKGROUND)

  const words = new Int32Array(view.buffer)
  words[at.V_WIDTH] = width * scale
  words[at.V_HEIGHT] = height * scale
  // Four pixels are written at a time from anywhere in a row: three spare ones, and whole tiles of eight.
  words[at.V_STRIDE] = (width * scale + 3 + 7) & ~7
  words[at.V_FLAGS] = (orthographic ? at.VIEW_ORTHOGRAPHIC : 0) | (hideBackFaces ? at.VIEW_HIDE_BACK_FACES : 0)
  return view
}

/** Depth of the scene's farthest corner and a meter, at least the near plane. */
function farthest({ bounds: { min, max } }: PreparedScene, { position, forward }: Camera['pose']): number {
  let depth = 0
  for (let axis = 0; axis < 3; axis++) {
    const along = forward[axis]!
    depth += along * ((along > 0 ? max[axis]! : min[axis]!) - position[axis]!)
  }
  return Math.max(depth, 0) + 1
}
