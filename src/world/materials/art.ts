/** Paintings and prints on the wall. Each variant is painted once and kept. */
import type { Texture } from '../mesh.ts'
import { TAU, cosine, sine } from '../trig.ts'
import { Random } from '../../base/random.ts'
import { Canvas, type Color, mix, shade } from './canvas.ts'
import { fractal, noise } from './noise.ts'
import { once } from './surfaces.ts'

const ART_STYLES = ['landscape', 'abstract', 'flowers', 'portrait', 'sea', 'city'] as const

/** A painting or print, 192 × 144 or upright. */
export function art(variant: number, upright: boolean): Texture {
  return once(`art${variant}${upright}`, () => {
    const random = new Random(`art/${variant}`)
    const w = upright ? 144 : 192
    const h = upright ? 192 : 144
    const style = ART_STYLES[variant % ART_STYLES.length]!
    const canvas = new Canvas(w, h)
    return PAINTERS[style](canvas, random)
  })
}

const PAINTERS: Readonly<Record<(typeof ART_STYLES)[number], (canvas: Canvas, random: Random) => Canvas>> = {
  landscape: (canvas, random) => landscape(canvas, random, false),
  sea: (canvas, random) => landscape(canvas, random, true),
  abstract,
  flowers,
  portrait,
  city,
}

export function landscape(canvas: Canvas, random: Random, sea: boolean): Canvas {
  const { width: w, height: h } = canvas
  const evening = random.chance(0.4)
  const top: Color = evening ? [92, 96, 160] : [88, 150, 214]
  const low: Color = evening ? [248, 180, 120] : [214, 232, 242]
  const seed = random.int(1000)
  canvas.each((u, v) => {
    const cloud = fractal(u, v, 4, 8, 4, seed)
    const sky = mix(top, low, Math.min(1, v * 1.7))
    return cloud > 0.52 ? mix(sky, [255, 250, 244], Math.min(1, (cloud - 0.52) * 5)) : sky
  })
  canvas.disc(w * random.range(0.2, 0.8), h * 0.25, h * 0.07, evening ? [255, 226, 160] : [255, 246, 210])
  const hills = sea ? 1 : 3
  for (let layer = 0; layer < hills; layer++) {
    const base = 0.46 + layer * 0.13
    const near = (layer + 1) / (hills + 1)
    const color = mix([120, 140, 170], evening ? [52, 74, 56] : [58, 122, 60], near)
    const edge: [number, number][] = [[0, h]]
    for (let x = 0; x <= w; x += 4) {
      edge.push([x, h * (base - 0.22 * (1 - near * 0.4) * fractal(x / w, 0.3 * layer, 3, 3, 4, seed + layer * 7))])
    }
    edge.push([w, h])
    canvas.polygon(edge, color)
  }
  if (sea) {
    const water = mix([40, 96, 140], low, 0.2)
    canvas.paint(0, h * 0.55, w, h, water, () => 1)
    for (let i = 0; i < 60; i++) {
      const y = h * (0.56 + 0.44 * random.unit() * random.unit())
      const x = random.unit() * w
      canvas.line(x, y, x + random.range(4, 16), y, 1, mix(water, [255, 255, 255], 0.5))
    }
    const bx = w * random.range(0.3, 0.7)
    canvas.polygon(
      [
        [bx, h * 0.34],
        [bx, h * 0.56],
        [bx + h * 0.13, h * 0.56],
      ],
      [250, 246, 238],
    )
    canvas.polygon(
      [
        [bx - 2, h * 0.38],
        [bx - 2, h * 0.56],
        [bx - h * 0.07, h * 0.56],
      ],
      [232, 222, 210],
    )
    canvas.polygon(
      [
        [bx - h * 0.1, h * 0.57],
        [bx + h * 0.15, h * 0.57],
        [bx + h * 0.1, h * 0.63],
        [bx - h * 0.06, h * 0.63],
      ],
      [130, 60, 44],
    )
  } else {
    for (let i = 0; i < 9; i++) {
      const x = random.unit() * w
      const y = h * random.range(0.72, 0.95)
      const size = (y / h) * h * 0.09
      canvas.rect(x - 1, y - size, 3, size, [80, 58, 40])
      canvas.disc(x, y - size * 1.5, size * 0.8, mix([36, 84, 42], [150, 130, 50], random.unit() * 0.5))
    }
  }
  return canvas
}

export const ART_COLORS: readonly Color[] = [
  [226, 86, 62],
  [242, 178, 62],
  [44, 98, 132],
  [30, 44, 70],
  [118, 164, 140],
  [236, 224, 204],
  [196, 132, 150],
]

