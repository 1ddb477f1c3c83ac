/** Colour, once a pixel, from the triangle that won it. As reference/shade.ts. */
import * as at from '../../src/world/render/layout'
import * as frame from './frame'
import { instanceOf } from './output'
import { resetTexture, sample } from './texture'

// What is the same over a triangle, in scratch.
/** Linear functions of the pixel; lanes: weight of the second corner, of the third, their common divisor. */
const PER_X = 0
const PER_Y = 16
const START = 32
const COLOR_0 = 48
const COLOR_1 = 64
const COLOR_2 = 80
const MATERIAL_COLOR = 96
const LIGHT_0 = 112
const LIGHT_1 = 128
const LIGHT_2 = 144
const UV_0 = 160
const UV_1 = 176
const UV_2 = 192
const TEXELS = 208
/** Address of the material; 0 in TEXTURED if it has no texture. */
const MATERIAL = 212
const TEXTURED = 216

const ONE_255TH: f32 = <f32>(1.0 / 255.0)
const KNEE: f32 = <f32>at.TONE_KNEE
const ABOVE: f32 = 1 - KNEE

let opacity: f32 = 1

/** Solid surfaces over the background; with `things`, also what is seen in each pixel. */
export function shadeSolid(things: bool): void {
  let background: u32 = 0xff000000
  for (let c = 0; c < 3; c++) background |= (<u32>(frame.number(at.V_BACKGROUND + c) + 0.5)) << (8 * c)
  resetTexture()
  let out = <usize>frame.word(at.F_RGBA)
  let ids = <usize>frame.word(at.F_IDS)
  const centerX = frame.number(at.V_CX)
  const inverseX = frame.number(at.V_INVERSE_FX)
  const width = frame.width
  let current: u32 = 0xffffffff
  let instance: u16 = 0
  for (let y = 0; y < frame.height; y++) {
    const row = (<usize>(y * frame.stride)) << 2
    const closeness = frame.closeness + row
    const triangles = frame.triangles + row
    const down = f32x4.splat((<f32>y + 0.5 - frame.number(at.V_CY)) * frame.number(at.V_INVERSE_FY))
    for (let x = 0; x < width; x++) {
      let color = background
      let thing: u16 = 0
      if (load<f32>(closeness + ((<usize>x) << 2)) > 0) {
        const id = load<u32>(triangles + ((<usize>x) << 2))
        if (id != current) {
          prepareSurface(id)
          current = id
          if (things) instance = instanceOf(id)
        }
        color = shadePixel(f32x4.splat((<f32>x + 0.5 - centerX) * inverseX), down)
        thing = instance
      }
      store<u32>(out, color)
      out += 4
      if (things) {
        store<u16>(ids, thing)
        ids += 2
      }
    }
  }
}

/** A layer of glass over the picture; false if there is none. What it covers, the next layer must be in front of. */
export function shadeGlass(): bool {
  resetTexture()
  let found = false
  const rgba = <usize>frame.word(at.F_RGBA)
  let current: u32 = 0xffffffff
  for (let y = 0; y < frame.height; y++) {
    const down = f32x4.splat((<f32>y + 0.5 - frame.number(at.V_CY)) * frame.number(at.V_INVERSE_FY))
    for (let x = 0; x < frame.width; x++) {
      const offset = (<usize>(y * frame.stride + x)) << 2
      const near = load<f32>(frame.closeness + offset)
      if (near == f32.POSITIVE_INFINITY) continue
      found = true
      store<f32>(frame.behind + offset, near)
      const id = load<u32>(frame.triangles + offset)
      if (id != current) {
        prepareSurface(id)
        current = id
      }
      const right = (<f32>x + 0.5 - frame.number(at.V_CX)) * frame.number(at.V_INVERSE_FX)
      const over = shadePixel(f32x4.splat(right), down)
      const out = rgba + ((<usize>(y * frame.width + x)) << 2)
      const under = toFloats(load<u32>(out))
      const blended = f32x4.add(under, f32x4.mul(f32x4.sub(toFloats(over), under), f32x4.splat(opacity)))
      store<u32>(out, toBytes(blended))
    }
  }
  return found
}

