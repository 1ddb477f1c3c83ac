/** Smaller and smaller versions of a texture, each averaged in linear light over exactly the area it stands for. */
import type { Texture } from '../mesh.ts'
import * as at from './layout.ts'
import { encodeSrgb, LINEAR_TABLE } from './srgb.ts'

/** Levels down to 1 × 1. */
export function mipLevels(width: number, height: number): number {
  let levels = 1
  for (let size = Math.max(width, height); size > 1; size >>= 1) levels++
  return levels
}

export function mipSize(size: number, level: number): number {
  return Math.max(1, size >> level)
}

/** Texels of all levels together. */
export function mipTexels(width: number, height: number): number {
  let texels = 0
  for (let level = 0; level < mipLevels(width, height); level++)
    texels += mipSize(width, level) * mipSize(height, level)
  return texels
}

/** What the kernel has to know of each level, so that it looks it up instead of computing it: a table of 32-bit words. */
export function levelTable(width: number, height: number, texels: number): Uint32Array {
  const table = new Uint32Array(at.LEVEL_TABLE_BYTES / 4)
  const floats = new Float32Array(table.buffer)
  const last = mipLevels(width, height) - 1
  let start = texels
  for (let entry = 0; entry < at.LEVELS; entry++) {
    const level = Math.min(entry, last)
    const across = mipSize(width, level)
    const down = mipSize(height, level)
    const word = (entry * at.LEVEL_BYTES) / 4
    floats[word + at.L_SIZE / 4] = across
    floats[word + at.L_SIZE / 4 + 1] = down
    table[word + at.L_TEXELS / 4] = start
    table[word + at.L_ACROSS / 4] = across
    if (entry < last) start += across * down * 4
  }
  return table
}

/** Levels 1 and on: scenes share textures, whose pixels do not change. */
const smaller = new WeakMap<Texture, Uint8Array>()

/** Writes all levels one after the other, four bytes a texel. */
export function writeMipmaps(texture: Texture, out: Uint8Array): void {
  const { width, height, rgba } = texture
  const size = width * height * 4
  out.set(rgba.subarray(0, size))
  const known = smaller.get(texture)
  if (known) {
    out.set(known, size)
    return
  }
  writeLevels(texture, out)
  smaller.set(texture, out.slice(size, mipTexels(width, height) * 4))
}

function writeLevels({ width, height }: Texture, out: Uint8Array): void {
  let from = 0
  for (let level = 1; level < mipLevels(width, height); level++) {
    const w = mipSize(width, level - 1)
    const h = mipSize(height, level - 1)
    const [w2, h2] = [mipSize(width, level), mipSize(height, level)]
    if (w === w2 * 2 && h === h2 * 2) halve(out, from, w2, h2, from + w * h * 4)
    else shrink(out, from, w, h, from + w * h * 4, w2, h2)
    from += w * h * 4
  }
}

/** Averages texels two by two: what `shrink` gives, in a tenth of its time. */
function halve(texels: Uint8Array, from: number, w2: number, h2: number, to: number): void {
  const row = w2 * 8
  let t = to
  for (let y = 0; y < h2; y++) {
    let s = from + y * 2 * row
    for (let x = 0; x < w2; x++, s += 8, t += 4) {
      for (let c = 0; c < 3; c++) {
        const upper = LINEAR_TABLE[texels[s + c]! * 4]! + LINEAR_TABLE[texels[s + 4 + c]! * 4]!
        const sum = upper + LINEAR_TABLE[texels[s + row + c]! * 4]! + LINEAR_TABLE[texels[s + row + 4 + c]! * 4]!
        texels[t + c] = encodeSrgb(sum / 4)
      }
      const alpha = texels[s + 3]! + texels[s + 7]! + texels[s + row + 3]! + texels[s + row + 7]!
      texels[t + 3] = (alpha + 2) >> 2
    }
  }
}

function shrink(texels: Uint8Array, from: number, w: number, h: number, to: number, w2: number, h2: number): void {
  const sum = new Float64Array(4)
  for (let y = 0; y < h2; y++) {
    const top = (y * h) / h2
    const bottom = ((y + 1) * h) / h2
    for (let x = 0; x < w2; x++) {
      const left = (x * w) / w2
      const right = ((x + 1) * w) / w2
      sum.fill(0)
      for (let sy = Math.floor(top); sy < bottom; sy++) {
        const tall = Math.min(sy + 1, bottom) - Math.max(sy, top)
        for (let sx = Math.floor(left); sx < right; sx++) {
          const weight = tall * (Math.min(sx + 1, right) - Math.max(sx, left))
          const s = from + (sy * w + sx) * 4
          for (let c = 0; c < 3; c++) sum[c]! += weight * LINEAR_TABLE[texels[s + c]! * 4]!
          sum[3]! += weight * texels[s + 3]!
        }
      }
      const area = (right - left) * (bottom - top)
      const t = to + (y * w2 + x) * 4
      for (let c = 0; c < 3; c++) texels[t + c] = encodeSrgb(sum[c]! / area)
      texels[t + 3] = Math.floor(sum[3]! / area + 0.5)
    }
  }
}
