/** What is the same over a triangle that is to be shaded, in scratch. As makeSurface in reference/shade.ts. */
import * as at from '../../src/world/render/layout'
import * as frame from './frame'
import { cornerLight, linearColor, toFloats } from './tone'

/** Linear functions of the pixel, at x; lanes: weight of the second corner, of the third, their divisor, texels. */
export const PER_X = 0
/** The part that is the same in a row. */
export const ALONG = 16
export const START = 32
export const MATERIAL_COLOR = 48
/** Three corners each. */
export const COLOR = 64
/** Address of the material. */
export const MATERIAL = 112
/** The texture's levels, from the scene's start; 0 if the material has no texture. */
export const TEXTURE = 116
/** Number of the thing that the triangle belongs to. */
export const INSTANCE = 120
/** Three corners: u, v, and white, for a mesh without colors. */
export const UV = 128
export const LIGHT = 192

let indices0: usize = 0
let indices1: usize = 0
let indices2: usize = 0
let xs: usize = 0
let ys: usize = 0
let zs: usize = 0
let firstTriangles: usize = 0
let firstVertices: usize = 0
let materials: usize = 0
let materialNumbers: usize = 0
let colors: usize = 0
let lights: usize = 0
export let uvs: usize = 0
let instances: usize = 0
export let hasColors: bool = false
export let lit: bool = false

/** Looks up where the scene's parts are: once a picture, not once a triangle. */
export function openScene(): void {
  const flags = frame.header(at.H_FLAGS)
  lit = (flags & at.HAS_LIGHT) != 0
  hasColors = (flags & at.HAS_COLORS) != 0
  indices0 = frame.block(at.H_AT_INDEX_0)
  indices1 = frame.block(at.H_AT_INDEX_1)
  indices2 = frame.block(at.H_AT_INDEX_2)
  xs = frame.block(at.H_AT_X)
  ys = frame.block(at.H_AT_Y)
  zs = frame.block(at.H_AT_Z)
  firstTriangles = frame.block(at.H_AT_CLUSTER_TRIANGLE)
  firstVertices = frame.block(at.H_AT_CLUSTER_VERTEX)
  materials = frame.block(at.H_AT_MATERIALS)
  materialNumbers = frame.block(at.H_AT_TRIANGLE_MATERIAL)
  instances = frame.block(at.H_AT_TRIANGLE_INSTANCE)
  colors = frame.block(at.H_AT_COLORS)
  lights = frame.block(at.H_AT_LIGHT)
  uvs = (flags & at.HAS_UVS) != 0 ? frame.block(at.H_AT_UVS) : 0
}