function abstract(canvas: Canvas, random: Random): Canvas {
  const { width: w, height: h } = canvas
  canvas.each((u, v) => mix([240, 232, 218], [228, 216, 198], fractal(u, v, 5, 5, 3, 4)))
  for (let i = 0; i < 9; i++) {
    const color = random.pick(ART_COLORS)
    const x = random.unit() * w
    const y = random.unit() * h
    const size = random.range(0.1, 0.32) * h
    const kind = random.int(4)
    if (kind === 0) canvas.disc(x, y, size, color)
    else if (kind === 1) canvas.rect(x - size, y - size * 0.4, size * 2, size * 0.8, color)
    else if (kind === 2)
      canvas.polygon(
        [
          [x, y - size],
          [x + size, y + size * 0.7],
          [x - size, y + size * 0.5],
        ],
        color,
      )
    else canvas.ring(x, y, size, size * 0.3, color)
  }
  for (let i = 0; i < 4; i++)
    canvas.line(random.unit() * w, random.unit() * h, random.unit() * w, random.unit() * h, 2, [28, 30, 40])
  return canvas
}

function flowers(canvas: Canvas, random: Random): Canvas {
  const { width: w, height: h } = canvas
  canvas.each((u, v) => mix([236, 226, 206], [190, 178, 160], v * 0.8 + noise(u, v, 6, 6, 3) * 0.3))
  for (let i = 0; i < 8; i++) {
    const x = w * random.range(0.2, 0.8)
    const y = h * random.range(0.15, 0.55)
    canvas.line(w / 2, h * 0.7, x, y, 2, [70, 112, 62])
    const color = random.pick(ART_COLORS)
    const r = h * random.range(0.06, 0.1)
    for (let k = 0; k < 6; k++) {
      canvas.disc(
        x + cosine((k / 6) * TAU) * r,
        y + sine((k / 6) * TAU) * r,
        r * 0.62,
        k % 2 ? color : shade(color, 1.15),
      )
    }
    canvas.disc(x, y, r * 0.45, [246, 206, 80])
  }
  canvas.polygon(
    [
      [w * 0.38, h * 0.62],
      [w * 0.62, h * 0.62],
      [w * 0.57, h * 0.95],
      [w * 0.43, h * 0.95],
    ],
    [74, 108, 150],
  )
  return canvas
}

function portrait(canvas: Canvas, random: Random): Canvas {
  const { width: w, height: h } = canvas
  canvas.each((u, v) => mix([92, 74, 56], [44, 38, 36], v * 0.7 + fractal(u, v, 5, 5, 3, 9) * 0.4))
  const skin = mix([236, 196, 166], [140, 94, 68], random.unit())
  const cloth = random.pick(ART_COLORS)
  const hair = mix([40, 28, 22], [150, 104, 58], random.unit())
  const cx = w / 2
  canvas.disc(cx, h * 1.04, h * 0.36, cloth)
  canvas.disc(cx, h * 0.4, h * 0.205, hair, 1.15)
  canvas.rect(cx - h * 0.06, h * 0.5, h * 0.12, h * 0.2, shade(skin, 0.85))
  canvas.disc(cx, h * 0.43, h * 0.16, skin, 1.3)
  canvas.disc(cx - h * 0.06, h * 0.41, h * 0.018, [40, 32, 30]).disc(cx + h * 0.06, h * 0.41, h * 0.018, [40, 32, 30])
  canvas.line(cx - h * 0.045, h * 0.545, cx + h * 0.045, h * 0.545, 2, [150, 70, 66])
  canvas.line(cx, h * 0.43, cx + 2, h * 0.48, 2, shade(skin, 0.8))
  return canvas
}

function city(canvas: Canvas, random: Random): Canvas {
  const { width: w, height: h } = canvas
  canvas.each((_, v) => mix([250, 200, 140], [96, 120, 170], 1 - v))
  for (let layer = 0; layer < 2; layer++) {
    for (let x = -8; x < w;) {
      const width = random.range(12, 28)
      const top = h * random.range(0.2 + layer * 0.2, 0.6)
      const color: Color = layer ? [48, 54, 78] : [112, 116, 150]
      canvas.rect(x, top, width - 1, h - top, color)
      for (let y = top + 5; y < h - 6; y += 8) {
        for (let k = x + 3; k < x + width - 5; k += 6) if (random.chance(0.5)) canvas.rect(k, y, 3, 4, [255, 226, 150])
      }
      x += width
    }
  }
  return canvas
}
