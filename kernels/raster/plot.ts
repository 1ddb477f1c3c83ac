/** Writes four pixels side by side where the triangle is the nearest. No calls in it: it is to be inlined. */
import * as frame from './frame'

/** `offset` is four times the pixel's number; `covered` has all bits set in the lanes that the triangle covers. */
export function plot(offset: usize, covered: v128, near: v128, id: v128): void {
  const atCloseness = frame.closeness + offset
  const atTriangle = frame.triangles + offset
  const oldNear = v128.load(atCloseness)
  const oldId = v128.load(atTriangle)
  // Closeness 0, which a pixel that is not covered gets here, is never nearer than what is there.
  const here = v128.and(near, covered)
  // Of two equally near triangles the lower number wins: the picture does not depend on the order of drawing.
  const tie = v128.and(f32x4.eq(here, oldNear), i32x4.lt_s(id, oldId))
  if (frame.behind == 0) {
    v128.store(atCloseness, f32x4.pmax(oldNear, here))
    v128.store(atTriangle, v128.bitselect(id, oldId, v128.or(f32x4.gt(here, oldNear), tie)))
  } else {
    // Glass: the farthest pane in front of what is already there.
    const inFront = f32x4.gt(here, v128.load(frame.behind + offset))
    const take = v128.and(inFront, v128.or(f32x4.lt(here, oldNear), tie))
    v128.store(atCloseness, v128.bitselect(near, oldNear, take))
    v128.store(atTriangle, v128.bitselect(id, oldId, take))
  }
}
