/**
 * Textures of what things are made of. They are near white, so that one grain serves every color: a material's color
 * is multiplied with them. Each is made once and kept.
 */
import type { Texture } from '../mesh.ts'
import { TAU, sine } from '../trig.ts'
import { Canvas, type Color } from './canvas.ts'
import { fractal, hash, noise } from './noise.ts'

const made = new Map<string, Texture>()

/** The texture of that name, painted on first use. */
export function once(key: string, paint: () => Canvas): Texture {
  let texture = made.get(key)
  if (!texture) {
    texture = paint().texture()
    made.set(key, texture)
  }
  return texture
}

const grey = (level: number): Color => [level * 255, level * 255, level * 255]

/** How bright a wood is at a place; grain runs along u. */
function grain(u: number, v: number, seed: number): number {
  const bend = (noise(u, v, 2, 2, seed) - 0.5) * 0.1 + (noise(u, v, 4, 3, seed + 5) - 0.5) * 0.03
  const rings = sine((v + bend) * TAU * 7)
  const fibre = fractal(u, v, 4, 64, 3, seed + 9)
  const pores = noise(u, v, 24, 200, seed + 17)
  return 0.86 + rings * 0.045 + (fibre - 0.5) * 0.2 - (pores > 0.8 ? (pores - 0.8) * 0.45 : 0)
}

/** Warm where it is light, brown in the dark lines, whatever the tint. */
function woodColor(level: number): Color {
  return [255 * Math.min(1, level * 1.02), 255 * level, 255 * level * (0.9 + level * 0.1)]
}

