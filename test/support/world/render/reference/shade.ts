/** The color of a pixel, from the triangle that won it. */
import * as at from '../../../../../src/world/render/layout.ts'
import { lightScale } from '../../../../../src/world/render/light.ts'
import { mipSize } from '../../../../../src/world/render/mipmaps.ts'
import type { SceneViews } from '../../../../../src/world/render/scene.ts'
import { LINEAR_TABLE, SRGB_TABLE } from '../../../../../src/world/render/srgb.ts'
import { f, turn } from './vertex.ts'

type Vector = { x: number; y: number; z: number }

export interface Shaded {
  r: number
  g: number
  b: number
  /** 0…1 */
  opacity: number
}

/** All that is the same over a triangle. */
export interface Surface {
  corners: readonly [number, number, number]
  material: number
  /** Perspective-correct weights of the second and third corner at (x, y, 1) are these over `divisor`. */
  second: Vector
  third: Vector
  divisor: Vector
  /** Texels of the full texture a pixel, times the cube of the divisor. */
  texels: number
}

/** Where the ray through a pixel meets the triangle (Möller and Trumbore), as linear functions of the pixel. */
export function makeSurface(view: Float32Array, orthographic: boolean, scene: SceneViews, id: number): Surface {
  const cluster = id >>> at.CLUSTER_SHIFT
  const triangle = scene.clusterTriangle[cluster]! + (id & (at.CLUSTER_TRIANGLES - 1))
  const base = scene.clusterVertex[cluster]!
  const a = base + scene.index0[triangle]!
  const b = base + scene.index1[triangle]!
  const c = base + scene.index2[triangle]!
  const { x, y, z } = scene
  const [tx, ty, tz] = [view[at.V_POSITION]!, view[at.V_POSITION + 1]!, view[at.V_POSITION + 2]!]
  const v = turn(view, f(x[a]! - tx), f(y[a]! - ty), f(z[a]! - tz))
  const e = turn(view, f(x[b]! - x[a]!), f(y[b]! - y[a]!), f(z[b]! - z[a]!))
  const g = turn(view, f(x[c]! - x[a]!), f(y[c]! - y[a]!), f(z[c]! - z[a]!))
  const normal = cross(e, g)
  let second = cross(g, v)
  let third = cross(v, e)
  let divisor = normal
  let facing = f(f(f(v.x * normal.x) + f(v.y * normal.y)) + f(v.z * normal.z))
  if (orthographic) {
    second = { x: g.y, y: -g.x, z: second.z }
    third = { x: -e.y, y: e.x, z: third.z }
    divisor = { x: 0, y: 0, z: normal.z }
    facing = normal.z
  }
  const material = scene.triangleMaterial[triangle]!
  let texels = 0
  if (scene.uvs) {
    const { uvs } = scene
    const [u0, v0] = [uvs[a * 2]!, uvs[a * 2 + 1]!]
    const [u1, v1] = [f(uvs[b * 2]! - u0), f(uvs[b * 2 + 1]! - v0)]
    const [u2, v2] = [f(uvs[c * 2]! - u0), f(uvs[c * 2 + 1]! - v0)]
    const word = (material * at.MATERIAL_BYTES) / 4
    const width = scene.materialWords[word + at.M_TEXTURE_WIDTH / 4]!
    const height = scene.materialWords[word + at.M_TEXTURE_HEIGHT / 4]!
    const area = f(f(Math.abs(f(f(u1 * v2) - f(u2 * v1))) * f(width)) * f(height))
    texels = f(f(area * f(facing * facing)) * f(view[at.V_INVERSE_FX]! * view[at.V_INVERSE_FY]!))
  }
  return { corners: [a, b, c], material, second, third, divisor, texels }
}

function cross(a: Vector, b: Vector): Vector {
  return {
    x: f(f(a.y * b.z) - f(a.z * b.y)),
    y: f(f(a.z * b.x) - f(a.x * b.z)),
    z: f(f(a.x * b.y) - f(a.y * b.x)),
  }
}

