/**
 * A span of pixels side by side, on the way to their colors: a loop for each step, and none of them has to guess how
 * long a triangle's run of pixels is, which in a fine scan is one or two and no processor can foretell. Loops are tested
 * at their end: only then does V8 keep what they do not change out of them (docs/world/renderer.md).
 */
import * as at from '../../src/world/render/layout'
import * as frame from './frame'
import { ALONG, PER_X, prepareSurface, START, uvs } from './surface'

/** Closeness, as a whole number less one, is below this where there is something: neither 0 nor infinite. */
export const INFINITE_LESS_ONE: u32 = 0x7f7fffff

/**
 * Prepares the surfaces of a span whose first closeness is at `pixel` and first column is `x`, and the weights of their
 * corners in each pixel. Gives the number of pixels that are covered; the others are as their neighbors.
 */
export function openSpan(pixel: usize, x: i32, count: i32, down: v128): i32 {
  const surfaces = frame.scratch + at.S_SURFACES
  const surfaceOf = frame.scratch + at.S_SPAN_SURFACE
  const triangleOf = frame.scratch + at.S_SPAN_TRIANGLE
  const toTriangles = frame.toTriangles
  const none = surfaces - at.SURFACE_BYTES
  const pixels = (<usize>count) << 2
  let covered = 0
  let surface = none
  let previous: u32 = 0xffffffff
  let i: usize = 0
  do {
    const there = load<u32>(pixel + i) - 1 < INFINITE_LESS_ONE
    const id = select<u32>(load<u32>(pixel + i + toTriangles), previous, there)
    surface += (<usize>(id != previous)) << at.SURFACE_SHIFT
    covered += i32(there)
    store<u32>(triangleOf + ((surface - none) >> (at.SURFACE_SHIFT - 2)), id)
    store<u32>(surfaceOf + i, surface)
    previous = id
    i += 4
  } while (i < pixels)
  if (covered == 0) return 0
  // What follows goes by four pixels: the last surface stands for those behind the end.
  v128.store(surfaceOf + pixels, i32x4.splat(<i32>surface))
  for (i = surfaceOf; <usize>load<u32>(i) == none; i += 4) store<u32>(i, <u32>surfaces)
  prepareSurfaces(surface, down)
  weigh(x, pixels)
  return covered
}

/** The surfaces of a span up to `last`, from the triangles that stand in scratch. */
export function prepareSurfaces(last: usize, down: v128): void {
  const triangleOf = frame.scratch + at.S_SPAN_TRIANGLE
  const surfaces = frame.scratch + at.S_SURFACES
  const none = surfaces - at.SURFACE_BYTES
  for (let i = surfaces; i <= last; i += at.SURFACE_BYTES)
    prepareSurface(i, load<u32>(triangleOf + ((i - none) >> (at.SURFACE_SHIFT - 2))), down)
}

/** Four pixels at a time: perspective-correct weights, and the level of a texture by the number of its texels per pixel. */
function weigh(x: i32, pixels: usize): void {
  const scratch = frame.scratch
  const centerX = f32x4.splat(frame.number(at.V_CX))
  const inverseX = f32x4.splat(frame.number(at.V_INVERSE_FX))
  const textured = uvs != 0
  const one = f32x4.splat(1)
  const four = f32x4.splat(4)
  let centers = f32x4.add(f32x4.splat(<f32>x), f32x4(0.5, 1.5, 2.5, 3.5))
  let i = scratch
  do {
    const right = f32x4.mul(f32x4.sub(centers, centerX), inverseX)
    centers = f32x4.add(centers, four)
    const a = linearAt(load<u32>(i, at.S_SPAN_SURFACE), i32x4.shuffle(right, right, 0, 0, 0, 0))
    const b = linearAt(load<u32>(i, at.S_SPAN_SURFACE + 4), i32x4.shuffle(right, right, 1, 1, 1, 1))
    const c = linearAt(load<u32>(i, at.S_SPAN_SURFACE + 8), i32x4.shuffle(right, right, 2, 2, 2, 2))
    const d = linearAt(load<u32>(i, at.S_SPAN_SURFACE + 12), i32x4.shuffle(right, right, 3, 3, 3, 3))
    weighFour(i, a, b, c, d, textured, one)
    i += 16
  } while (i < scratch + pixels)
}

/**
 * From the linear functions of four pixels: the weights of their corners, and their texture levels. `area` is that of a shaded
 * place in pixels of the view.
 */
// @ts-ignore: decorator
@inline
export function weighFour(i: usize, a: v128, b: v128, c: v128, d: v128, textured: bool, area: v128): void {
  const one = f32x4.splat(1)
  const abWeights = i32x4.shuffle(a, b, 0, 4, 1, 5)
  const cdWeights = i32x4.shuffle(c, d, 0, 4, 1, 5)
  const abRest = i32x4.shuffle(a, b, 2, 6, 3, 7)
  const cdRest = i32x4.shuffle(c, d, 2, 6, 3, 7)
  const divisor = i32x4.shuffle(abRest, cdRest, 0, 1, 4, 5)
  const second = unit(f32x4.div(i32x4.shuffle(abWeights, cdWeights, 0, 1, 4, 5), divisor))
  const rest = f32x4.sub(one, second)
  const third = f32x4.pmin(unit(f32x4.div(i32x4.shuffle(abWeights, cdWeights, 2, 3, 6, 7), divisor)), rest)
  v128.store(i, f32x4.sub(rest, third), at.S_SPAN_FIRST)
  v128.store(i, second, at.S_SPAN_SECOND)
  v128.store(i, third, at.S_SPAN_THIRD)
  if (!textured) return
  const texels = f32x4.mul(i32x4.shuffle(abRest, cdRest, 2, 3, 6, 7), area)
  v128.store(i, levelOf(texels, f32x4.abs(divisor)), at.S_SPAN_LEVEL)
}

function linearAt(surface: usize, x: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(v128.load(surface, PER_X), x), v128.load(surface, ALONG)),
    v128.load(surface, START),
  )
}

/** What a pixel's three corners have, by their weights there. */
export function blend(corners: usize, weights: usize): v128 {
  return f32x4.add(
    f32x4.add(
      f32x4.mul(v128.load(corners), v128.load32_splat(weights, at.S_SPAN_FIRST)),
      f32x4.mul(v128.load(corners, 16), v128.load32_splat(weights, at.S_SPAN_SECOND)),
    ),
    f32x4.mul(v128.load(corners, 32), v128.load32_splat(weights, at.S_SPAN_THIRD)),
  )
}

/** From 0 to 1; what is no number becomes 0. */
function unit(ratio: v128): v128 {
  return f32x4.pmin(f32x4.pmax(f32x4.splat(0), ratio), f32x4.splat(1))
}

/** Half the binary logarithm of the area in texels, rounded: read from the number's exponent. In bytes of the table. */
function levelOf(texels: v128, divisor: v128): v128 {
  const cube = f32x4.mul(f32x4.mul(divisor, divisor), divisor)
  const exponent = v128.and(i32x4.shr_u(f32x4.div(texels, cube), 23), i32x4.splat(255))
  const level = i32x4.shr_s(i32x4.sub(exponent, i32x4.splat(126)), 1)
  const known = i32x4.min_s(i32x4.max_s(level, i32x4.splat(0)), i32x4.splat(at.LEVELS - 1))
  return i32x4.shl(known, at.LEVEL_SHIFT)
}