export const surfaces = {
  wood: () => once('wood', () => new Canvas(256, 256).each((u, v) => woodColor(grain(u, v, 3)))),

  /** Floor boards: 6 rows of staggered boards a tile. */
  planks: () =>
    once('planks', () =>
      new Canvas(512, 512).each((u, v) => {
        const row = Math.floor(v * 6)
        const shift = hash(row, 1, 4)
        const along = (u + shift) % 1
        const board = Math.floor(along * 2)
        const tone = 0.84 + hash(row, board, 8) * 0.2
        const gapV = Math.abs(v * 6 - row - 0.5) > 0.485
        const inBoard = along * 2 - board
        const gapU = inBoard < 0.006 || inBoard > 0.994
        const level = grain((u + hash(row, board, 2)) % 1, (v / 2 + hash(row, board, 3)) % 1, 7) * tone
        return woodColor(gapV || gapU ? level * 0.62 : level)
      }),
    ),

  /** Herringbone parquet. */
  herringbone: () =>
    once('herringbone', () =>
      new Canvas(512, 512).each((u, v) => {
        const [board, across, along] = herringbone(u * 8, v * 8)
        const gap = across < 0.04 || across > 0.96 || along < 0.01 || along > 0.99
        const seed = board * 7919
        const level =
          (0.82 + hash(board, 3, 6) * 0.18) *
          grain((along * 0.4 + hash(seed, 1, 1)) % 1, (across * 0.12 + hash(seed, 2, 1)) % 1, 7)
        return woodColor(gap ? level * 0.65 : level)
      }),
    ),

  /** Woven cloth, threads over and under. */
  weave: () =>
    once('weave', () =>
      new Canvas(256, 256).each((u, v) => {
        const x = u * 40
        const y = v * 40
        const over = (Math.floor(x) + Math.floor(y)) % 2 === 0
        const across = over ? y - Math.floor(y) : x - Math.floor(x)
        const round = 1 - (across - 0.5) * (across - 0.5) * 1.4
        return grey(
          0.72 + round * 0.18 + (fractal(u, v, 16, 16, 3, 5) - 0.5) * 0.22 + (noise(u, v, 80, 80, 6) - 0.5) * 0.1,
        )
      }),
    ),

  /** Smooth bed linen and curtains: faint folds. */
  linen: () =>
    once('linen', () =>
      new Canvas(256, 256).each((u, v) =>
        grey(0.93 + (fractal(u, v, 3, 3, 4, 8) - 0.5) * 0.12 + (noise(u, v, 128, 128, 3) - 0.5) * 0.05),
      ),
    ),

  knit: () =>
    once('knit', () =>
      new Canvas(256, 256).each((u, v) => {
        const x = u * 20
        const lean = Math.abs(x - Math.floor(x) - 0.5)
        const y = v * 28 + lean * 1.4
        const row = y - Math.floor(y) - 0.5
        const column = lean - 0.25
        return grey(0.98 - row * row * 0.9 - column * column * 2.4 + (noise(u, v, 100, 100, 4) - 0.5) * 0.08)
      }),
    ),

  leather: () =>
    once('leather', () =>
      new Canvas(256, 256).each((u, v) => {
        const cell = fractal(u, v, 28, 28, 2, 11)
        return grey(0.9 + (fractal(u, v, 4, 4, 3, 12) - 0.5) * 0.16 - Math.abs(cell - 0.5) * 0.22)
      }),
    ),

  carpet: () =>
    once('carpet', () =>
      new Canvas(256, 256).each((u, v) =>
        grey(0.84 + (noise(u, v, 128, 128, 5) - 0.5) * 0.34 + (fractal(u, v, 5, 5, 3, 6) - 0.5) * 0.14),
      ),
    ),

  fur: () =>
    once('fur', () =>
      new Canvas(256, 256).each((u, v) =>
        grey(
          0.82 +
            (noise(u + noise(u, v, 8, 8, 3) * 0.05, v, 110, 40, 5) - 0.5) * 0.36 +
            (fractal(u, v, 8, 8, 2, 2) - 0.5) * 0.16,
        ),
      ),
    ),

  /** 4 × 4 square tiles with grout. */
  tiles: () =>
    once('tiles', () =>
      new Canvas(512, 512).each((u, v) => {
        const [edge, tone] = tileAt(u * 4, v * 4, 0)
        if (edge < 0.016) return grey(0.68)
        const bevel = edge < 0.03 ? -0.06 : 0
        return grey(0.95 + tone * 0.05 - 0.025 + bevel + (fractal(u, v, 8, 8, 3, 4) - 0.5) * 0.05)
      }),
    ),

  /** Wall tiles laid like bricks, 4 × 8. */
  metro: () =>
    once('metro', () =>
      new Canvas(512, 512).each((u, v) => {
        const row = Math.floor(v * 8)
        const x = u * 4 + (row % 2) * 0.5
        const fx = x - Math.floor(x)
        const fy = v * 8 - row
        const edge = Math.min(Math.min(fx, 1 - fx) * 2, fy, 1 - fy)
        if (edge < 0.035) return grey(0.72)
        const bevel = edge < 0.1 ? (fy < 0.5 ? 0.03 : -0.05) : 0
        return grey(0.95 + bevel + (hash(Math.floor(x) % 4, row, 3) - 0.5) * 0.04)
      }),
    ),

  /** Large stone slabs, 2 × 2. */
  slabs: () =>
    once('slabs', () =>
      new Canvas(512, 512).each((u, v) => {
        const [edge, tone] = tileAt(u * 2, v * 2, 5)
        if (edge < 0.007) return grey(0.6)
        const cloud = fractal((u + tone) % 1, (v + tone * 3) % 1, 6, 6, 5, 9)
        return grey(0.88 + tone * 0.06 + (cloud - 0.5) * 0.22 + (noise(u, v, 160, 160, 3) - 0.5) * 0.05)
      }),
    ),

  /** Black and white squares. */
  checker: () =>
    once('checker', () =>
      new Canvas(512, 512).each((u, v) => {
        const x = u * 4
        const y = v * 4
        const [edge] = tileAt(x, y, 0)
        if (edge < 0.012) return grey(0.5)
        const dark = (Math.floor(x) + Math.floor(y)) % 2 === 0
        const vein = Math.abs(fractal(u, v, 5, 5, 4, 15) - 0.5) * 0.22
        return grey(dark ? 0.22 + vein : 0.96 - vein)
      }),
    ),

  marble: () =>
    once('marble', () =>
      new Canvas(256, 256).each((u, v) => {
        const warp = fractal(u, v, 3, 3, 4, 21)
        const vein = Math.abs(sine((u + v * 1 + warp * 1.6) * TAU))
        const thin = vein < 0.12 ? (0.12 - vein) * 2.6 : 0
        return grey(0.95 - thin - (fractal(u, v, 6, 6, 3, 2) - 0.5) * 0.1)
      }),
    ),

  /** Speckled stone of work tops. */
  granite: () =>
    once('granite', () =>
      new Canvas(256, 256).each((u, v) => {
        const fleck = noise(u, v, 110, 110, 31)
        const cloud = fractal(u, v, 12, 12, 3, 32)
        return grey(0.78 + (cloud - 0.5) * 0.3 + (fleck > 0.74 ? 0.2 : fleck < 0.22 ? -0.32 : 0))
      }),
    ),

  brushed: () =>
    once('brushed', () =>
      new Canvas(256, 256).each((u, v) =>
        grey(0.9 + (noise(u, v, 3, 128, 5) - 0.5) * 0.14 + (noise(u, v, 6, 250, 6) - 0.5) * 0.1),
      ),
    ),

  plaster: () =>
    once('plaster', () =>
      new Canvas(256, 256).each((u, v) =>
        grey(0.96 + (fractal(u, v, 6, 6, 5, 41) - 0.5) * 0.07 + (noise(u, v, 120, 120, 42) - 0.5) * 0.025),
      ),
    ),

  /** Rolled paint: even but for its fine grain. */
  rolled: () =>
    once('rolled', () =>
      new Canvas(256, 256).each((u, v) =>
        grey(0.965 + (noise(u, v, 120, 120, 43) - 0.5) * 0.03 + (noise(u, v, 40, 40, 44) - 0.5) * 0.012),
      ),
    ),

  concrete: () =>
    once('concrete', () =>
      new Canvas(256, 256).each((u, v) => {
        const pit = noise(u, v, 70, 70, 52)
        return grey(0.9 + (fractal(u, v, 6, 6, 5, 51) - 0.5) * 0.1 - (pit > 0.9 ? 0.12 : 0))
      }),
    ),

  brick: () =>
    once('brick', () =>
      new Canvas(512, 512).each((u, v) => {
        const row = Math.floor(v * 12)
        const x = u * 4 + (row % 2) * 0.5
        const column = Math.floor(x) % 4
        const fx = x - Math.floor(x)
        const fy = v * 12 - row
        const edge = Math.min(Math.min(fx, 1 - fx) * 3, fy, 1 - fy) + (noise(u, v, 60, 60, 3) - 0.5) * 0.05
        if (edge < 0.07) return [225, 215, 205]
        const tone = 0.72 + hash(column, row, 9) * 0.24 + (fractal(u, v, 24, 24, 3, 8) - 0.5) * 0.25
        return [205 * tone, 122 * tone, 96 * tone]
      }),
    ),

  /** Wallpaper with upright stripes. */
  stripes: () =>
    once('stripes', () =>
      new Canvas(256, 256).each((u, v) =>
        grey((Math.floor(u * 8) % 2 ? 0.97 : 0.9) + (noise(u, v, 100, 100, 3) - 0.5) * 0.02),
      ),
    ),

  cardboard: () =>
    once('cardboard', () =>
      new Canvas(256, 256).each((u, v) =>
        grey(0.9 + (noise(u, v, 2, 90, 61) - 0.5) * 0.07 + (fractal(u, v, 8, 8, 3, 62) - 0.5) * 0.1),
      ),
    ),

  /** Over and under strips of baskets. */
  wicker: () =>
    once('wicker', () =>
      new Canvas(256, 256).each((u, v) => {
        const row = Math.floor(v * 16)
        const x = u * 8 + (row % 2) * 0.5
        const fx = x - Math.floor(x) - 0.5
        const fy = v * 16 - row - 0.5
        return grey(1.02 - fx * fx * 1.5 - fy * fy * 1.6 - (noise(u, v, 40, 60, 7) - 0.5) * 0.16)
      }),
    ),

  /** Bark and soil. */
  soil: () =>
    once('soil', () => new Canvas(128, 128).each((u, v) => grey(0.6 + (fractal(u, v, 16, 16, 3, 71) - 0.5) * 0.9))),

  leaf: () =>
    once('leaf', () =>
      new Canvas(128, 128).each((u, v) => {
        const mid = Math.abs(v - 0.5)
        const vein = Math.abs((u * 8 + mid * 6) % 1) < 0.1 && mid > 0.03 ? 0.1 : 0
        const level = 0.78 + (fractal(u, v, 8, 8, 3, 81) - 0.5) * 0.3 + vein + (mid < 0.025 ? 0.22 : 0)
        return [255 * level * 0.96, 255 * level, 255 * level * 0.9]
      }),
    ),

  cork: () =>
    once('cork', () => new Canvas(256, 256).each((u, v) => grey(0.82 + (fractal(u, v, 40, 40, 3, 91) - 0.5) * 0.5))),

  /** Pressed wood of ceiling tiles, 2 × 2. */
  ceilingTiles: () =>
    once('ceilingTiles', () =>
      new Canvas(256, 256).each((u, v) => {
        const [edge] = tileAt(u * 2, v * 2, 5)
        if (edge < 0.02) return grey(0.78)
        return grey(noise(u, v, 90, 90, 7) > 0.82 ? 0.86 : 0.97)
      }),
    ),
}

export type SurfaceName = keyof typeof surfaces

/** Distance to the edge of the square cell, and the cell's own tone in [0, 1). */
function tileAt(x: number, y: number, seed: number): readonly [number, number] {
  const column = Math.floor(x)
  const row = Math.floor(y)
  const fx = x - column
  const fy = y - row
  return [Math.min(fx, 1 - fx, fy, 1 - fy), hash(column, row, seed)]
}

/** Which 4 × 1 board of a herringbone floor covers a cell: board number, place across and along it. */
function herringbone(x: number, y: number): readonly [number, number, number] {
  const cx = Math.floor(x)
  const cy = Math.floor(y)
  const phase = (((cx - cy) % 8) + 8) % 8
  if (phase < 4) {
    const startX = cx - phase
    return [(((startX % 8) + 8) % 8) * 16 + (((cy % 8) + 8) % 8), y - cy, (x - startX) / 4]
  }
  const startY = cy - (7 - phase)
  return [1000 + (((cx % 8) + 8) % 8) * 16 + (((startY % 8) + 8) % 8), x - cx, (y - startY) / 4]
}
