/** Between bytes, linear light and what a screen shows. As the functions of the same names in reference/shade.ts. */
import * as at from '../../src/world/render/layout'

const KNEE: f32 = <f32>at.TONE_KNEE
const ABOVE: f32 = 1 - KNEE

export function linearColor(rgba: u32): v128 {
  return f32x4(
    load<f32>(at.TABLE_LINEAR + ((rgba & 255) << 4)),
    load<f32>(at.TABLE_LINEAR + (((rgba >> 8) & 255) << 4)),
    load<f32>(at.TABLE_LINEAR + (((rgba >> 16) & 255) << 4)),
    0,
  )
}

/** See light.ts. Powers of two: nothing is rounded here. */
export function cornerLight(packed: u32): v128 {
  const parts = f32x4.convert_i32x4_s(v128.and(i32x4.splat(packed), i32x4(511, 511 << 9, 511 << 18, 0)))
  const scale = reinterpret<f32>(((packed >> 27) + 127 - 24) << 23)
  return f32x4.mul(f32x4.mul(parts, f32x4(1, 1.0 / 512.0, 1.0 / 262144.0, 0)), f32x4.splat(scale))
}

export function linearTexel(texel: v128): v128 {
  const index = whole(f32x4.add(f32x4.mul(texel, f32x4.splat(4)), f32x4.splat(0.5)))
  return f32x4(
    load<f32>(at.TABLE_LINEAR + (i32x4.extract_lane(index, 0) << 2)),
    load<f32>(at.TABLE_LINEAR + (i32x4.extract_lane(index, 1) << 2)),
    load<f32>(at.TABLE_LINEAR + (i32x4.extract_lane(index, 2) << 2)),
    0,
  )
}

export function tone(light: v128): v128 {
  const knee = f32x4.splat(KNEE)
  const above = f32x4.splat(ABOVE)
  const over = f32x4.sub(light, knee)
  const bent = f32x4.add(knee, f32x4.div(f32x4.mul(above, over), f32x4.add(above, over)))
  return v128.bitselect(light, bent, f32x4.le(light, knee))
}

export function encode(light: v128): u32 {
  const root = f32x4.add(f32x4.mul(f32x4.sqrt(light), f32x4.splat(4095)), f32x4.splat(0.5))
  const index = whole(root)
  return (
    <u32>load<u8>(at.TABLE_SRGB + i32x4.extract_lane(index, 0)) |
    ((<u32>load<u8>(at.TABLE_SRGB + i32x4.extract_lane(index, 1))) << 8) |
    ((<u32>load<u8>(at.TABLE_SRGB + i32x4.extract_lane(index, 2))) << 16) |
    0xff000000
  )
}

/** Without its fraction, of a number from 0 to 2^22: next to 2^23, a single-precision number has no room for one. */
// @ts-ignore: decorator
@inline
function whole(number: v128): v128 {
  return v128.and(f32x4.add(f32x4.floor(number), f32x4.splat(8388608)), i32x4.splat(0x7fffff))
}

export function toFloats(rgba: u32): v128 {
  return f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(i32x4.splat(rgba))))
}

/** Whole numbers 0…255: next to 2^23, a single-precision number has no room for a fraction. */
export function toBytes(color: v128): u32 {
  const rounded = f32x4.add(f32x4.pmin(color, f32x4.splat(255)), f32x4.splat(8388608))
  const whole = v128.and(rounded, i32x4.splat(255))
  const narrow = i16x8.narrow_i32x4_u(whole, whole)
  return i32x4.extract_lane(i8x16.narrow_i16x8_u(narrow, narrow), 0)
}
