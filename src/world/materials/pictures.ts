/** Pictures on things: paintings, screens, book spines, dials, rugs. Each variant is painted once and kept. */
import type { Texture } from '../mesh.ts'
import { TAU, cosine, sine } from '../objects/trig.ts'
import { Random } from '../../base/random.ts'
import { Canvas, type Color, mix, shade } from './canvas.ts'
import { fractal, hash, noise } from './noise.ts'
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

function landscape(canvas: Canvas, random: Random, sea: boolean): Canvas {
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

const ART_COLORS: readonly Color[] = [
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

/** What a television shows when it is on: a football pitch, a landscape or the news. */
export function televisionScreen(variant: number): Texture {
  return once(`tv${variant}`, () => {
    const random = new Random(`tv/${variant}`)
    const canvas = new Canvas(256, 144)
    const kind = variant % 3
    if (kind === 0) {
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

/** Notes, a curve and a diagram in coloured pens. */
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

/** A carpet with borders and a centre medallion; laid once over the rug. */
export function rugPattern(variant: number): Texture {
  return once(`rug${variant}`, () => {
    const random = new Random(`rug/${variant}`)
    const sets: readonly (readonly Color[])[] = [
      [
        [142, 40, 38],
        [224, 200, 158],
        [34, 50, 84],
        [196, 132, 62],
      ],
      [
        [42, 66, 98],
        [226, 214, 190],
        [150, 54, 48],
        [120, 150, 160],
      ],
      [
        [196, 188, 176],
        [92, 96, 104],
        [232, 226, 216],
        [150, 142, 132],
      ],
      [
        [206, 150, 96],
        [240, 226, 200],
        [120, 66, 48],
        [80, 108, 96],
      ],
    ]
    const [field, light, dark, accent] = random.pick(sets) as readonly [Color, Color, Color, Color]
    const canvas = new Canvas(256, 192)
    const kind = variant % 3
    canvas.each((u, v, x, y) => {
      const knot = (hash(x, y, 3) - 0.5) * 26
      let color = field
      const edge = Math.min(x, 255 - x, y, 191 - y)
      if (kind === 2) {
        const zig = Math.abs(((x + (Math.floor(y / 16) % 2) * 8) % 32) - 16)
        color = y % 16 < zig ? field : light
        if (Math.floor(y / 16) % 4 === 1) color = y % 16 < zig ? dark : accent
      } else {
        if (edge < 5) color = dark
        else if (edge < 9) color = light
        else if (edge < 26) color = (Math.floor(x / 9) + Math.floor(y / 9)) % 2 ? accent : dark
        else if (edge < 30) color = light
        else {
          const dx = Math.abs(u - 0.5) * 2
          const dy = Math.abs(v - 0.5) * 2
          const d = kind === 0 ? dx + dy : Math.sqrt(dx * dx + dy * dy)
          const ring = Math.floor(d * 9)
          if (d < 0.62) color = ring % 3 === 0 ? dark : ring % 3 === 1 ? light : accent
          else {
            const px = (x % 26) - 13
            const py = (y % 26) - 13
            if (Math.abs(px) + Math.abs(py) < 6) color = Math.abs(px) + Math.abs(py) < 3 ? light : accent
          }
        }
      }
      return [color[0] + knot, color[1] + knot, color[2] + knot]
    })
    return canvas
  })
}

/** A dark glass panel with a clock in green or red digits. */
export function displayPanel(text: string, ink: Color): Texture {
  return once(`display${text}${ink.join()}`, () => new Canvas(96, 32, [14, 16, 20]).digits(text, 14, 6, 20, ink))
}

/** A printed label: a colour band and lines of text. */
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

/** A sheet of print: heading, columns, a picture. */
export function printedPage(variant: number): Texture {
  return once(`page${variant}`, () => {
    const random = new Random(`page/${variant}`)
    const canvas = new Canvas(96, 128, [250, 249, 246])
    canvas.rect(12, 10, 60, 6, [50, 52, 58])
    for (let y = 24; y < 118; y += 5) canvas.rect(12, y, random.between(54, 72), 2, [128, 130, 136])
    if (variant % 2) canvas.rect(14, 50, 68, 34, random.pick(ART_COLORS))
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

/** A mirrored room, out of focus, with streaks of glare: baked light cannot mirror, but it can read as a mirror. */
export function mirrorGlare(): Texture {
  return once('mirror', () =>
    new Canvas(128, 128).each((u, v) => {
      const room = mix([176, 200, 214], [128, 146, 158], v * 0.7 + fractal(u, v, 2, 2, 3, 5) * 0.3)
      const across = u + v * 0.6
      const streak = (across > 0.42 && across < 0.58) || (across > 0.64 && across < 0.69)
      return streak ? mix(room, [246, 252, 255], 0.55) : room
    }),
  )
}

/** Seas and lands of a world that is not ours. */
export function globeTexture(): Texture {
  return once('globe', () =>
    new Canvas(256, 128).each((u, v) => {
      const land = fractal(u, v, 6, 4, 5, 1234)
      const pole = Math.abs(v - 0.5) > 0.42
      if (Math.floor(u * 24) !== Math.floor((u - 0.004) * 24) || Math.floor(v * 12) !== Math.floor((v - 0.008) * 12))
        return [120, 150, 170]
      if (pole) return [240, 244, 246]
      if (land < 0.52) return mix([52, 110, 170], [96, 160, 206], land)
      return mix([214, 196, 130], [96, 140, 74], Math.min(1, (land - 0.52) * 8))
    }),
  )
}

/** Looking out of a window: sky above, trees and roofs below. */
export function outdoorView(variant: number): Texture {
  return once(`outdoor${variant}`, () => {
    const canvas = new Canvas(512, 256)
    const random = new Random(`outdoor/${variant}`)
    canvas.each((u, v) => {
      const cloud = fractal(u, v, 5, 6, 5, 77 + variant)
      const sky = mix([138, 186, 236], [226, 238, 248], Math.min(1, v * 1.6))
      return cloud > 0.5 ? mix(sky, [252, 252, 252], Math.min(1, (cloud - 0.5) * 5)) : sky
    })
    for (let x = -10; x < 512;) {
      const width = random.range(30, 70)
      const top = 256 * random.range(0.5, 0.66)
      const wall = mix([206, 190, 170], [170, 150, 140], random.unit())
      canvas.rect(x, top, width, 256 - top, wall)
      canvas.polygon(
        [
          [x - 4, top],
          [x + width / 2, top - 18],
          [x + width + 4, top],
        ],
        [150, 86, 70],
      )
      for (let y = top + 10; y < 220; y += 20)
        for (let k = x + 8; k < x + width - 10; k += 18) canvas.rect(k, y, 8, 11, [98, 112, 128])
      x += width + random.range(0, 40)
    }
    for (let i = 0; i < 70; i++) {
      const x = random.unit() * 512
      const y = 256 * random.range(0.7, 0.96)
      canvas.disc(x, y, random.range(10, 26), mix([58, 108, 52], [122, 160, 78], random.unit()), 0.8)
    }
    return canvas
  })
}