function prepareSurface(id: u32): void {
  const surface = frame.scratch + at.S_SURFACE
  const cluster = (<usize>(id >> at.CLUSTER_SHIFT)) << 2
  const triangle = load<u32>(frame.block(at.H_AT_CLUSTER_TRIANGLE) + cluster) + (id & (at.CLUSTER_TRIANGLES - 1))
  const base = load<u32>(frame.block(at.H_AT_CLUSTER_VERTEX) + cluster)
  const a = (<usize>(base + load<u8>(frame.block(at.H_AT_INDEX_0) + triangle))) << 2
  const b = (<usize>(base + load<u8>(frame.block(at.H_AT_INDEX_1) + triangle))) << 2
  const c = (<usize>(base + load<u8>(frame.block(at.H_AT_INDEX_2) + triangle))) << 2

  // Lanes: the first corner from the camera, the edge to the second, the edge to the third.
  const dx = fromFirst(frame.block(at.H_AT_X), a, b, c, frame.number(at.V_POSITION))
  const dy = fromFirst(frame.block(at.H_AT_Y), a, b, c, frame.number(at.V_POSITION + 1))
  const dz = fromFirst(frame.block(at.H_AT_Z), a, b, c, frame.number(at.V_POSITION + 2))
  const x = turn(0, dx, dy, dz)
  const y = turn(3, dx, dy, dz)
  const z = turn(6, dx, dy, dz)
  // Cross products third edge × first corner, first corner × second edge, second edge × third edge.
  const x1 = i32x4.shuffle(x, x, 2, 0, 1, 3),
    x2 = i32x4.shuffle(x, x, 0, 1, 2, 3)
  const y1 = i32x4.shuffle(y, y, 2, 0, 1, 3),
    y2 = i32x4.shuffle(y, y, 0, 1, 2, 3)
  const z1 = i32x4.shuffle(z, z, 2, 0, 1, 3),
    z2 = i32x4.shuffle(z, z, 0, 1, 2, 3)
  let perX = f32x4.sub(f32x4.mul(y1, z2), f32x4.mul(z1, y2))
  let perY = f32x4.sub(f32x4.mul(z1, x2), f32x4.mul(x1, z2))
  const start = f32x4.sub(f32x4.mul(x1, y2), f32x4.mul(y1, x2))
  const normalX = f32x4.extract_lane(perX, 2)
  const normalY = f32x4.extract_lane(perY, 2)
  const normalZ = f32x4.extract_lane(start, 2)
  let facing =
    f32x4.extract_lane(x, 0) * normalX + f32x4.extract_lane(y, 0) * normalY + f32x4.extract_lane(z, 0) * normalZ
  if (frame.orthographic) {
    perX = f32x4(f32x4.extract_lane(y, 2), -f32x4.extract_lane(y, 1), 0, 0)
    perY = f32x4(-f32x4.extract_lane(x, 2), f32x4.extract_lane(x, 1), 0, 0)
    facing = normalZ
  }
  v128.store(surface, perX, PER_X)
  v128.store(surface, perY, PER_Y)
  v128.store(surface, start, START)

  const material =
    frame.block(at.H_AT_MATERIALS) +
    <usize>load<u16>(frame.block(at.H_AT_TRIANGLE_MATERIAL) + ((<usize>triangle) << 1)) * at.MATERIAL_BYTES
  const flags = frame.header(at.H_FLAGS)
  const lit = (flags & at.HAS_LIGHT) != 0
  store<u32>(surface, material, MATERIAL)
  v128.store(surface, lit ? v128.load(material, at.M_LINEAR) : v128.load(material, at.M_COLOR), MATERIAL_COLOR)
  if (flags & at.HAS_COLORS) {
    const colors = frame.block(at.H_AT_COLORS)
    v128.store(surface, cornerColor(load<u32>(colors + a), lit), COLOR_0)
    v128.store(surface, cornerColor(load<u32>(colors + b), lit), COLOR_1)
    v128.store(surface, cornerColor(load<u32>(colors + c), lit), COLOR_2)
  } else {
    const white = f32x4.splat(lit ? 1 : 255)
    v128.store(surface, white, COLOR_0)
    v128.store(surface, white, COLOR_1)
    v128.store(surface, white, COLOR_2)
  }
  if (lit) {
    const light = frame.block(at.H_AT_LIGHT)
    v128.store(surface, cornerLight(load<u32>(light + a)), LIGHT_0)
    v128.store(surface, cornerLight(load<u32>(light + b)), LIGHT_1)
    v128.store(surface, cornerLight(load<u32>(light + c)), LIGHT_2)
  }
  const textured = (flags & at.HAS_UVS) != 0 && load<u32>(material, at.M_TEXTURE) != 0
  store<u32>(surface, u32(textured), TEXTURED)
  if (!textured) return
  const uvs = frame.block(at.H_AT_UVS)
  const uv0 = v128.load64_zero(uvs + (a << 1))
  const uv1 = v128.load64_zero(uvs + (b << 1))
  const uv2 = v128.load64_zero(uvs + (c << 1))
  v128.store(surface, uv0, UV_0)
  v128.store(surface, uv1, UV_1)
  v128.store(surface, uv2, UV_2)
  const e1 = f32x4.sub(uv1, uv0)
  const e2 = f32x4.sub(uv2, uv0)
  const twist =
    f32x4.extract_lane(e1, 0) * f32x4.extract_lane(e2, 1) - f32x4.extract_lane(e2, 0) * f32x4.extract_lane(e1, 1)
  const area = abs(twist) * <f32>load<u32>(material, at.M_TEXTURE_WIDTH) * <f32>load<u32>(material, at.M_TEXTURE_HEIGHT)
  const pixels = frame.number(at.V_INVERSE_FX) * frame.number(at.V_INVERSE_FY)
  store<f32>(surface, area * (facing * facing) * pixels, TEXELS)
}

