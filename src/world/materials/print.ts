/** What is printed or written: book spines, labels, calendars, clock faces, whiteboards. Each variant is painted once and kept. */
import type { Texture } from '../mesh.ts'
import { TAU, cosine, sine } from '../trig.ts'
import { Random } from '../../base/random.ts'
import { landscape } from './art.ts'
import { Canvas, type Color, mix, shade } from './canvas.ts'
import { fractal } from './noise.ts'
import { once } from './surfaces.ts'

const BOOK_COLORS: readonly Color[] = [
  [150, 42, 38],
  [36, 70, 110],
  [44, 92, 66],
  [196, 150, 62],
  [88, 52, 84],
  [222, 214, 196],
  [60, 58, 62],
  [176, 96, 52],
  [98, 140, 156],
  [214, 96, 88],
  [232, 196, 120],
  [74, 108, 150],
]

/** A row of book spines with bands and titles; the strip is 512 × 128 and each book's spine is 1/16 of it wide. */
export function bookSpines(variant: number): Texture {
  return once(`spines${variant}`, () => {
    const random = new Random(`spines/${variant}`)
    const canvas = new Canvas(512, 128, [40, 30, 25])
    for (let i = 0; i < 16; i++) {
      const color = random.pick(BOOK_COLORS)
      const ink = color[0] + color[1] + color[2] > 430 ? ([60, 44, 36] as const) : ([232, 214, 160] as const)
      const x = i * 32
      canvas.rect(x, 0, 32, 128, color)
      canvas
        .rect(x, 0, 3, 128, shade(color, 0.72))
        .rect(x + 29, 0, 3, 128, shade(color, 0.78))
        .rect(x + 9, 0, 8, 128, shade(color, 1.1))
      if (random.chance(0.7)) canvas.rect(x, 10, 32, 3, ink).rect(x, 112, 32, 3, ink)
      if (random.chance(0.4)) canvas.rect(x + 2, 20, 28, 26, shade(color, 0.6))
      // The title, as dashes along the spine.
      let y = 52 + random.between(0, 6)
      const end = 84 + random.between(0, 20)
      while (y < end) {
        const word = random.between(3, 9)
        canvas.rect(x + 13, y, 7, word, ink)
        y += word + 2
      }
    }
    return canvas
  })
}

/** A printed label: a color band and lines of text. */
export function label(color: Color, variant: number): Texture {
  return once(`label${color.join()}${variant}`, () => {
    const random = new Random(`label/${variant}`)
    const canvas = new Canvas(96, 96, [246, 242, 230])
    canvas.rect(0, 0, 96, 26, color).rect(0, 82, 96, 14, color).rect(14, 9, 68, 8, [250, 248, 240])
    canvas.disc(48, 46, 14, shade(color, 1.2)).disc(48, 46, 8, [250, 240, 200])
    for (let y = 64; y < 80; y += 5) canvas.rect(18, y, random.between(30, 60), 2, [90, 84, 80])
    return canvas
  })
}

/** The pinboard's or calendar's grid of days. */
export function calendarPage(variant: number): Texture {
  return once(`calendar${variant}`, () => {
    const canvas = landscapeTop(variant)
    for (let row = 0; row < 5; row++) {
      for (let column = 0; column < 7; column++) {
        const x = 10 + column * 25
        const y = 150 + row * 20
        canvas.rect(x, y, 22, 17, [238, 236, 232])
        const day = row * 7 + column + 1
        if (day <= 30) canvas.digits(String(day), x + 5, y + 4, 8, column === 6 ? [200, 50, 50] : [60, 60, 70])
      }
    }
    return canvas
  })
}

function landscapeTop(variant: number): Canvas {
  const canvas = new Canvas(192, 256, [252, 252, 250])
  const picture = landscape(new Canvas(192, 130), new Random(`calendar/${variant}`), variant % 2 === 0)
  canvas.rgba.set(picture.rgba, 0)
  return canvas
}

/** A clock's face; the hands are geometry. */
export function clockFace(variant: number): Texture {
  return once(`clock${variant}`, () => {
    const dark = variant % 3 === 2
    const ground: Color = dark ? [36, 38, 44] : [248, 246, 238]
    const ink: Color = dark ? [240, 236, 226] : [34, 34, 38]
    const canvas = new Canvas(192, 192, ground)
    for (let i = 0; i < 60; i++) {
      const long = i % 5 === 0
      const c = cosine((i / 60) * TAU)
      const s = sine((i / 60) * TAU)
      const inner = long ? 76 : 84
      canvas.line(96 + c * inner, 96 + s * inner, 96 + c * 89, 96 + s * 89, long ? 4 : 1.4, ink)
    }
    for (let hour = 1; hour <= 12; hour++) {
      const angle = (hour / 12) * TAU - TAU / 4
      const text = String(hour)
      const x = 96 + cosine(angle) * 60 - (text.length === 2 ? 14 : 5)
      canvas.digits(text, x, 96 + sine(angle) * 60 - 9, 18, ink)
    }
    return canvas
  })
}

/** Notes, a curve and a diagram in colored pens. */
export function whiteboardScribble(variant: number): Texture {
  return once(`whiteboard${variant}`, () => {
    const random = new Random(`whiteboard/${variant}`)
    const canvas = new Canvas(384, 256, [248, 250, 251])
    canvas.each((u, v) => mix([250, 251, 252], [236, 240, 243], fractal(u, v, 3, 3, 3, variant)))
    const pens: readonly Color[] = [
      [36, 60, 150],
      [196, 44, 44],
      [34, 34, 40],
      [40, 130, 70],
    ]
    for (let block = 0; block < 2; block++) {
      const pen = random.pick(pens)
      for (let row = 0; row < 6; row++) {
        let x = 18 + block * 196
        const y = 26 + row * 15
        while (x < 150 + block * 196 - random.between(0, 40)) {
          const letters = random.between(2, 6)
          for (let i = 0; i < letters; i++) {
            canvas.line(x, y + random.between(-4, 4), x + 3, y + random.between(-4, 4), 1.6, pen)
            x += 4
          }
          x += 6
        }
      }
    }
    const axis = pens[2]!
    canvas.line(30, 136, 30, 230, 2, axis).line(26, 226, 150, 226, 2, axis)
    for (let x = 32; x < 146; x += 3) {
      const y0 = 214 - ((x - 30) * (x - 30)) / 190
      const y1 = 214 - ((x - 27) * (x - 27)) / 190
      canvas.line(x, y0, x + 3, y1, 2.4, pens[1]!)
    }
    const nodes: readonly (readonly [number, number])[] = [
      [220, 150],
      [300, 140],
      [340, 200],
      [240, 215],
    ]
    nodes.forEach(([x, y], i) => {
      const [nx, ny] = nodes[(i + 1) % nodes.length]!
      canvas.line(x, y, nx, ny, 1.6, pens[0]!)
    })
    for (const [x, y] of nodes) canvas.disc(x, y, 13, [248, 250, 251]).ring(x, y, 13, 2, pens[3]!)
    return canvas
  })
}
