/** Colour, once a pixel, from the triangle that won it: runs of pixels of the same triangle. As reference/shade.ts. */
import * as at from '../../src/world/render/layout'
import * as frame from './frame'
import { instanceOf, writeColorRow, writeDepthRow } from './output'
import {
  COLOR,
  hasColors,
  LIGHT,
  lit,
  MATERIAL,
  MATERIAL_COLOR,
  openScene,
  PER_X,
  PER_Y,
  prepareSurface,
  START,
  TEXELS,
  TEXTURED,
  UV,
} from './surface'
import { chooseLevel, leastCube, mostCube, openTextures, sample, texels, texelsAcross, texelsDown } from './texture'
import { encode, linearTexel, toBytes, tone, toFloats } from './tone'

const ONE_255TH: f32 = <f32>(1.0 / 255.0)

/** Of the pixel that was shaded last. */
let opacity: f32 = 1

/** Solid surfaces over the background. What else is wanted of a row is written while the row is at hand. */
export function shadeSolid(ids: bool, depth: bool, rgb: bool): void {
  let background: u32 = 0xff000000
  for (let c = 0; c < 3; c++) background |= (<u32>(frame.number(at.V_BACKGROUND + c) + 0.5)) << (8 * c)
  openScene()
  openTextures()
  const rgba = <usize>frame.word(at.F_RGBA)
  for (let y = 0; y < frame.height; y++) {
    // Where each row becomes three bytes a pixel at once, all take the same place.
    const out = rgb ? rgba : rgba + ((<usize>(y * frame.width)) << 2)
    shadeRow(y, out, background, ids)
    if (rgb) writeColorRow(out, y)
    if (depth) writeDepthRow(y)
  }
}

function shadeRow(y: i32, out: usize, background: u32, things: bool): void {
  const surface = frame.scratch + at.S_SURFACE
  const closeness = frame.closeness + ((<usize>(y * frame.stride)) << 2)
  const toTriangles = frame.toTriangles
  const ids = <usize>frame.word(at.F_IDS) + ((<usize>(y * frame.width)) << 1)
  const down = downAt(y)
  const width = frame.width
  let x = 0
  while (x < width) {
    const from = x
    let pixel = closeness + ((<usize>x) << 2)
    if (!(load<f32>(pixel) > 0)) {
      store<u32>(out + ((<usize>x) << 2), background)
      if (things) store<u16>(ids + ((<usize>x) << 1), 0)
      x++
      continue
    }
    const id = load<u32>(pixel + toTriangles)
    do {
      x++
      pixel += 4
    } while (x < width && load<u32>(pixel + toTriangles) == id && load<f32>(pixel) > 0)
    prepareSurface(surface, id)
    shadeRun(surface, out, from, x, down)
    if (things) {
      const instance = instanceOf(id)
      for (let i = from; i < x; i++) store<u16>(ids + ((<usize>i) << 1), instance)
    }
  }
}

/** A layer of glass over the picture; false if there is none. What it covers, the next layer must be in front of. */
export function shadeGlass(): bool {
  openTextures()
  const surface = frame.scratch + at.S_SURFACE
  let found = false
  const rgba = <usize>frame.word(at.F_RGBA)
  let current: u32 = 0xffffffff
  for (let y = 0; y < frame.height; y++) {
    const down = downAt(y)
    const row = rgba + ((<usize>(y * frame.width)) << 2)
    for (let x = 0; x < frame.width; x++) {
      const offset = (<usize>(y * frame.stride + x)) << 2
      const near = load<f32>(frame.closeness + offset)
      if (near == f32.POSITIVE_INFINITY) continue
      found = true
      store<f32>(frame.behind + offset, near)
      const id = load<u32>(frame.triangles + offset)
      if (id != current) {
        prepareSurface(surface, id)
        current = id
      }
      const pixel = row + ((<usize>x) << 2)
      const under = toFloats(load<u32>(pixel))
      shadeRun(surface, row, x, x + 1, down)
      const over = toFloats(load<u32>(pixel))
      const blended = f32x4.add(under, f32x4.mul(f32x4.sub(over, under), f32x4.splat(opacity)))
      store<u32>(pixel, toBytes(blended))
    }
  }
  return found
}

function downAt(y: i32): v128 {
  return f32x4.splat((<f32>y + 0.5 - frame.number(at.V_CY)) * frame.number(at.V_INVERSE_FY))
}

/** Pixels from `x` to before `end` of a row, all of the same triangle. */
function shadeRun(surface: usize, row: usize, x: i32, end: i32, down: v128): void {
  opacity = load<f32>(load<u32>(surface, MATERIAL), at.M_OPACITY)
  const along = f32x4.mul(v128.load(surface, PER_Y), down)
  const center = <f32>x + 0.5
  const first = row + ((<usize>x) << 2)
  const last = row + ((<usize>end) << 2)
  if (load<u32>(surface, TEXTURED) != 0) shadeTextured(surface, first, last, center, along)
  else if (lit) shadeLit(surface, first, last, center, along)
  else shadeCaptured(surface, first, last, center, along)
}