function fromFirst(axis: usize, a: usize, b: usize, c: usize, camera: f32): v128 {
  const first = load<f32>(axis + a)
  return f32x4(first - camera, load<f32>(axis + b) - first, load<f32>(axis + c) - first, 0)
}

function turn(row: i32, x: v128, y: v128, z: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(f32x4.splat(frame.number(row)), x), f32x4.mul(f32x4.splat(frame.number(row + 1)), y)),
    f32x4.mul(f32x4.splat(frame.number(row + 2)), z),
  )
}

function cornerColor(rgba: u32, linear: bool): v128 {
  if (!linear) return toFloats(rgba)
  return f32x4(
    load<f32>(at.TABLE_LINEAR + ((rgba & 255) << 4)),
    load<f32>(at.TABLE_LINEAR + (((rgba >> 8) & 255) << 4)),
    load<f32>(at.TABLE_LINEAR + (((rgba >> 16) & 255) << 4)),
    0,
  )
}

/** See light.ts. Powers of two: nothing is rounded here. */
function cornerLight(packed: u32): v128 {
  const parts = f32x4.convert_i32x4_s(v128.and(i32x4.splat(packed), i32x4(511, 511 << 9, 511 << 18, 0)))
  const scale = reinterpret<f32>(((packed >> 27) + 127 - 24) << 23)
  return f32x4.mul(f32x4.mul(parts, f32x4(1, 1.0 / 512.0, 1.0 / 262144.0, 0)), f32x4.splat(scale))
}

