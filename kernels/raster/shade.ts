/** Color, once a pixel, from the triangle that won it: spans of pixels side by side. As reference/shade.ts. */
import * as at from '../../src/world/render/layout'
import * as frame from './frame'
import { writeColorRow, writeDepthRow } from './output'
import { blend, openSpan } from './span'
import { COLOR, hasColors, INSTANCE, LIGHT, lit, MATERIAL, MATERIAL_COLOR, openScene, uvs } from './surface'
import { sampleTexels } from './texture'
import { encode, linearTexel, toBytes, tone, toFloats } from './tone'

/** From a tile's first row to its last. */
const TILE_LAST = 7
const OPAQUE: u32 = 0xff000000
const ONE_255TH: f32 = <f32>(1.0 / 255.0)

/** Solid surfaces over the background. What else is wanted of a row is written while the row is at hand. */
export function shadeSolid(ids: bool, depth: bool, rgb: bool): void {
  const background = backgroundColor()
  openScene()
  const rgba = <usize>frame.word(at.F_RGBA)
  const things = <usize>frame.word(at.F_IDS)
  for (let y = 0; y < frame.height; y++) {
    // Where each row becomes three bytes per pixel at once, all take the same place.
    const out = rgb ? rgba : rgba + ((<usize>(y * frame.width)) << 2)
    const down = downAt(y)
    for (let x = 0; x < frame.width; x += at.SPAN) {
      const count = min(at.SPAN, frame.width - x)
      const pixel = frame.closeness + ((<usize>(y * frame.stride + x)) << 2)
      const covered = openSpan(pixel, x, count, down)
      const to = out + ((<usize>x) << 2)
      const thing = things + ((<usize>(y * frame.width + x)) << 1)
      if (covered > 0) {
        shadeSpan(to, count)
        if (ids) writeInstances(thing, count)
      }
      if (covered < count) leaveOut(pixel, to, thing, count, background, ids)
    }
    if (rgb) writeColorRow(out, y)
    if (depth) writeDepthRow(y)
  }
}

export function backgroundColor(): u32 {
  if (frame.word(at.F_WANTED) & at.WANT_ALPHA) return 0
  let background = OPAQUE
  for (let c = 0; c < 3; c++) background |= (<u32>(frame.number(at.V_BACKGROUND + c) + 0.5)) << (8 * c)
  return background
}

/**
 * A layer of glass over the picture; false if there is none. What it covers, the next layer must be in front of. Looks only
 * where tiles were touched, and leaves the layer empty.
 */
export function shadeGlass(): bool {
  const rgba = <usize>frame.word(at.F_RGBA)
  const over = frame.scratch + at.S_SPAN_RGBA
  const opacities = frame.scratch + at.S_SPAN_OPACITY
  let found = false
  for (let y = 0; y < frame.height; y++) {
    const down = downAt(y)
    const touched = frame.stale + (y >> at.TILE_SHIFT) * frame.tilesAcross
    for (let x = 0; x < frame.width; x += at.SPAN) {
      // The tiles of a span are eight bytes; behind the last one of a row are those of the next, which does no harm.
      if (load<u64>(touched + (x >> at.TILE_SHIFT)) == 0) continue
      const count = min(at.SPAN, frame.width - x)
      const pixel = frame.closeness + ((<usize>(y * frame.stride + x)) << 2)
      if (openSpan(pixel, x, count, down) == 0) continue
      found = true
      shadeSpan(over, count)
      const under = rgba + ((<usize>(y * frame.width + x)) << 2)
      for (let i: usize = 0; i < (<usize>count) << 2; i += 4) {
        const near = load<f32>(pixel + i)
        if (near == f32.POSITIVE_INFINITY) continue
        store<f32>(pixel + i + frame.toBehind, near)
        store<f32>(pixel + i, f32.POSITIVE_INFINITY)
        store<u32>(under + i, laidOver(load<u32>(under + i), load<u32>(over + i), v128.load32_splat(opacities + i)))
      }
    }
    if ((y & TILE_LAST) == TILE_LAST || y == frame.height - 1) memory.fill(touched, 0, frame.tilesAcross)
  }
  return found
}

// @ts-ignore: decorator
@inline
export function laidOver(under: u32, over: u32, opacity: v128): u32 {
  const from = toFloats(under)
  return toBytes(f32x4.add(from, f32x4.mul(f32x4.sub(toFloats(over), from), opacity)))
}

function downAt(y: i32): v128 {
  return f32x4.splat((<f32>y + 0.5 - frame.number(at.V_CY)) * frame.number(at.V_INVERSE_FY))
}

