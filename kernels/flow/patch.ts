/** A patch in memory, and where it stands. */
import { PATCH, PATCH_FLOATS, STEP } from './layout'

/** Where in a patch's floats its flow stands after smoothing: in the place of its mean gradients. */
export const SMOOTHED: usize = 20

// @ts-ignore: decorator
@inline
export function patchAt(patches: usize, across: i32, i: i32, j: i32): usize {
  return patches + <usize>((j * across + i) * PATCH_FLOATS * 4)
}

/** The last patch ends with the picture, so that all of it is covered. */
// @ts-ignore: decorator
@inline
export function placeOf(i: i32, count: i32, side: i32): i32 {
  return i == count - 1 ? side - PATCH : i * STEP
}

/** Keeps a patch's place where the border still has pixels for it. */
// @ts-ignore: decorator
@inline
export function clamped(place: f32, side: i32): f32 {
  return max<f32>(<f32>-PATCH - 2, min<f32>(<f32>side + 1, place))
}

/** How much texture a patch has: the trace of its structure matrix, from the inverse that is kept. */
// @ts-ignore: decorator
@inline
export function energy(patch: usize): f32 {
  const ia = load<f32>(patch, 8)
  const ib = load<f32>(patch, 12)
  const ic = load<f32>(patch, 16)
  const det = ia * ic - ib * ib
  return det > 0 ? (ia + ic) / det : 0
}
