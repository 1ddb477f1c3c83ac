/**
 * Writes four pixels side by side where the triangle is the nearest. It is to be inlined into the innermost loops:
 * no calls in it, and all it needs comes in registers.
 *
 * `pixel` is the address of the first one's closeness; triangle numbers are `toTriangles` bytes further on, and, in the
 * glass pass only, what lies behind the glass `toBehind` bytes. Lanes with their sign set in `outside` are not covered.
 */
export function plot(pixel: usize, toTriangles: usize, toBehind: usize, outside: v128, near: v128, id: v128): void {
  const oldNear = v128.load(pixel)
  const oldId = v128.load(pixel + toTriangles)
  // Closeness 0, which a pixel that is not covered gets here, is never nearer than what was drawn before.
  const here = v128.andnot(near, i32x4.shr_s(outside, 31))
  // Of two equally near triangles the lower number wins: the picture does not depend on the order of drawing.
  const tie = v128.and(f32x4.eq(here, oldNear), i32x4.lt_s(id, oldId))
  if (toBehind == 0) {
    v128.store(pixel, f32x4.pmax(oldNear, here))
    v128.store(pixel + toTriangles, v128.bitselect(id, oldId, v128.or(f32x4.gt(here, oldNear), tie)))
  } else {
    // Glass: the farthest pane in front of what is already there.
    const inFront = f32x4.gt(here, v128.load(pixel + toBehind))
    const take = v128.and(inFront, v128.or(f32x4.lt(here, oldNear), tie))
    v128.store(pixel, v128.bitselect(near, oldNear, take))
    v128.store(pixel + toTriangles, v128.bitselect(id, oldId, take))
  }
}
