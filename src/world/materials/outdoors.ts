/** What is seen from a window: houses, a street of tall blocks, a garden, hills, a wall across the yard, the sea. */
import { Random } from '../../base/random.ts'
import type { Texture } from '../mesh.ts'
import { landscape } from './art.ts'
import { Canvas, type Color, mix, shade } from './canvas.ts'
import { fractal, fractalField, hash, noise } from './noise.ts'
import { once } from './surfaces.ts'

export interface OutdoorView {
  /** Which surroundings, 0 to `OUTDOOR_PLACES` − 1. */
  place: number
  /** Windows side by side show different parts of them. */
  part: number
  lighting: 'day' | 'overcast' | 'evening'
}

type Painter = (canvas: Canvas, random: Random, evening: boolean) => void

const PAINTERS: readonly Painter[] = [houses, blocks, garden, hills, yard, sea]
export const OUTDOOR_PLACES = PAINTERS.length * 4

const SKIES: Readonly<Record<OutdoorView['lighting'], readonly [Color, Color]>> = {
  day: [
    [138, 186, 236],
    [226, 238, 248],
  ],
  overcast: [
    [190, 198, 206],
    [226, 230, 232],
  ],
  evening: [
    [16, 20, 40],
    [58, 50, 66],
  ],
}
/** Where painters draw in daylight, the evening leaves this much. */
const DUSK = 0.16

export function outdoorView({ place, part, lighting }: OutdoorView): Texture {
  return once(`outdoors ${place} ${part} ${lighting}`, () => {
    const random = new Random(`outdoors/${place}/${part}`)
    const canvas = new Canvas(512, 256)
    const [top, low] = SKIES[lighting]
    const clouds = lighting === 'overcast' ? 0.3 : 0.5
    const cloudAt = fractalField(5, 6, 5, 77 + place * 5 + part)
    const white = shade(low, 1.04)
    let row = NaN
    let sky = top
    canvas.each((u, v) => {
      // The sky differs from row to row alone.
      if (v !== row) sky = mix(top, low, Math.min(1, v * 1.6))
      row = v
      const cloud = cloudAt(u, v)
      return cloud > clouds ? mix(sky, white, Math.min(1, (cloud - clouds) * 5)) : sky
    })
    PAINTERS[place % PAINTERS.length]!(canvas, random, lighting === 'evening')
    return canvas
  })
}

const lit = (color: Color, evening: boolean): Color => (evening ? shade(color, DUSK) : color)

/** A pane with light behind it, in the evening, where somebody is at home. */
function pane(random: Random, evening: boolean): Color {
  return evening && random.chance(0.35) ? [255, 214, 140] : lit([98, 112, 128], evening)
}

function houses(canvas: Canvas, random: Random, evening: boolean): void {
  const roof = mix([150, 86, 70], [96, 90, 92], random.unit())
  for (let x = -10; x < 512;) {
    const width = random.range(60, 150)
    const top = 256 * random.range(0.4, 0.66)
    canvas.rect(x, top, width, 256 - top, lit(mix([226, 212, 190], [160, 140, 130], random.unit()), evening))
    canvas.polygon(
      [
        [x - 8, top],
        [x + width / 2, top - random.range(20, 50)],
        [x + width + 8, top],
      ],
      lit(roof, evening),
    )
    for (let y = top + 16; y < 230; y += 36)
      for (let k = x + 14; k < x + width - 20; k += 34) canvas.rect(k, y, 15, 21, pane(random, evening))
    x += width + random.range(0, 60)
  }
  bushes(canvas, random, evening, 20, 0.86)
}

