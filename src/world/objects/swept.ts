/** Bodies swept along a path or out of a plane: bars, wires, cut-out boards. */
import type { Finish } from '../materials/finishes.ts'
import type { MeshBuilder } from './builder.ts'
import { type Outline, triangulate } from './outline.ts'
import { TAU, cosine, sine } from '../trig.ts'
import { cross, distance, type Vec3 } from '../vector.ts'
import { blended, direction, distance2, segmentNormal } from './vectors.ts'

/** Wires and rims thinner than this radius cast no baked shadow. */
const THINNEST_OCCLUDER = 0.0125

/** A round bar along a path. `radius` may change along it (t from 0 to 1). */
export function tube(
  mesh: MeshBuilder,
  finish: Finish,
  path: readonly Vec3[],
  radius: number | ((t: number) => number),
  sides = 8,
  closed = false,
): void {
  const material = mesh.material(finish)
  const count = path.length
  const rings = closed ? count + 1 : count
  const radiusAt = typeof radius === 'number' ? () => radius : radius
  let side: Vec3 | null = null
  let along = 0
  const first = mesh.count()
  for (let i = 0; i < rings; i++) {
    const here = path[i % count]!
    const last = closed ? path[(i - 1 + count) % count]! : path[Math.max(0, i - 1)]!
    const next = closed ? path[(i + 1) % count]! : path[Math.min(count - 1, i + 1)]!
    const forward = direction([next[0] - last[0], next[1] - last[1], next[2] - last[2]])
    const guess: Vec3 = side ?? (Math.abs(forward[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0])
    const dot = guess[0] * forward[0] + guess[1] * forward[1] + guess[2] * forward[2]
    side = direction([guess[0] - forward[0] * dot, guess[1] - forward[1] * dot, guess[2] - forward[2] * dot])
    const other = cross(forward, side)
    if (i > 0) along += distance(path[(i - 1) % count]!, here)
    const r = radiusAt(rings > 1 ? i / (rings - 1) : 0)
    const v = finish.tile > 0 ? along / finish.tile : i / (rings - 1)
    for (let k = 0; k <= sides; k++) {
      const c = cosine((k / sides) * TAU)
      const s = sine((k / sides) * TAU)
      const nx = side[0] * c + other[0] * s
      const ny = side[1] * c + other[1] * s
      const nz = side[2] * c + other[2] * s
      mesh.vertex(here[0] + nx * r, here[1] + ny * r, here[2] + nz * r, nx, ny, nz, v, k / sides)
    }
  }
  mesh.grid(first, sides + 1, rings, material, true)
  if (!closed) {
    mesh.cap(first, sides, path[0]!, path[1]!, material)
    mesh.cap(first + (rings - 1) * (sides + 1), sides, path[count - 1]!, path[count - 2]!, material)
  }
  if (radiusAt(0.5) >= THINNEST_OCCLUDER) mesh.occludePath(closed ? [...path, path[0]!] : path, radiusAt(0.5))
}

/** A flat outline in the x-y plane, `height` thick along z from `base`, with a small chamfer on its rims. */
export function extrude(
  mesh: MeshBuilder,
  finish: Finish,
  outline: Outline,
  height: number,
  base: Vec3 = [0, 0, 0],
): void {
  const material = mesh.material(finish)
  const count = outline.length
  const tile = finish.tile > 0 ? finish.tile : 1
  let area = 0
  let x0 = Infinity
  let y0 = Infinity
  let x1 = -Infinity
  let y1 = -Infinity
  for (let i = 0; i < count; i++) {
    const [ax, ay] = outline[i]!
    const [bx, by] = outline[(i + 1) % count]!
    area += ax * by - bx * ay
    x0 = Math.min(x0, ax)
    x1 = Math.max(x1, ax)
    y0 = Math.min(y0, ay)
    y1 = Math.max(y1, ay)
  }
  const points = area > 0 ? outline : outline.toReversed()
  const triangles = triangulate(points)
  for (const side of [0, 1]) {
    const first = mesh.count()
    for (const [x, y] of points) {
      const u = finish.tile > 0 ? x / tile : (x - x0) / (x1 - x0)
      const v = finish.tile > 0 ? y / tile : 1 - (y - y0) / (y1 - y0)
      mesh.vertex(base[0] + x, base[1] + y, base[2] + side * height, 0, 0, side ? 1 : -1, u, v)
    }
    for (let i = 0; i < triangles.length; i += 3) {
      const [a, b, c] = [triangles[i]!, triangles[i + 1]!, triangles[i + 2]!]
      if (side) mesh.triangle(first + a, first + b, first + c, material)
      else mesh.triangle(first + a, first + c, first + b, material)
    }
  }
  const normals = points.map((from, i) => {
    const to = points[(i + 1) % count]!
    return segmentNormal(from, to)
  })
  let along = 0
  for (let i = 0; i < count; i++) {
    const from = points[i]!
    const to = points[(i + 1) % count]!
    const own = normals[i]!
    const before = blended(own, normals[(i - 1 + count) % count])
    const after = blended(own, normals[(i + 1) % count])
    const length = distance2(from, to)
    const first = mesh.count()
    const u0 = along / tile
    const u1 = (along + length) / tile
    mesh.vertex(base[0] + from[0], base[1] + from[1], base[2], before[0], before[1], 0, u0, 0)
    mesh.vertex(base[0] + to[0], base[1] + to[1], base[2], after[0], after[1], 0, u1, 0)
    mesh.vertex(base[0] + to[0], base[1] + to[1], base[2] + height, after[0], after[1], 0, u1, height / tile)
    mesh.vertex(base[0] + from[0], base[1] + from[1], base[2] + height, before[0], before[1], 0, u0, height / tile)
    mesh.triangle(first, first + 1, first + 2, material)
    mesh.triangle(first, first + 2, first + 3, material)
    along += length
  }
  mesh.occlude(
    [base[0] + (x0 + x1) / 2, base[1] + (y0 + y1) / 2, base[2] + height / 2],
    [(x1 - x0) / 2, (y1 - y0) / 2, height / 2],
  )
}