/** Vertex colours as they are. */
function shadeCaptured(surface: usize, first: usize, last: usize, start: f32, along: v128): void {
  const perX = v128.load(surface, PER_X)
  const fixed = v128.load(surface, START)
  const material = v128.load(surface, MATERIAL_COLOR)
  const centerX = frame.number(at.V_CX)
  const inverseX = frame.number(at.V_INVERSE_FX)
  let center = start
  for (let out = first; out < last; out += 4) {
    const x = f32x4.splat((center - centerX) * inverseX)
    const weights = weightsOf(f32x4.add(f32x4.add(f32x4.mul(perX, x), along), fixed))
    const color = blend(surface + COLOR, weights)
    store<u32>(out, toBytes(f32x4.mul(color, material)))
    center += 1
  }
}

function shadeLit(surface: usize, first: usize, last: usize, start: f32, along: v128): void {
  const glow = v128.load32_splat(load<u32>(surface, MATERIAL), at.M_GLOW)
  const exposure = f32x4.splat(frame.number(at.V_EXPOSURE))
  const centerX = frame.number(at.V_CX)
  const inverseX = frame.number(at.V_INVERSE_FX)
  let center = start
  for (let out = first; out < last; out += 4) {
    const x = f32x4.splat((center - centerX) * inverseX)
    const linear = f32x4.add(f32x4.add(f32x4.mul(v128.load(surface, PER_X), x), along), v128.load(surface, START))
    const weights = weightsOf(linear)
    const color = f32x4.mul(blend(surface + COLOR, weights), v128.load(surface, MATERIAL_COLOR))
    const light = f32x4.add(blend(surface + LIGHT, weights), glow)
    store<u32>(out, encode(tone(f32x4.mul(color, f32x4.mul(light, exposure)))))
    center += 1
  }
}

function shadeTextured(surface: usize, first: usize, last: usize, start: f32, along: v128): void {
  const material = <usize>load<u32>(surface, MATERIAL)
  const amount = load<f32>(surface, TEXELS)
  const centerX = frame.number(at.V_CX)
  const inverseX = frame.number(at.V_INVERSE_FX)
  const shines = lit
  const colored = hasColors
  // The level in use, in variables of this function: they stay in registers.
  let least: f32 = 0
  let most: f32 = -1
  let level: usize = 0
  let across = 1
  let down = 1
  let size = f32x4.splat(1)
  let texel = size
  let center = start
  for (let out = first; out < last; out += 4) {
    const x = f32x4.splat((center - centerX) * inverseX)
    const linear = f32x4.add(f32x4.add(f32x4.mul(v128.load(surface, PER_X), x), along), v128.load(surface, START))
    const weights = weightsOf(linear)
    const uv = blend(surface + UV, weights)
    const divisor = abs(f32x4.extract_lane(linear, 2))
    const cube = divisor * divisor * divisor
    if (!(cube > least && cube <= most)) {
      chooseLevel(material, amount, cube)
      least = leastCube
      most = mostCube
      level = texels
      across = texelsAcross
      down = texelsDown
      size = f32x4.convert_i32x4_s(i32x4(across, down, 1, 1))
    }
    texel = sample(uv, level, across, down, size)
    let color = colored ? blend(surface + COLOR, weights) : i32x4.shuffle(uv, uv, 2, 2, 2, 2)
    color = f32x4.mul(color, v128.load(surface, MATERIAL_COLOR))
    if (shines) {
      const light = f32x4.add(blend(surface + LIGHT, weights), v128.load32_splat(material, at.M_GLOW))
      const shown = f32x4.mul(light, f32x4.splat(frame.number(at.V_EXPOSURE)))
      store<u32>(out, encode(tone(f32x4.mul(f32x4.mul(color, linearTexel(texel)), shown))))
    } else store<u32>(out, toBytes(f32x4.mul(color, f32x4.mul(texel, f32x4.splat(ONE_255TH)))))
    center += 1
  }
  opacity = opacity * (f32x4.extract_lane(texel, 3) * ONE_255TH)
}

/** Of the second and third corner. */
function weightsOf(linear: v128): v128 {
  const ratios = f32x4.div(linear, i32x4.shuffle(linear, linear, 2, 2, 2, 2))
  // From 0 to 1; what is no number becomes 0.
  return f32x4.pmin(f32x4.pmax(f32x4.splat(0), ratios), f32x4.splat(1))
}

function blend(corners: usize, weights: v128): v128 {
  const second = i32x4.shuffle(weights, weights, 0, 0, 0, 0)
  const rest = f32x4.sub(f32x4.splat(1), second)
  const third = f32x4.pmin(i32x4.shuffle(weights, weights, 1, 1, 1, 1), rest)
  const first = f32x4.sub(rest, third)
  return f32x4.add(
    f32x4.add(f32x4.mul(v128.load(corners), first), f32x4.mul(v128.load(corners, 16), second)),
    f32x4.mul(v128.load(corners, 32), third),
  )
}