function shadePixel(x: v128, y: v128): u32 {
  const surface = frame.scratch + at.S_SURFACE
  const linear = f32x4.add(
    f32x4.add(f32x4.mul(v128.load(surface, PER_X), x), f32x4.mul(v128.load(surface, PER_Y), y)),
    v128.load(surface, START),
  )
  const one = f32x4.splat(1)
  const ratios = f32x4.div(linear, i32x4.shuffle(linear, linear, 2, 2, 2, 2))
  // From 0 to 1; what is no number becomes 0.
  const weights = f32x4.pmin(f32x4.pmax(f32x4.splat(0), ratios), one)
  const w1 = i32x4.shuffle(weights, weights, 0, 0, 0, 0)
  const rest = f32x4.sub(one, w1)
  const w2 = f32x4.pmin(i32x4.shuffle(weights, weights, 1, 1, 1, 1), rest)
  const w0 = f32x4.sub(rest, w2)

  let color = blend(surface, COLOR_0, w0, w1, w2)
  color = f32x4.mul(color, v128.load(surface, MATERIAL_COLOR))
  const material = <usize>load<u32>(surface, MATERIAL)
  opacity = load<f32>(material, at.M_OPACITY)
  const lit = (frame.header(at.H_FLAGS) & at.HAS_LIGHT) != 0
  if (load<u32>(surface, TEXTURED) != 0) {
    const uv = blend(surface, UV_0, w0, w1, w2)
    const size = abs(f32x4.extract_lane(linear, 2))
    const texelsPerPixel = load<f32>(surface, TEXELS) / (size * size * size)
    const texel = sample(material, f32x4.extract_lane(uv, 0), f32x4.extract_lane(uv, 1), texelsPerPixel)
    opacity = opacity * (f32x4.extract_lane(texel, 3) * ONE_255TH)
    color = f32x4.mul(color, lit ? linearTexel(texel) : f32x4.mul(texel, f32x4.splat(ONE_255TH)))
  }
  if (!lit) return toBytes(color)
  const light = f32x4.add(blend(surface, LIGHT_0, w0, w1, w2), f32x4.splat(load<f32>(material, at.M_GLOW)))
  return encode(tone(f32x4.mul(color, f32x4.mul(light, f32x4.splat(frame.number(at.V_EXPOSURE))))))
}

function blend(surface: usize, first: usize, w0: v128, w1: v128, w2: v128): v128 {
  const from = surface + first
  return f32x4.add(
    f32x4.add(f32x4.mul(v128.load(from), w0), f32x4.mul(v128.load(from, 16), w1)),
    f32x4.mul(v128.load(from, 32), w2),
  )
}

function linearTexel(texel: v128): v128 {
  const index = i32x4.trunc_sat_f32x4_s(f32x4.add(f32x4.mul(texel, f32x4.splat(4)), f32x4.splat(0.5)))
  return f32x4(
    load<f32>(at.TABLE_LINEAR + (i32x4.extract_lane(index, 0) << 2)),
    load<f32>(at.TABLE_LINEAR + (i32x4.extract_lane(index, 1) << 2)),
    load<f32>(at.TABLE_LINEAR + (i32x4.extract_lane(index, 2) << 2)),
    0,
  )
}

function tone(light: v128): v128 {
  const knee = f32x4.splat(KNEE)
  const above = f32x4.splat(ABOVE)
  const over = f32x4.sub(light, knee)
  const bent = f32x4.add(knee, f32x4.div(f32x4.mul(above, over), f32x4.add(above, over)))
  return v128.bitselect(light, bent, f32x4.le(light, knee))
}

function encode(light: v128): u32 {
  const root = f32x4.add(f32x4.mul(f32x4.sqrt(light), f32x4.splat(4095)), f32x4.splat(0.5))
  const index = i32x4.trunc_sat_f32x4_s(root)
  return (
    <u32>load<u8>(at.TABLE_SRGB + i32x4.extract_lane(index, 0)) |
    ((<u32>load<u8>(at.TABLE_SRGB + i32x4.extract_lane(index, 1))) << 8) |
    ((<u32>load<u8>(at.TABLE_SRGB + i32x4.extract_lane(index, 2))) << 16) |
    0xff000000
  )
}

function toFloats(rgba: u32): v128 {
  return f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(i32x4.splat(rgba))))
}

/** Whole numbers 0…255: beside 2^23, a single-precision number has no room for a fraction. */
function toBytes(color: v128): u32 {
  const rounded = f32x4.add(f32x4.pmin(color, f32x4.splat(255)), f32x4.splat(8388608))
  return i32x4.extract_lane(i8x16.shuffle(rounded, rounded, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12), 0)
}