/** `down` is the row's center, as (row − cy) / fy. */
export function prepareSurface(surface: usize, id: u32, down: v128): void {
  const cluster = (<usize>(id >> at.CLUSTER_SHIFT)) << 2
  const triangle = load<u32>(firstTriangles + cluster) + (id & (at.CLUSTER_TRIANGLES - 1))
  const base = load<u32>(firstVertices + cluster)
  const a = (<usize>(base + load<u8>(indices0 + triangle))) << 2
  const b = (<usize>(base + load<u8>(indices1 + triangle))) << 2
  const c = (<usize>(base + load<u8>(indices2 + triangle))) << 2

  // Lanes: the first corner from the camera, the edge to the second, the edge to the third.
  const dx = fromFirst(xs, a, b, c, frame.number(at.V_POSITION))
  const dy = fromFirst(ys, a, b, c, frame.number(at.V_POSITION + 1))
  const dz = fromFirst(zs, a, b, c, frame.number(at.V_POSITION + 2))
  const x = turn(0, dx, dy, dz)
  const y = turn(3, dx, dy, dz)
  const z = turn(6, dx, dy, dz)
  // Cross products third edge × first corner, first corner × second edge, second edge × third edge.
  const x1 = i32x4.shuffle(x, x, 2, 0, 1, 3)
  const y1 = i32x4.shuffle(y, y, 2, 0, 1, 3)
  const z1 = i32x4.shuffle(z, z, 2, 0, 1, 3)
  const perX = f32x4.sub(f32x4.mul(y1, z), f32x4.mul(z1, y))
  const perY = f32x4.sub(f32x4.mul(z1, x), f32x4.mul(x1, z))
  const start = f32x4.sub(f32x4.mul(x1, y), f32x4.mul(y1, x))
  if (frame.orthographic) {
    v128.store(surface, f32x4(f32x4.extract_lane(y, 2), -f32x4.extract_lane(y, 1), 0, 0), PER_X)
    const ofY = f32x4(-f32x4.extract_lane(x, 2), f32x4.extract_lane(x, 1), 0, 0)
    v128.store(surface, f32x4.mul(ofY, down), ALONG)
  } else {
    v128.store(surface, perX, PER_X)
    v128.store(surface, f32x4.mul(perY, down), ALONG)
  }
  v128.store(surface, start, START)

  const material = materials + <usize>load<u16>(materialNumbers + ((<usize>triangle) << 1)) * at.MATERIAL_BYTES
  store<u32>(surface, material, MATERIAL)
  store<u16>(surface, load<u16>(instances + ((<usize>triangle) << 1)), INSTANCE)
  v128.store(surface, lit ? v128.load(material, at.M_LINEAR) : v128.load(material, at.M_COLOR), MATERIAL_COLOR)
  const levels = uvs != 0 ? load<u32>(material, at.M_LEVELS) : 0
  store<u32>(surface, levels, TEXTURE)
  if (hasColors) {
    v128.store(surface, cornerColor(load<u32>(colors + a)), COLOR)
    v128.store(surface, cornerColor(load<u32>(colors + b)), COLOR + 16)
    v128.store(surface, cornerColor(load<u32>(colors + c)), COLOR + 32)
  } else if (levels == 0) {
    // In scenes with textures, white stands next to the texture coordinates, even where there is no texture.
    const corners = surface + (uvs != 0 ? UV : COLOR)
    const white = f32x4.splat(lit ? 1 : 255)
    v128.store(corners, white)
    v128.store(corners, white, 16)
    v128.store(corners, white, 32)
  }
  if (lit) {
    v128.store(surface, cornerLight(load<u32>(lights + a)), LIGHT)
    v128.store(surface, cornerLight(load<u32>(lights + b)), LIGHT + 16)
    v128.store(surface, cornerLight(load<u32>(lights + c)), LIGHT + 32)
  }
  if (levels == 0) return
  const normalX = f32x4.extract_lane(perX, 2)
  const normalY = f32x4.extract_lane(perY, 2)
  const normalZ = f32x4.extract_lane(start, 2)
  const facing = frame.orthographic
    ? normalZ
    : f32x4.extract_lane(x, 0) * normalX + f32x4.extract_lane(y, 0) * normalY + f32x4.extract_lane(z, 0) * normalZ
  prepareTexture(surface, <usize>levels, uvs + (a << 1), uvs + (b << 1), uvs + (c << 1), facing)
}

function prepareTexture(surface: usize, levels: usize, a: usize, b: usize, c: usize, facing: f32): void {
  const white = f32x4(0, 0, lit ? 1 : 255, 0)
  const uv0 = v128.load64_zero(a)
  const uv1 = v128.load64_zero(b)
  const uv2 = v128.load64_zero(c)
  v128.store(surface, v128.or(uv0, white), UV)
  v128.store(surface, v128.or(uv1, white), UV + 16)
  v128.store(surface, v128.or(uv2, white), UV + 32)
  const e1 = f32x4.sub(uv1, uv0)
  const e2 = f32x4.sub(uv2, uv0)
  const twist =
    f32x4.extract_lane(e1, 0) * f32x4.extract_lane(e2, 1) - f32x4.extract_lane(e2, 0) * f32x4.extract_lane(e1, 1)
  const size = levels + at.SCENE_START + at.L_SIZE
  const area = abs(twist) * load<f32>(size) * load<f32>(size, 4)
  const pixels = frame.number(at.V_INVERSE_FX) * frame.number(at.V_INVERSE_FY)
  store<f32>(surface, area * (facing * facing) * pixels, START + 12)
}

function fromFirst(axis: usize, a: usize, b: usize, c: usize, camera: f32): v128 {
  const corners = v128.load32_lane(axis + c, v128.load32_lane(axis + b, v128.load32_zero(axis + a), 1), 2)
  return f32x4.sub(corners, f32x4.replace_lane(v128.load32_splat(axis + a), 0, camera))
}

function turn(row: i32, x: v128, y: v128, z: v128): v128 {
  const rotation = frame.view + (<usize>row << 2)
  return f32x4.add(
    f32x4.add(f32x4.mul(v128.load32_splat(rotation), x), f32x4.mul(v128.load32_splat(rotation, 4), y)),
    f32x4.mul(v128.load32_splat(rotation, 8), z),
  )
}

function cornerColor(rgba: u32): v128 {
  return lit ? linearColor(rgba) : toFloats(rgba)
}
