/**
 * The built-in generator: small real clips drawn from a prompt, so that every command works with no model. It is no
 * model of the world: it hears a few words (colors, camera moves, standing still) and draws shapes.
 */
import { type Bitmap, Random, videoBackend } from '../../../suite.ts'

export const CLIP = { width: 256, height: 160, frames: 16, fps: 8 } as const

const MAX_SHAPES = 3

type Rgb = readonly [number, number, number]

const COLOURS: Readonly<Record<string, Rgb>> = {
  red: [200, 40, 40],
  orange: [235, 140, 30],
  yellow: [235, 215, 60],
  green: [50, 150, 60],
  blue: [40, 80, 200],
  purple: [130, 50, 170],
  pink: [240, 140, 180],
  white: [235, 235, 235],
  black: [25, 25, 25],
}

interface Shape {
  x: number
  y: number
  /** Pixels a frame. */
  dx: number
  dy: number
  radius: number
  round: boolean
  colour: Rgb
}

interface Picture {
  sky: Rgb
  ground: Rgb
  horizon: number
  waves: readonly { kx: number; ky: number; phase: number; height: number }[]
  shapes: readonly Shape[]
  /** Camera: pixels a frame, and growth a frame. */
  panX: number
  panY: number
  zoom: number
  shake: number
}

/** What is drawn: a moving picture, its first frame all the time, or noise. */
export type Drawn = 'moving' | 'still' | 'noise'

/** Names what draws them: other versions draw other clips. */
export const PROCEDURAL = 'procedural-1'

/** A clip as the bytes of an MP4 file. */
export async function drawClip(
  text: string,
  seed: number,
  drawn: Drawn = 'moving',
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const random = new Random(`vbench/${PROCEDURAL}/${seed}/${text}`)
  const backend = await videoBackend()
  const frames = framesOf(drawn, text, random)
  return (await backend.encode(frames, { ...CLIP, quantizer: 18, ...(signal ? { signal } : {}) })).bytes
}

function framesOf(drawn: Drawn, text: string, random: Random): Iterable<Bitmap> {
  if (drawn === 'noise') return Array.from({ length: CLIP.frames }, () => noise(random))
  const picture = imagine(text.toLowerCase(), random)
  if (drawn === 'moving') return drawAll(picture, random.fork('shake'))
  const only = draw(picture, 0, 0, 0)
  return Array.from({ length: CLIP.frames }, () => only)
}

function noise(random: Random): Bitmap {
  const { width, height } = CLIP
  return { width, height, channels: 3, data: Uint8Array.from({ length: width * height * 3 }, () => random.int(256)) }
}

function imagine(text: string, random: Random): Picture {
  const still = /\b(still|frozen|static|nothing moves|tableau)\b/.test(text)
  const slow = text.includes('slow motion') ? 0.25 : 1
  const named = Object.entries(COLOURS).filter(([word]) => text.includes(word))
  const shade = (): Rgb => [random.between(30, 220), random.between(30, 220), random.between(30, 220)]
  const speed = () => (still ? 0 : slow * random.range(1, 9) * (random.chance(0.5) ? 1 : -1))
  const moves = (word: string, by: number) => (text.includes(word) ? by * slow : 0)
  return {
    sky: shade(),
    ground: shade(),
    horizon: random.range(0.4, 0.7),
    waves: Array.from({ length: 9 }, () => ({
      kx: random.range(-0.5, 0.5),
      ky: random.range(-0.5, 0.5),
      phase: random.range(0, 6.3),
      height: random.range(4, 12),
    })),
    shapes: Array.from({ length: random.between(1, MAX_SHAPES) }, (_, i) => ({
      x: random.range(0.2, 0.8) * CLIP.width,
      y: random.range(0.3, 0.8) * CLIP.height,
      dx: speed(),
      dy: speed() / 4,
      radius: random.range(18, 40),
      round: random.chance(0.5),
      colour: named[i % Math.max(1, named.length)]?.[1] ?? shade(),
    })),
    panX: moves('pan left', -4) + moves('pan right', 4),
    panY: moves('tilt up', -3) + moves('tilt down', 3),
    zoom: 1 + moves('zoom in', 0.02) - moves('zoom out', 0.02),
    shake: text.includes('shaking') ? 4 : 0,
  }
}

function* drawAll(picture: Picture, random: Random): IterableIterator<Bitmap> {
  for (let t = 0; t < CLIP.frames; t++) {
    const shakeX = picture.shake * random.normal()
    const shakeY = picture.shake * random.normal()
    yield draw(picture, t, shakeX, shakeY)
  }
}

/** Textures of one row: of what is behind, and of each shape, which carries its own with it. */
const rows = Array.from({ length: 1 + MAX_SHAPES }, () => new Float64Array(CLIP.width))

function draw(picture: Picture, t: number, shakeX: number, shakeY: number): Bitmap {
  const { width, height } = CLIP
  const data = new Uint8Array(width * height * 3)
  const scale = 1 / picture.zoom ** t
  const left = (-width / 2) * scale + width / 2 + picture.panX * t + shakeX
  const { waves } = picture
  for (let v = 0; v < height; v++) {
    const y = (v - height / 2) * scale + height / 2 + picture.panY * t + shakeY
    const behind = y < picture.horizon * height ? picture.sky : picture.ground
    waveRow(waves, left, y, scale, rows[0]!)
    for (const [n, shape] of picture.shapes.entries()) {
      const dy = y - shape.y - shape.dy * t
      if (Math.abs(dy) < shape.radius) waveRow(waves, left - shape.x - shape.dx * t, dy, scale, rows[n + 1]!)
    }
    for (let u = 0; u < width; u++) {
      const x = left + u * scale
      let colour = behind
      let texture = rows[0]![u]!
      for (let n = 0; n < picture.shapes.length; n++) {
        const shape = picture.shapes[n]!
        const dx = x - shape.x - shape.dx * t
        const dy = y - shape.y - shape.dy * t
        const inside = shape.round
          ? dx * dx + dy * dy < shape.radius * shape.radius
          : Math.abs(dx) < shape.radius && Math.abs(dy) < shape.radius * 0.7
        if (!inside) continue
        colour = shape.colour
        texture = rows[n + 1]![u]!
      }
      const at = (v * width + u) * 3
      for (let c = 0; c < 3; c++) data[at + c] = Math.min(255, Math.max(0, colour[c]! + texture))
    }
  }
  return { width, height, channels: 3, data }
}

/** The sum of the waves along a row: each is turned a little further from pixel to pixel, which needs no sine. */
function waveRow(waves: Picture['waves'], x: number, y: number, step: number, out: Float64Array): void {
  out.fill(0)
  for (const { kx, ky, phase, height } of waves) {
    let [sin, cos] = [Math.sin(kx * x + ky * y + phase), Math.cos(kx * x + ky * y + phase)]
    const [turnSin, turnCos] = [Math.sin(kx * step), Math.cos(kx * step)]
    for (let u = 0; u < out.length; u++) {
      out[u]! += height * sin
      const next = sin * turnCos + cos * turnSin
      cos = cos * turnCos - sin * turnSin
      sin = next
    }
  }
}
