/**
 * Antialiased color: four samples per pixel. A triangle is shaded once in a pixel, in the middle of the samples that it won,
 * and a pixel inside a triangle costs a quarter of its samples. As reference/engine.ts.
 */
import * as at from '../../src/world/render/layout'
import * as frame from './frame'
import { backgroundColor, laidOver, shadeSpan } from './shade'
import { INFINITE_LESS_ONE, prepareSurfaces, weighFour } from './span'
import { ALONG, openScene, PER_X, START, uvs } from './surface'

/** The samples of a pixel, as bits: upper left, upper right, lower left, lower right. */
const ALL = 15
const LEFT = 5
const RIGHT = 10
const TOP = 3
const BOTTOM = 12

/** From a tile's first row to the first row of its last pixels. */
const TILE_LAST = 6

/** Triangles of the span so far, their surfaces, and the last one's triangle. */
let found: usize = 0
let surface: usize = 0
let previous: u32 = 0
/** Whether every sample has something. */
let full: bool = false

/** Solid surfaces over the background. */
export function shadeSolidSmoothly(): void {
  const background = backgroundColor()
  openScene()
  for (let y = 0; y < frame.height; y += 2) {
    const upper = rowOfColor(y)
    for (let x = 0; x < frame.width; x += 2 * at.SMOOTH_SPAN) {
      const pixels = min(at.SMOOTH_SPAN, (frame.width - x) >> 1)
      gather(x, y, pixels)
      if (!full) leaveOut(upper, x, y, pixels, background)
      if (found == 0) continue
      shadeFound()
      putSolid(upper)
    }
  }
}

/** A layer of glass over the picture, as `shadeGlass`; false if there is none. */
export function shadeGlassSmoothly(): bool {
  let any = false
  for (let y = 0; y < frame.height; y += 2) {
    const upper = rowOfColor(y)
    const touched = frame.stale + (y >> at.TILE_SHIFT) * frame.tilesAcross
    for (let x = 0; x < frame.width; x += 2 * at.SMOOTH_SPAN) {
      // The tiles of a span are four bytes; behind the last one of a row are those of the next, which does no harm.
      if (load<u32>(touched + (x >> at.TILE_SHIFT)) == 0) continue
      gather(x, y, min(at.SMOOTH_SPAN, (frame.width - x) >> 1))
      if (found == 0) continue
      any = true
      shadeFound()
      putGlass(upper, y)
    }
    if ((y & 7) == TILE_LAST || y == frame.height - 2) memory.fill(touched, 0, frame.tilesAcross)
  }
  return any
}

function rowOfColor(y: i32): usize {
  return <usize>frame.word(at.F_RGBA) + ((<usize>(y * frame.width)) << 2)
}

function rowOfCloseness(y: i32): usize {
  return frame.closeness + ((<usize>(y * frame.stride)) << 2)
}

/** The four samples of a pixel whose upper left one is at `place`, and of the same place in the row below. */
// @ts-ignore: decorator
@inline
function fourAt(place: usize, below: usize): v128 {
  return v128.load64_lane(place + below, v128.load64_zero(place), 1)
}

/** Samples that have something: neither 0 nor infinite closeness. */
// @ts-ignore: decorator
@inline
function coveredAt(place: usize, below: usize): i32 {
  const near = i32x4.sub(fourAt(place, below), i32x4.splat(1))
  return i32x4.bitmask(i32x4.lt_u(near, i32x4.splat(INFINITE_LESS_ONE)))
}

/**
 * The triangles of pixels side by side. First one of each pixel, then the second ones: neighbors are mostly of the same triangle,
 * whose surface is then prepared once.
 */
function gather(x: i32, y: i32, pixels: i32): void {
  const row = rowOfCloseness(y) + ((<usize>x) << 2)
  const below = (<usize>frame.stride) << 2
  const ids = row + frame.toTriangles
  const rests = frame.scratch + at.S_SPAN_REST
  found = 0
  surface = frame.scratch + at.S_SURFACES - at.SURFACE_BYTES
  previous = 0xffffffff
  let all = ALL
  let left = 0
  let pixel = 0
  do {
    const place = (<usize>pixel) << 3
    const covered = coveredAt(row + place, below)
    all &= covered
    let rest = 0
    if (covered != 0) rest = add(ids + place, below, covered, x, y, pixel)
    store<u8>(rests + pixel, <u8>rest)
    left |= rest
  } while (++pixel < pixels)
  full = all == ALL
  while (left != 0) {
    left = 0
    pixel = 0
    do {
      let rest = <i32>load<u8>(rests + pixel)
      if (rest == 0) continue
      rest = add(ids + ((<usize>pixel) << 3), below, rest, x, y, pixel)
      store<u8>(rests + pixel, <u8>rest)
      left |= rest
    } while (++pixel < pixels)
  }
}

/** Adds the triangle of the first of the given samples; gives those that are of other triangles. */
// @ts-ignore: decorator
@inline
function add(at0: usize, below: usize, samples: i32, x: i32, y: i32, pixel: i32): i32 {
  const scratch = frame.scratch
  const first = ctz(samples)
  const id = load<u32>(at0 + ((first & 1) << 2) + (first >> 1) * <i32>below)
  const own = samples & i32x4.bitmask(i32x4.eq(fourAt(at0, below), i32x4.splat(id)))
  surface += (<usize>(id != previous)) << at.SURFACE_SHIFT
  previous = id
  const i = scratch + (found << 2)
  store<u32>(scratch + ((surface - scratch - at.S_SURFACES + at.SURFACE_BYTES) >> (at.SURFACE_SHIFT - 2)), id, at.S_SPAN_TRIANGLE)
  store<u32>(i, surface, at.S_SPAN_SURFACE)
  const column = x + (pixel << 1)
  store<f32>(i, <f32>column + middle(own & LEFT, own & RIGHT), at.S_SPAN_COLUMN)
  store<f32>(i, <f32>y + middle(own & TOP, own & BOTTOM), at.S_SPAN_ROW)
  store<u32>(i, own, at.S_SPAN_SAMPLES)
  store<u32>(i, column << 2, at.S_SPAN_PLACE)
  found++
  return samples & ~own
}

