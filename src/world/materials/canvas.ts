/** A small painter for the pictures on things: screens, covers, dials, paintings. Smooth edges, no dependencies. */
import type { Texture } from '../mesh.ts'

export type Color = readonly [number, number, number]

export function mix(a: Color, b: Color, t: number): Color {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t]
}

export function shade(color: Color, factor: number): Color {
  return [clampByte(color[0] * factor), clampByte(color[1] * factor), clampByte(color[2] * factor)]
}

function clampByte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value
}

export class Canvas {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8Array

  constructor(width: number, height: number, ground: Color = [255, 255, 255]) {
    this.width = width
    this.height = height
    this.rgba = new Uint8Array(width * height * 4)
    const pixel = new Uint8Array([...ground.map((value) => Math.round(clampByte(value))), 255])
    new Uint32Array(this.rgba.buffer).fill(new Uint32Array(pixel.buffer)[0]!)
  }

  /** Colors every pixel from its place; u and v are in [0, 1) at pixel centers. */
  each(color: (u: number, v: number, x: number, y: number) => Color): this {
    const { width, height, rgba } = this
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at += 4) {
        // Taken apart by number: this runs for millions of pixels.
        const made = color((x + 0.5) / width, (y + 0.5) / height, x, y)
        rgba[at] = Math.round(clampByte(made[0]))
        rgba[at + 1] = Math.round(clampByte(made[1]))
        rgba[at + 2] = Math.round(clampByte(made[2]))
        rgba[at + 3] = 255
      }
    }
    return this
  }

  /** Lays a color over the pixels where `cover` is above 0. Coordinates in pixels. */
  paint(x0: number, y0: number, x1: number, y1: number, color: Color, cover: (x: number, y: number) => number): this {
    const { width, height, rgba } = this
    const left = Math.max(0, Math.floor(x0))
    const right = Math.min(width - 1, Math.ceil(x1))
    const top = Math.max(0, Math.floor(y0))
    const bottom = Math.min(height - 1, Math.ceil(y1))
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const weight = cover(x + 0.5, y + 0.5)
        if (weight <= 0) continue
        const t = weight > 1 ? 1 : weight
        const at = (y * width + x) * 4
        for (let k = 0; k < 3; k++) rgba[at + k] = Math.round(rgba[at + k]! + (color[k]! - rgba[at + k]!) * t)
      }
    }
    return this
  }

  /** A rectangle, with rounded corners where `round` is given. */
  rect(x: number, y: number, w: number, h: number, color: Color, round = 0): this {
    const cx = x + w / 2
    const cy = y + h / 2
    return this.paint(x - 1, y - 1, x + w + 1, y + h + 1, color, (px, py) => {
      const dx = Math.max(Math.abs(px - cx) - w / 2 + round, 0)
      const dy = Math.max(Math.abs(py - cy) - h / 2 + round, 0)
      if (round > 0) return round + 0.5 - Math.sqrt(dx * dx + dy * dy)
      return Math.min(1, w / 2 + 0.5 - Math.abs(px - cx)) * Math.min(1, h / 2 + 0.5 - Math.abs(py - cy))
    })
  }

  disc(x: number, y: number, radius: number, color: Color, squash = 1): this {
    return this.paint(
      x - radius - 1,
      y - radius * squash - 1,
      x + radius + 1,
      y + radius * squash + 1,
      color,
      (px, py) => {
        const dx = px - x
        const dy = (py - y) / squash
        return radius + 0.5 - Math.sqrt(dx * dx + dy * dy)
      },
    )
  }

  ring(x: number, y: number, radius: number, thick: number, color: Color): this {
    const reach = radius + thick
    return this.paint(x - reach, y - reach, x + reach, y + reach, color, (px, py) => {
      const dx = px - x
      const dy = py - y
      return thick / 2 + 0.5 - Math.abs(Math.sqrt(dx * dx + dy * dy) - radius)
    })
  }

  line(x0: number, y0: number, x1: number, y1: number, thick: number, color: Color): this {
    const dx = x1 - x0
    const dy = y1 - y0
    const length2 = dx * dx + dy * dy || 1
    const pad = thick + 1
    const [left, right] = x0 < x1 ? [x0, x1] : [x1, x0]
    const [top, bottom] = y0 < y1 ? [y0, y1] : [y1, y0]
    return this.paint(left - pad, top - pad, right + pad, bottom + pad, color, (px, py) => {
      let t = ((px - x0) * dx + (py - y0) * dy) / length2
      t = t < 0 ? 0 : t > 1 ? 1 : t
      const ex = px - x0 - t * dx
      const ey = py - y0 - t * dy
      return thick / 2 + 0.5 - Math.sqrt(ex * ex + ey * ey)
    })
  }

  /** A filled outline; `points` are x, y pairs in pixels. */
  polygon(points: readonly (readonly [number, number])[], color: Color): this {
    let x0 = Infinity
    let y0 = Infinity
    let x1 = -Infinity
    let y1 = -Infinity
    for (const [x, y] of points) {
      x0 = Math.min(x0, x)
      y0 = Math.min(y0, y)
      x1 = Math.max(x1, x)
      y1 = Math.max(y1, y)
    }
    // Pixels come row by row, and a row crosses the outline in a few places.
    let row = NaN
    let crossings: number[] = []
    return this.paint(x0, y0, x1, y1, color, (px, py) => {
      if (py !== row) crossings = crossingsAt(points, (row = py))
      let inside = 0
      for (const x of crossings) if (px < x) inside ^= 1
      return inside
    })
  }

  /** Digits as seven segments, `height` pixels tall; ':' and ' ' are known too. */
  digits(text: string, x: number, y: number, height: number, color: Color): this {
    const w = height * 0.5
    const thick = height * 0.12
    let left = x
    for (const letter of text) {
      if (letter === ':') {
        this.disc(left + thick, y + height * 0.3, thick * 0.7, color).disc(
          left + thick,
          y + height * 0.7,
          thick * 0.7,
          color,
        )
        left += thick * 3
        continue
      }
      const lit = SEGMENTS[letter] ?? ''
      for (const segment of lit) {
        const [ax, ay, bx, by] = STROKES[segment]!
        this.line(left + ax * w, y + ay * height, left + bx * w, y + by * height, thick, color)
      }
      left += w + thick * 2.2
    }
    return this
  }

  texture(): Texture {
    return { width: this.width, height: this.height, rgba: this.rgba }
  }
}

const SEGMENTS: Readonly<Record<string, string>> = {
  '0': 'abcdef',
  '1': 'bc',
  '2': 'abged',
  '3': 'abgcd',
  '4': 'fgbc',
  '5': 'afgcd',
  '6': 'afgedc',
  '7': 'abc',
  '8': 'abcdefg',
  '9': 'abcdfg',
}

const STROKES: Readonly<Record<string, readonly [number, number, number, number]>> = {
  a: [0, 0, 1, 0],
  b: [1, 0, 1, 0.5],
  c: [1, 0.5, 1, 1],
  d: [0, 1, 1, 1],
  e: [0, 0.5, 0, 1],
  f: [0, 0, 0, 0.5],
  g: [0, 0.5, 1, 0.5],
}

/** Where a row crosses an outline. */
function crossingsAt(points: readonly (readonly [number, number])[], y: number): number[] {
  const found: number[] = []
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
    const [xi, yi] = points[i]!
    const [xj, yj] = points[j]!
    if (yi > y !== yj > y) found.push(((xj - xi) * (y - yi)) / (yj - yi) + xi)
  }
  return found
}
