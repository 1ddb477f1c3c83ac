/** Four texels of the mip level that fits, blended. As `sample` in reference/shade.ts. */
import * as at from '../../src/world/render/layout'
import * as frame from './frame'

/** The level in use: it seldom changes from one triangle to the next. */
let texture: usize = 0
let texelLevel: i32 = 0
export let texels: usize = 0
export let texelsAcross: i32 = 1
export let texelsDown: i32 = 1

/** It fits where the cube of a surface's divisor is above the first and up to the second. */
export let leastCube: f32 = 0
export let mostCube: f32 = 0

/** Beside 1.5 · 2^23, a single-precision number has no room for a fraction: its low bits are a whole number. */
const WHOLE: f32 = 12582912

/** Forgets the level in use: another frame may have another scene behind the same addresses. */
export function openTextures(): void {
  texture = 0
}

/**
 * The level of a pixel with `amount / cube` texels; and for which other cubes it is the same, so that neighbours need
 * no division. The bounds are exact: a quotient is at or above a power of two just where `amount` is above the product.
 */
export function chooseLevel(material: usize, amount: f32, cube: f32): void {
  // Half the binary logarithm of the area, rounded, is in the number's exponent.
  const exponent = <i32>((reinterpret<u32>(amount / cube) >> 23) & 255) - 127
  const last = load<i32>(material, at.M_TEXTURE_LEVELS) - 1
  const level = max(0, min(last, (exponent + 1) >> 1))
  mostCube = level > 0 ? amount * powerOfTwo(1 - 2 * level) : f32.POSITIVE_INFINITY
  leastCube = level < last ? amount * powerOfTwo(-1 - 2 * level) : -f32.POSITIVE_INFINITY
  if (material != texture || level != texelLevel) useLevel(material, level)
}

function powerOfTwo(exponent: i32): f32 {
  return reinterpret<f32>((127 + exponent) << 23)
}

/** r, g, b, a as 0…255 at the texture coordinates in the first two lanes, from a level and its `size` in the same. */
export function sample(uv: v128, level: usize, across: i32, down: i32, size: v128): v128 {
  const half = f32x4.splat(0.5)
  // What is no number is somewhere in the texture, too.
  const place = f32x4.pmax(f32x4.splat(-0.5), f32x4.sub(f32x4.mul(f32x4.sub(uv, f32x4.floor(uv)), size), half))
  const corner = f32x4.floor(place)
  const parts = f32x4.sub(place, corner)
  const whole = i32x4.sub(f32x4.add(corner, f32x4.splat(WHOLE)), f32x4.splat(WHOLE))
  const x = i32x4.extract_lane(whole, 0)
  const y = i32x4.extract_lane(whole, 1)
  let upper = whole
  let lower = whole
  if (<u32>x < <u32>(across - 1) && <u32>y < <u32>(down - 1)) {
    const first = level + ((<usize>(y * across + x)) << 2)
    upper = v128.load64_zero(first)
    lower = v128.load64_zero(first + ((<usize>across) << 2))
  } else {
    // Over the texture's edge it repeats.
    const left = x < 0 ? across - 1 : x
    const right = x + 1 >= across ? 0 : x + 1
    upper = pairOf(level, (y < 0 ? down - 1 : y) * across, left, right)
    lower = pairOf(level, (y + 1 >= down ? 0 : y + 1) * across, left, right)
  }
  const part = i32x4.shuffle(parts, parts, 0, 0, 0, 0)
  return mix(mixPair(upper, part), mixPair(lower, part), i32x4.shuffle(parts, parts, 1, 1, 1, 1))
}

function useLevel(material: usize, level: i32): void {
  texture = material
  texelLevel = level
  const fullWidth = load<i32>(material, at.M_TEXTURE_WIDTH)
  const fullHeight = load<i32>(material, at.M_TEXTURE_HEIGHT)
  texels = frame.scene + load<u32>(material, at.M_TEXTURE)
  for (let l = 0; l < level; l++) texels += (<usize>(max(1, fullWidth >> l) * max(1, fullHeight >> l))) << 2
  texelsAcross = max(1, fullWidth >> level)
  texelsDown = max(1, fullHeight >> level)
}

function pairOf(level: usize, row: i32, left: i32, right: i32): v128 {
  const first = v128.load32_zero(level + ((<usize>(row + left)) << 2))
  return v128.load32_lane(level + ((<usize>(row + right)) << 2), first, 1)
}

/** Between two texels side by side. */
function mixPair(texelPair: v128, part: v128): v128 {
  const wide = i16x8.extend_low_i8x16_u(texelPair)
  const left = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(wide))
  const right = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_u(wide))
  return mix(left, right, part)
}

function mix(from: v128, to: v128, part: v128): v128 {
  return f32x4.add(from, f32x4.mul(f32x4.sub(to, from), part))
}