/** Between the samples' centers, half a sample and one and a half behind the edge. A triangle that won both is in the middle, too. */
// @ts-ignore: decorator
@inline
function middle(before: i32, after: i32): f32 {
  return 1 + 0.5 * (<f32>i32(after != 0) - <f32>i32(before != 0))
}

/** Colors of the triangles that were found, in scratch. */
function shadeFound(): void {
  const scratch = frame.scratch
  const pixels = found << 2
  // What follows goes by four: the last one stands for those behind the end.
  v128.store(scratch + pixels, i32x4.splat(<i32>surface), at.S_SPAN_SURFACE)
  prepareSurfaces(surface, f32x4.splat(1))
  const centerX = f32x4.splat(frame.number(at.V_CX))
  const centerY = f32x4.splat(frame.number(at.V_CY))
  const inverseX = f32x4.splat(frame.number(at.V_INVERSE_FX))
  const inverseY = f32x4.splat(frame.number(at.V_INVERSE_FY))
  const textured = uvs != 0
  const area = f32x4.splat(<f32>at.SMOOTH_TEXELS)
  let i = scratch
  do {
    const right = f32x4.mul(f32x4.sub(v128.load(i, at.S_SPAN_COLUMN), centerX), inverseX)
    const down = f32x4.mul(f32x4.sub(v128.load(i, at.S_SPAN_ROW), centerY), inverseY)
    const a = linearAt(load<u32>(i, at.S_SPAN_SURFACE), i32x4.shuffle(right, right, 0, 0, 0, 0), i32x4.shuffle(down, down, 0, 0, 0, 0))
    const b = linearAt(load<u32>(i, at.S_SPAN_SURFACE + 4), i32x4.shuffle(right, right, 1, 1, 1, 1), i32x4.shuffle(down, down, 1, 1, 1, 1))
    const c = linearAt(load<u32>(i, at.S_SPAN_SURFACE + 8), i32x4.shuffle(right, right, 2, 2, 2, 2), i32x4.shuffle(down, down, 2, 2, 2, 2))
    const d = linearAt(load<u32>(i, at.S_SPAN_SURFACE + 12), i32x4.shuffle(right, right, 3, 3, 3, 3), i32x4.shuffle(down, down, 3, 3, 3, 3))
    weighFour(i, a, b, c, d, textured, area)
    i += 16
  } while (i < scratch + pixels)
  shadeSpan(scratch + at.S_SPAN_RGBA, <i32>found)
}

function linearAt(place: usize, x: v128, y: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(v128.load(place, PER_X), x), f32x4.mul(v128.load(place, ALONG), y)),
    v128.load(place, START),
  )
}

/** The background in samples that have nothing. */
function leaveOut(upper: usize, x: i32, y: i32, pixels: i32, background: u32): void {
  const row = rowOfCloseness(y)
  const below = (<usize>frame.stride) << 2
  const lower = (<usize>frame.width) << 2
  let place = (<usize>x) << 2
  const end = place + ((<usize>pixels) << 3)
  do {
    if (coveredAt(row + place, below) != ALL) put(upper + place, lower, ALL, background)
    place += 8
  } while (place < end)
}

function putSolid(upper: usize): void {
  const scratch = frame.scratch
  const lower = (<usize>frame.width) << 2
  for (let i = scratch; i < scratch + (found << 2); i += 4)
    put(upper + load<u32>(i, at.S_SPAN_PLACE), lower, load<u32>(i, at.S_SPAN_SAMPLES), load<u32>(i, at.S_SPAN_RGBA))
}

/** A color in some samples of a pixel. */
// @ts-ignore: decorator
@inline
function put(to: usize, lower: usize, samples: u32, color: u32): void {
  if (samples == ALL) {
    const two = (<u64>color) | ((<u64>color) << 32)
    store<u64>(to, two)
    store<u64>(to + lower, two)
    return
  }
  if (samples & 1) store<u32>(to, color)
  if (samples & 2) store<u32>(to, color, 4)
  if (samples & 4) store<u32>(to + lower, color)
  if (samples & 8) store<u32>(to + lower, color, 4)
}

/** What a sample of glass covers, the next layer must be in front of. */
function putGlass(upper: usize, y: i32): void {
  const scratch = frame.scratch
  const row = rowOfCloseness(y)
  for (let i = scratch; i < scratch + (found << 2); i += 4) {
    const place = <usize>load<u32>(i, at.S_SPAN_PLACE)
    const samples = load<u32>(i, at.S_SPAN_SAMPLES)
    const over = load<u32>(i, at.S_SPAN_RGBA)
    const opacity = v128.load32_splat(i, at.S_SPAN_OPACITY)
    for (let sample = 0; sample < 4; sample++) {
      if ((samples & (1 << sample)) == 0) continue
      const column = place + ((sample & 1) << 2)
      const under = upper + column + (((<usize>(sample >> 1)) * <usize>frame.width) << 2)
      const near = row + column + (((<usize>(sample >> 1)) * <usize>frame.stride) << 2)
      store<f32>(near + frame.toBehind, load<f32>(near))
      store<f32>(near, f32.POSITIVE_INFINITY)
      store<u32>(under, laidOver(load<u32>(under), over, opacity))
    }
  }
}
