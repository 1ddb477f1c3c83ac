/** Flat outlines: making them, and cutting them into triangles. */
import { TAU, cosine, sine } from '../trig.ts'

export type Outline = readonly (readonly [number, number])[]

/** A rectangle around the origin with rounded corners. */
export function roundedRect(width: number, height: number, radius: number, steps = 5): Outline {
  const r = Math.min(radius, width / 2, height / 2)
  const points: [number, number][] = []
  const corners = [
    [width / 2 - r, height / 2 - r],
    [-width / 2 + r, height / 2 - r],
    [-width / 2 + r, -height / 2 + r],
    [width / 2 - r, -height / 2 + r],
  ] as const
  corners.forEach(([cx, cy], corner) => {
    for (let i = 0; i <= steps; i++) {
      const angle = ((corner + i / steps) / 4) * TAU
      points.push([cx + r * cosine(angle), cy + r * sine(angle)])
    }
  })
  return points.filter(([x, y], i) => {
    const [px, py] = points[(i + points.length - 1) % points.length]!
    return Math.abs(x - px) + Math.abs(y - py) > 1e-6
  })
}

export function ellipse(rx: number, ry: number, count = 28): Outline {
  return Array.from(
    { length: count },
    (_, i) => [rx * cosine((i / count) * TAU), ry * sine((i / count) * TAU)] as const,
  )
}

/** Ear clipping of a simple counterclockwise outline: three point numbers per triangle. */
export function triangulate(points: Outline): number[] {
  const left = points.map((_, i) => i)
  const triangles: number[] = []
  let guard = points.length * points.length
  while (left.length > 3 && guard-- > 0) {
    for (let i = 0; i < left.length; i++) {
      const a = left[(i + left.length - 1) % left.length]!
      const b = left[i]!
      const c = left[(i + 1) % left.length]!
      if (turn(points[a]!, points[b]!, points[c]!) <= 1e-14) continue
      if (left.some((p) => p !== a && p !== b && p !== c && within(points[p]!, points[a]!, points[b]!, points[c]!)))
        continue
      triangles.push(a, b, c)
      left.splice(i, 1)
      break
    }
  }
  if (left.length === 3) triangles.push(left[0]!, left[1]!, left[2]!)
  return triangles
}

type Point = readonly [number, number]

function turn(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

function within(p: Point, a: Point, b: Point, c: Point): boolean {
  return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0
}