/** `x` and `y` are the place's center, as (column − cx) / fx and (row − cy) / fy; `area` is what it shows of a texture, in pixels. */
export function shade(
  view: Float32Array,
  scene: SceneViews,
  surface: Surface,
  x: number,
  y: number,
  area: number,
): Shaded {
  const linear = (v: Vector): number => f(f(f(v.x * x) + f(v.y * y)) + v.z)
  const divisor = linear(surface.divisor)
  const w1 = clamp(f(linear(surface.second) / divisor), 1)
  const w2 = clamp(f(linear(surface.third) / divisor), f(1 - w1))
  const w0 = f(f(1 - w1) - w2)
  const [a, b, c] = surface.corners
  const blend = (v0: number, v1: number, v2: number): number => f(f(f(v0 * w0) + f(v1 * w1)) + f(v2 * w2))

  const { colors, uvs, light, materials, materialWords } = scene
  const word = (surface.material * at.MATERIAL_BYTES) / 4
  let opacity = materials[word + at.M_OPACITY / 4]!
  let texel = [255, 255, 255, 255]
  if (uvs && materialWords[word + at.M_TEXTURE / 4] !== 0) {
    const u = blend(uvs[a * 2]!, uvs[b * 2]!, uvs[c * 2]!)
    const v = blend(uvs[a * 2 + 1]!, uvs[b * 2 + 1]!, uvs[c * 2 + 1]!)
    const size = Math.abs(divisor)
    texel = sample(scene, word, u, v, f(f(surface.texels * area) / f(f(size * size) * size)))
    opacity = f(opacity * f(texel[3]! * ONE_255TH))
  }
  const channel = (i: 0 | 1 | 2): number => {
    const color = materials[word + (light ? at.M_LINEAR : at.M_COLOR) / 4 + i]!
    const corner = (vertex: number): number => (colors ? colors[vertex * 4 + i]! : 255)
    if (!light) {
      const captured = f(blend(corner(a), corner(b), corner(c)) * color)
      return toByte(f(captured * f(texel[i]! * ONE_255TH)))
    }
    const lit = (vertex: number): number => f(((light[vertex]! >>> (9 * i)) & 511) * lightScale(light[vertex]!))
    const albedo = f(
      f(blend(fromSrgb(corner(a)), fromSrgb(corner(b)), fromSrgb(corner(c))) * color) * fromSrgb(texel[i]!),
    )
    const incoming = f(blend(lit(a), lit(b), lit(c)) + materials[word + at.M_GLOW / 4]!)
    return toSrgb(tone(f(albedo * f(incoming * view[at.V_EXPOSURE]!))))
  }
  return { r: channel(0), g: channel(1), b: channel(2), opacity }
}

const ONE_255TH = f(1 / 255)

/** The nearest whole number, the even one of two: next to 2^23, single precision has no room for a fraction. */
export function toByte(value: number): number {
  return f(Math.min(value, 255) + 8388608) - 8388608
}

/** Also turns what is no number into 0. */
function clamp(value: number, most: number): number {
  return value > 0 ? (value < most ? value : most) : 0
}

function fromSrgb(value: number): number {
  return LINEAR_TABLE[Math.floor(f(f(value * 4) + 0.5))]!
}

function toSrgb(value: number): number {
  return SRGB_TABLE[Math.floor(f(f(f(Math.sqrt(value)) * 4095) + 0.5))]!
}

const KNEE = f(at.TONE_KNEE)
const ABOVE = f(1 - KNEE)

/** Straight up to the knee, then a curve that nears 1 and never reaches it. */
function tone(value: number): number {
  if (value <= KNEE) return value
  const over = f(value - KNEE)
  return f(KNEE + f(f(ABOVE * over) / f(ABOVE + over)))
}

/** Four texels of the level whose texels are about a pixel; the texture repeats. */
function sample(scene: SceneViews, material: number, u: number, v: number, texelsPerPixel: number): number[] {
  const words = scene.materialWords
  const fullWidth = words[material + at.M_TEXTURE_WIDTH / 4]!
  const fullHeight = words[material + at.M_TEXTURE_HEIGHT / 4]!
  const level = mipLevel(texelsPerPixel, words[material + at.M_TEXTURE_LEVELS / 4]! - 1)
  let start = words[material + at.M_TEXTURE / 4]!
  for (let l = 0; l < level; l++) start += mipSize(fullWidth, l) * mipSize(fullHeight, l) * 4
  const width = mipSize(fullWidth, level)
  const height = mipSize(fullHeight, level)
  const x = f(f(f(u - Math.floor(u)) * width) - 0.5)
  const y = f(f(f(v - Math.floor(v)) * height) - 0.5)
  const x0 = Math.floor(x)
  const y0 = Math.floor(y)
  const wrap = (i: number, size: number): number => (i < 0 ? size - 1 : i >= size ? 0 : i)
  const [left, right] = [wrap(x0, width), wrap(x0 + 1, width)]
  const [top, bottom] = [wrap(y0, height) * width, wrap(y0 + 1, height) * width]
  const [partX, partY] = [f(x - x0), f(y - y0)]
  const mix = (p: number, q: number, t: number): number => f(p + f(f(q - p) * t))
  return [0, 1, 2, 3].map((c) => {
    const at4 = (texel: number): number => scene.bytes[start + texel * 4 + c]!
    return mix(
      mix(at4(top + left), at4(top + right), partX),
      mix(at4(bottom + left), at4(bottom + right), partX),
      partY,
    )
  })
}

const bits = new DataView(new ArrayBuffer(4))

/** Half the binary logarithm of the area, rounded: read from the number's exponent. */
function mipLevel(texelsPerPixel: number, last: number): number {
  bits.setFloat32(0, texelsPerPixel)
  const exponent = ((bits.getUint32(0) >>> 23) & 255) - 127
  return Math.max(0, Math.min(last, (exponent + 1) >> 1))
}