/** Numbers of the things in the span that is open. */
function writeInstances(to: usize, count: i32): void {
  let from = frame.scratch + at.S_SPAN_SURFACE
  for (let end = to + ((<usize>count) << 1); to < end; to += 2) {
    store<u16>(to, load<u16>(<usize>load<u32>(from), INSTANCE))
    from += 4
  }
}

/** The background where nothing is. */
function leaveOut(pixel: usize, to: usize, thing: usize, count: i32, background: u32, ids: bool): void {
  for (let i = 0; i < count; i++) {
    if (load<f32>(pixel + ((<usize>i) << 2)) > 0) continue
    store<u32>(to + ((<usize>i) << 2), background)
    if (ids) store<u16>(thing + ((<usize>i) << 1), 0)
  }
}

/** Colors of the span that is open. A loop for each kind of scene: what is the same over a loop is made once. */
export function shadeSpan(out: usize, count: i32): void {
  const pixels = (<usize>count) << 2
  if (uvs != 0) sampleTexels(pixels)
  if (lit) {
    if (uvs != 0) shadeLitTexture(out, pixels)
    else shadeLit(out, pixels)
  } else if (uvs != 0) shadeTexture(out, pixels)
  else shadeCaptured(out, pixels)
  if (frame.behind != 0) noteOpacities(pixels)
}

/** Vertex colors as they are. */
function shadeCaptured(out: usize, pixels: usize): void {
  const scratch = frame.scratch
  let i: usize = 0
  do {
    const surface = <usize>load<u32>(scratch + i, at.S_SPAN_SURFACE)
    const color = blend(surface + COLOR, scratch + i)
    store<u32>(out + i, OPAQUE | toBytes(f32x4.mul(color, v128.load(surface, MATERIAL_COLOR))))
    i += 4
  } while (i < pixels)
}

function shadeTexture(out: usize, pixels: usize): void {
  const scratch = frame.scratch
  const one255th = f32x4.splat(ONE_255TH)
  let i: usize = 0
  do {
    const surface = <usize>load<u32>(scratch + i, at.S_SPAN_SURFACE)
    const color = f32x4.mul(colorAt(surface, scratch, i), v128.load(surface, MATERIAL_COLOR))
    const texel = f32x4.mul(v128.load(scratch + (i << 2), at.S_SPAN_TEXEL), one255th)
    store<u32>(out + i, OPAQUE | toBytes(f32x4.mul(color, texel)))
    i += 4
  } while (i < pixels)
}

function shadeLit(out: usize, pixels: usize): void {
  const scratch = frame.scratch
  let i: usize = 0
  do {
    const surface = <usize>load<u32>(scratch + i, at.S_SPAN_SURFACE)
    const color = f32x4.mul(blend(surface + COLOR, scratch + i), v128.load(surface, MATERIAL_COLOR))
    store<u32>(out + i, encode(tone(f32x4.mul(color, lightAt(surface, scratch + i)))))
    i += 4
  } while (i < pixels)
}

function shadeLitTexture(out: usize, pixels: usize): void {
  const scratch = frame.scratch
  let i: usize = 0
  do {
    const surface = <usize>load<u32>(scratch + i, at.S_SPAN_SURFACE)
    const color = f32x4.mul(colorAt(surface, scratch, i), v128.load(surface, MATERIAL_COLOR))
    const albedo = f32x4.mul(color, linearTexel(v128.load(scratch + (i << 2), at.S_SPAN_TEXEL)))
    store<u32>(out + i, encode(tone(f32x4.mul(albedo, lightAt(surface, scratch + i)))))
    i += 4
  } while (i < pixels)
}

function noteOpacities(pixels: usize): void {
  const scratch = frame.scratch
  for (let i: usize = 0; i < pixels; i += 4) {
    const surface = <usize>load<u32>(scratch + i, at.S_SPAN_SURFACE)
    let opacity = load<f32>(<usize>load<u32>(surface, MATERIAL), at.M_OPACITY)
    if (uvs != 0) opacity = opacity * (load<f32>(scratch + (i << 2), at.S_SPAN_TEXEL + 12) * ONE_255TH)
    store<f32>(scratch + i, opacity, at.S_SPAN_OPACITY)
  }
}

/** Of a mesh without colors: white, which went through the same sums next to the texture coordinates. */
function colorAt(surface: usize, scratch: usize, i: usize): v128 {
  return hasColors
    ? blend(surface + COLOR, scratch + i)
    : v128.load32_splat(scratch + (i << 2), at.S_SPAN_UV + 8)
}

/** Light that comes in and light of its own, as exposed. */
function lightAt(surface: usize, weights: usize): v128 {
  const glow = v128.load32_splat(<usize>load<u32>(surface, MATERIAL), at.M_GLOW)
  const light = f32x4.add(blend(surface + LIGHT, weights), glow)
  return f32x4.mul(light, f32x4.splat(frame.number(at.V_EXPOSURE)))
}
