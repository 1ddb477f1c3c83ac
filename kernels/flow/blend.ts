/** Reading a picture between its pixels, four at a time. */

/** The whole pixel before the place that was split last, and how far the place lies beyond it. */
export let wholeX: i32 = 0
export let wholeY: i32 = 0
let restX: f32 = 0
let restY: f32 = 0

// @ts-ignore: decorator
@inline
export function split(x: f32, y: f32): void {
  wholeX = <i32>Mathf.floor(x)
  wholeY = <i32>Mathf.floor(y)
  restX = x - <f32>wholeX
  restY = y - <f32>wholeY
}

/** What the four pixels around the place weigh: first digit down, second digit across. */
// @ts-ignore: decorator
@inline
export function weight00(): v128 {
  return f32x4.splat((1 - restX) * (1 - restY))
}
// @ts-ignore: decorator
@inline
export function weight01(): v128 {
  return f32x4.splat(restX * (1 - restY))
}
// @ts-ignore: decorator
@inline
export function weight10(): v128 {
  return f32x4.splat((1 - restX) * restY)
}
// @ts-ignore: decorator
@inline
export function weight11(): v128 {
  return f32x4.splat(restX * restY)
}

/** Four values between the pixels of two rows. */
// @ts-ignore: decorator
@inline
export function blended(upper: usize, lower: usize, w00: v128, w01: v128, w10: v128, w11: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(w00, v128.load(upper)), f32x4.mul(w01, v128.load(upper, 4))),
    f32x4.add(f32x4.mul(w10, v128.load(lower)), f32x4.mul(w11, v128.load(lower, 4))),
  )
}
