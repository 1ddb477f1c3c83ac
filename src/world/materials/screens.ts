/** What screens and displays show. Each variant is painted once and kept. */
import type { Texture } from '../mesh.ts'
import { Random } from '../../base/random.ts'
import { ART_COLORS, landscape } from './art.ts'
import { Canvas, type Color, mix } from './canvas.ts'
import { fractal, hash, noise } from './noise.ts'
import { once } from './surfaces.ts'

/** What a monitor or laptop shows. */
export function desktopScreen(variant: number): Texture {
  return once(`desktop${variant}`, () => {
    const random = new Random(`desktop/${variant}`)
    const canvas = new Canvas(256, 160)
    canvas.each((u, v) => mix([40, 90, 170], [96, 190, 210], (u + v) / 2 + (noise(u, v, 3, 2, variant) - 0.5) * 0.5))
    canvas.rect(0, 148, 256, 12, [28, 32, 40])
    for (let i = 0; i < 6; i++) canvas.rect(92 + i * 13, 150, 8, 8, random.pick(ART_COLORS), 2)
    const dark = variant % 2 === 0
    const paper: Color = dark ? [34, 38, 48] : [250, 250, 252]
    const [x, y, w, h] = [20, 12, 206, 126]
    canvas
      .rect(x + 3, y + 4, w, h, [20, 40, 70], 4)
      .rect(x, y, w, h, paper, 4)
      .rect(x, y, w, 11, dark ? [58, 64, 78] : [222, 226, 232], 4)
    canvas
      .disc(x + 7, y + 5.5, 2.4, [238, 96, 86])
      .disc(x + 15, y + 5.5, 2.4, [244, 190, 70])
      .disc(x + 23, y + 5.5, 2.4, [96, 200, 96])
    canvas.rect(x, y + 12, 44, h - 12, dark ? [44, 49, 60] : [236, 239, 244])
    const inks: readonly Color[] = dark
      ? [
          [150, 200, 255],
          [240, 180, 120],
          [170, 220, 150],
          [214, 214, 220],
        ]
      : [
          [60, 70, 90],
          [60, 70, 90],
          [50, 110, 200],
          [120, 130, 145],
        ]
    for (let row = 0; row < 15; row++) {
      const ly = y + 18 + row * 7
      canvas.rect(x + 5, ly, random.between(14, 34), 2.5, dark ? [120, 128, 142] : [150, 158, 172])
      let lx = x + 52 + random.pick([0, 0, 8, 16])
      const words = random.between(1, 6)
      for (let k = 0; k < words && lx < x + w - 26; k++) {
        const width = random.between(8, 26)
        canvas.rect(lx, ly, width, 3, random.pick(inks))
        lx += width + 4
      }
    }
    return canvas
  })
}

/** What a television shows: a football pitch, a landscape, the news, the weather, a cartoon, a menu, or nothing. */
export function televisionScreen(variant: number): Texture {
  return once(`tv${variant}`, () => {
    const random = new Random(`tv/${variant}`)
    const canvas = new Canvas(256, 144)
    const kind = variant % 7
    if (kind === 3) {
      canvas.each((u, v) => (fractal(u, v, 3, 2, 4, variant) > 0.5 ? [96, 150, 90] : [60, 110, 170]))
      for (let i = 0; i < 7; i++) {
        const [x, y] = [random.range(20, 236), random.range(24, 120)]
        canvas
          .disc(x, y, 9, random.pick(ART_COLORS))
          .digits(String(random.between(10, 29)), x - 7, y - 5, 9, [255, 255, 255])
      }
      canvas.rect(0, 0, 256, 14, [30, 40, 70])
    } else if (kind === 4) {
      canvas.each((_, v) => mix(random.pick(ART_COLORS), [255, 236, 190], v > 0.6 ? 1 : 0.85))
      canvas.disc(96, 90, 34, [250, 206, 60]).disc(86, 80, 5, [30, 30, 34]).disc(108, 80, 5, [30, 30, 34])
      canvas.rect(82, 100, 30, 6, [180, 50, 50], 3).disc(190, 104, 24, [90, 160, 220]).disc(184, 98, 4, [30, 30, 34])
    } else if (kind === 5) {
      canvas.each((u, v) => mix([20, 20, 30], [50, 40, 80], (u + v) / 2))
      for (let row = 0; row < 3; row++)
        for (let k = 0; k < 5; k++) canvas.rect(12 + k * 48, 16 + row * 42, 42, 32, random.pick(ART_COLORS), 3)
    } else if (kind === 6) {
      canvas.each((u, v) => mix([16, 17, 20], [44, 48, 56], Math.max(0, u - v * 0.8)))
    } else if (kind === 0) {
      canvas.each((u, v) =>
        v < 0.22
          ? mix([70, 74, 96], [120, 110, 120], hash(Math.floor(u * 120), Math.floor(v * 60), 3))
          : Math.floor(u * 12) % 2
            ? [66, 150, 66]
            : [78, 166, 74],
      )
      canvas
        .line(0, 34, 256, 34, 2, [240, 240, 240])
        .line(128, 34, 128, 144, 2, [240, 240, 240])
        .ring(128, 92, 26, 2, [240, 240, 240])
      for (let i = 0; i < 12; i++) {
        const x = random.range(12, 244)
        const y = random.range(48, 134)
        canvas.rect(x - 2, y, 5, 9, i % 2 ? [214, 44, 44] : [240, 240, 250]).disc(x, y - 2, 2.4, [150, 106, 80])
      }
      canvas.rect(10, 8, 66, 12, [24, 30, 60], 2).digits('2:1', 34, 10, 8, [255, 255, 255])
    } else if (kind === 1) {
      landscape(canvas, random, random.chance(0.5))
    } else {
      canvas.each((u, v) => mix([24, 48, 110], [60, 120, 200], v * 0.6 + noise(u, v, 6, 4, 8) * 0.4))
      canvas.rect(150, 20, 84, 54, [200, 216, 236], 2)
      canvas
        .disc(70, 122, 44, [44, 48, 66])
        .rect(62, 74, 16, 20, [206, 160, 132])
        .disc(70, 58, 19, [70, 46, 34], 1.1)
        .disc(70, 62, 16, [226, 182, 152], 1.25)
      canvas
        .rect(0, 116, 256, 20, [196, 34, 44])
        .rect(8, 122, 150, 4, [250, 250, 250])
        .rect(8, 129, 100, 3, [250, 210, 210])
    }
    return canvas
  })
}

/** A dark glass panel with a clock in green or red digits. */
export function displayPanel(text: string, ink: Color): Texture {
  return once(`display${text}${ink.join()}`, () => new Canvas(96, 32, [14, 16, 20]).digits(text, 14, 6, 20, ink))
}