function blocks(canvas: Canvas, random: Random, evening: boolean): void {
  for (const depth of [0.7, 0.85, 1]) {
    for (let x = random.range(-60, 0); x < 512;) {
      const width = random.range(50, 120)
      const top = 256 * random.range(0.05, 0.55) * depth
      const wall = mix([206, 214, 222], mix([120, 126, 138], [176, 150, 132], random.unit()), depth)
      canvas.rect(x, top, width, 256 - top, lit(wall, evening))
      const glass = random.pick([9, 13, 17])
      for (let y = top + 8; y < 252; y += glass)
        for (let k = x + 5; k < x + width - 8; k += glass)
          canvas.rect(k, y, glass * 0.55, glass * 0.6, pane(random, evening))
      x += width + random.range(2, 40)
    }
  }
}

function garden(canvas: Canvas, random: Random, evening: boolean): void {
  canvas.paint(0, 180, 512, 256, lit([110, 158, 78], evening), () => 1)
  bushes(canvas, random, evening, 90, 0.5)
  const trunk = lit([92, 68, 50], evening)
  for (let i = random.between(1, 3); i > 0; i--) {
    const x = random.range(30, 480)
    canvas.rect(x - 7, 90, 14, 140, trunk)
    for (let k = 0; k < 40; k++)
      canvas.disc(x + random.range(-70, 70), random.range(0, 110), random.range(8, 24), leaves(random, evening), 0.8)
  }
  canvas.rect(0, 200, 512, 5, lit([214, 208, 196], evening))
  for (let x = 0; x < 512; x += 24) canvas.rect(x, 192, 12, 44, lit([228, 222, 210], evening), 3)
}

const leaves = (random: Random, evening: boolean): Color =>
  lit(mix([52, 96, 46], [132, 168, 84], random.unit()), evening)

function bushes(canvas: Canvas, random: Random, evening: boolean, count: number, from: number): void {
  for (let i = 0; i < count; i++)
    canvas.disc(
      random.unit() * 512,
      256 * random.range(from, from + 0.2),
      random.range(10, 28),
      leaves(random, evening),
      0.8,
    )
}

function hills(canvas: Canvas, random: Random, evening: boolean): void {
  const seed = random.int(1000)
  for (let layer = 0; layer < 4; layer++) {
    const near = (layer + 1) / 4
    const edge: [number, number][] = [[0, 256]]
    for (let x = 0; x <= 512; x += 6)
      edge.push([
        x,
        256 * (0.5 + layer * 0.13 - 0.25 * (1 - near * 0.5) * fractal(x / 512, 0.2 * layer, 3, 3, 4, seed + layer)),
      ])
    edge.push([512, 256])
    canvas.polygon(edge, lit(mix([150, 170, 190], [70, 118, 58], near), evening))
  }
  bushes(canvas, random, evening, 24, 0.85)
}

/** The house across a narrow yard. */
function yard(canvas: Canvas, random: Random, evening: boolean): void {
  const wall = mix([176, 104, 84], [212, 200, 182], random.unit())
  canvas.each((u, v, x, y) => {
    const row = Math.floor(y / 9)
    const joint = y % 9 < 1 || (x + (row % 2) * 11) % 22 < 1
    const tone = 0.9 + hash(Math.floor((x + (row % 2) * 11) / 22), row, 5) * 0.18 + (noise(u, v, 8, 5, 9) - 0.5) * 0.1
    return lit(joint ? shade(wall, 1.15) : shade(wall, tone), evening)
  })
  for (let x = random.range(10, 60); x < 470; x += random.range(110, 170)) {
    for (const y of [20, 150]) {
      canvas.rect(x - 5, y - 5, 70, 96, lit([236, 232, 224], evening)).rect(x, y, 60, 86, pane(random, evening))
      canvas
        .rect(x + 28, y, 4, 86, lit([236, 232, 224], evening))
        .rect(x - 9, y + 90, 78, 6, lit([190, 186, 178], evening))
    }
  }
}

function sea(canvas: Canvas, random: Random, evening: boolean): void {
  if (!evening) landscape(canvas, random, true)
  else {
    canvas.paint(0, 140, 512, 256, [14, 24, 44], () => 1)
    for (let i = 0; i < 40; i++) canvas.disc(random.unit() * 512, random.range(134, 141), 1.6, [255, 220, 150])
  }
}
