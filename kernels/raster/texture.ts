/** Four texels of the mip level that fits, blended. As `sample` in reference/shade.ts. */
import * as at from '../../src/world/render/layout'
import * as frame from './frame'
import { blend } from './span'
import { TEXTURE, UV } from './surface'

/** Next to 1.5 · 2^23, a single-precision number has no room for a fraction: its low bits are a whole number. */
const WHOLE: f32 = 12582912

/** r, g, b, a as 0…255 in each pixel of the span that is open: white where there is no texture. */
export function sampleTexels(pixels: usize): void {
  findTexels(pixels)
  const scratch = frame.scratch
  let i: usize = 0
  do {
    const pixel = scratch + i
    const out = scratch + (i << 2)
    if (load<u32>(<usize>load<u32>(pixel, at.S_SPAN_SURFACE), TEXTURE) != 0) {
      const upper = pairAt(<usize>load<u32>(pixel, at.S_SPAN_UPPER), load<i32>(pixel, at.S_SPAN_STEP))
      const lower = pairAt(<usize>load<u32>(pixel, at.S_SPAN_LOWER), load<i32>(pixel, at.S_SPAN_STEP))
      const part = v128.load32_splat(pixel, at.S_SPAN_PART_X)
      const texel = mix(mixPair(upper, part), mixPair(lower, part), v128.load32_splat(pixel, at.S_SPAN_PART_Y))
      v128.store(out, texel, at.S_SPAN_TEXEL)
    } else v128.store(out, f32x4.splat(255), at.S_SPAN_TEXEL)
    i += 4
  } while (i < pixels)
}

/** The four texels around the place in the texture of each pixel of the span that is open. */
function findTexels(pixels: usize): void {
  const scratch = frame.scratch
  let i: usize = 0
  do {
    const uv = blend(<usize>load<u32>(scratch + i, at.S_SPAN_SURFACE) + UV, scratch + i)
    v128.store(scratch + (i << 2), uv, at.S_SPAN_UV)
    i += 4
  } while (i < pixels)
  const one = i32x4.splat(1)
  i = 0
  do {
    const uvs = scratch + (i << 2)
    const ab = i32x4.shuffle(v128.load(uvs, at.S_SPAN_UV), v128.load(uvs, at.S_SPAN_UV + 16), 0, 4, 1, 5)
    const cd = i32x4.shuffle(v128.load(uvs, at.S_SPAN_UV + 32), v128.load(uvs, at.S_SPAN_UV + 48), 0, 4, 1, 5)
    // Width, height, address and texels across, of the level of each pixel.
    const a = levelAt(scratch + i)
    const b = levelAt(scratch + i + 4)
    const c = levelAt(scratch + i + 8)
    const d = levelAt(scratch + i + 12)
    const abSize = i32x4.shuffle(a, b, 0, 4, 1, 5)
    const cdSize = i32x4.shuffle(c, d, 0, 4, 1, 5)
    const width = i32x4.shuffle(abSize, cdSize, 0, 1, 4, 5)
    const height = i32x4.shuffle(abSize, cdSize, 2, 3, 6, 7)
    const placeX = placeOf(i32x4.shuffle(ab, cd, 0, 1, 4, 5), width)
    const placeY = placeOf(i32x4.shuffle(ab, cd, 2, 3, 6, 7), height)
    const cornerX = f32x4.floor(placeX)
    const cornerY = f32x4.floor(placeY)
    v128.store(scratch + i, f32x4.sub(placeX, cornerX), at.S_SPAN_PART_X)
    v128.store(scratch + i, f32x4.sub(placeY, cornerY), at.S_SPAN_PART_Y)
    const abRest = i32x4.shuffle(a, b, 2, 6, 3, 7)
    const cdRest = i32x4.shuffle(c, d, 2, 6, 3, 7)
    const start = i32x4.shuffle(abRest, cdRest, 0, 1, 4, 5)
    const across = i32x4.shuffle(abRest, cdRest, 2, 3, 6, 7)
    // Over its edges the texture repeats: before the first texel is the last, after the last the first.
    const x = wholeOf(cornerX)
    const y = wholeOf(cornerY)
    const left = i32x4.add(x, v128.and(across, i32x4.shr_s(x, 31)))
    const top = i32x4.add(y, v128.and(wholeOf(height), i32x4.shr_s(y, 31)))
    const nextX = i32x4.add(x, one)
    const nextY = i32x4.add(y, one)
    const right = v128.andnot(nextX, i32x4.eq(nextX, across))
    const bottom = v128.andnot(nextY, f32x4.eq(f32x4.add(cornerY, f32x4.splat(1)), height))
    const upper = i32x4.add(i32x4.mul(top, across), left)
    const lower = i32x4.add(i32x4.mul(bottom, across), left)
    v128.store(scratch + i, i32x4.add(i32x4.shl(upper, 2), start), at.S_SPAN_UPPER)
    v128.store(scratch + i, i32x4.add(i32x4.shl(lower, 2), start), at.S_SPAN_LOWER)
    v128.store(scratch + i, i32x4.sub(right, left), at.S_SPAN_STEP)
    i += 16
  } while (i < pixels)
}

function levelAt(pixel: usize): v128 {
  const levels = load<u32>(<usize>load<u32>(pixel, at.S_SPAN_SURFACE), TEXTURE)
  return v128.load(<usize>(levels + load<u32>(pixel, at.S_SPAN_LEVEL)), at.SCENE_START + at.L_SIZE)
}

/** In texels, from the first one's center. What is no number is somewhere in the texture, too. */
function placeOf(coordinate: v128, size: v128): v128 {
  const inside = f32x4.mul(f32x4.sub(coordinate, f32x4.floor(coordinate)), size)
  return f32x4.pmax(f32x4.splat(-0.5), f32x4.sub(inside, f32x4.splat(0.5)))
}

function wholeOf(value: v128): v128 {
  return i32x4.sub(f32x4.add(value, f32x4.splat(WHOLE)), f32x4.splat(WHOLE))
}

/** Two texels, two bytes a number. */
function pairAt(left: usize, step: i32): v128 {
  if (step == 1) return v128.load8x8_u(left, at.SCENE_START)
  const first = v128.load32_zero(left, at.SCENE_START)
  return i16x8.extend_low_i8x16_u(v128.load32_lane(left + (step << 2) + at.SCENE_START, first, 1))
}

/** Between two texels side by side. */
function mixPair(pair: v128, part: v128): v128 {
  const left = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(pair))
  const right = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_u(pair))
  return mix(left, right, part)
}

function mix(from: v128, to: v128, part: v128): v128 {
  return f32x4.add(from, f32x4.mul(f32x4.sub(to, from), part))
}
