/** Writes four pixels side by side where the triangle is the nearest. */
import * as frame from './frame'

/** `offset` is four times the pixel's number; `covered` has all bits set in the lanes that the triangle covers. */
export function plot(offset: usize, covered: v128, near: v128, id: v128): void {
  const atCloseness = frame.closeness + offset
  const atTriangle = frame.triangles + offset
  const oldNear = v128.load(atCloseness)
  const oldId = v128.load(atTriangle)
  // Of two equally near triangles the lower number wins: the picture does not depend on the order of drawing.
  const tie = v128.and(f32x4.eq(near, oldNear), i32x4.lt_u(id, oldId))
  let take: v128
  if (frame.behind == 0) {
    take = v128.and(covered, v128.or(f32x4.gt(near, oldNear), tie))
  } else {
    // Glass: the farthest pane in front of what is already there.
    const inFront = f32x4.gt(near, v128.load(frame.behind + offset))
    take = v128.and(v128.and(covered, inFront), v128.or(f32x4.lt(near, oldNear), tie))
    if (v128.any_true(take)) frame.noteGlass()
  }
  v128.store(atCloseness, v128.bitselect(near, oldNear, take))
  v128.store(atTriangle, v128.bitselect(id, oldId, take))
}
