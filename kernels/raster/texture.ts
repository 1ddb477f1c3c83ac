/** Four texels of the mip level that fits, blended. As `sample` in reference/shade.ts. */
import * as at from '../../src/world/render/layout'
import * as frame from './frame'

// The level in use: it seldom changes from one pixel to the next.
let texture: usize = 0
let texelLevel: i32 = 0
let texels: usize = 0
let across: i32 = 1
let down: i32 = 1

/** Forgets the level in use: another frame may have another scene behind the same addresses. */
export function resetTexture(): void {
  texture = 0
}

/** r, g, b, a as 0…255 at texture coordinates u, v. */
export function sample(material: usize, u: f32, v: f32, texelsPerPixel: f32): v128 {
  // Half the binary logarithm of the area, rounded, is in the number's exponent.
  const exponent = <i32>((reinterpret<u32>(texelsPerPixel) >> 23) & 255) - 127
  const level = max(0, min(load<i32>(material, at.M_TEXTURE_LEVELS) - 1, (exponent + 1) >> 1))
  if (material != texture || level != texelLevel) useLevel(material, level)
  const x = (u - floor(u)) * <f32>across - 0.5
  const y = (v - floor(v)) * <f32>down - 0.5
  const floorX = floor(x)
  const floorY = floor(y)
  const x0 = <i32>floorX
  const y0 = <i32>floorY
  const left = wrap(x0, across)
  const right = wrap(x0 + 1, across)
  const top = texels + ((<usize>(wrap(y0, down) * across)) << 2)
  const bottom = texels + ((<usize>(wrap(y0 + 1, down) * across)) << 2)
  const partX = f32x4.splat(x - floorX)
  const upper = mix(texel(top, left), texel(top, right), partX)
  const lower = mix(texel(bottom, left), texel(bottom, right), partX)
  return mix(upper, lower, f32x4.splat(y - floorY))
}

function useLevel(material: usize, level: i32): void {
  texture = material
  texelLevel = level
  const fullWidth = load<i32>(material, at.M_TEXTURE_WIDTH)
  const fullHeight = load<i32>(material, at.M_TEXTURE_HEIGHT)
  texels = frame.scene + load<u32>(material, at.M_TEXTURE)
  for (let l = 0; l < level; l++) texels += (<usize>(max(1, fullWidth >> l) * max(1, fullHeight >> l))) << 2
  across = max(1, fullWidth >> level)
  down = max(1, fullHeight >> level)
}

function wrap(i: i32, size: i32): i32 {
  return i < 0 ? size - 1 : i >= size ? 0 : i
}

function texel(row: usize, x: i32): v128 {
  return f32x4.convert_i32x4_s(
    i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(row + ((<usize>x) << 2)))),
  )
}

function mix(from: v128, to: v128, part: v128): v128 {
  return f32x4.add(from, f32x4.mul(f32x4.sub(to, from), part))
}
