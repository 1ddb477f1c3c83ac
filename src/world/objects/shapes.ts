/**
 * The solid-modelling vocabulary that every object is made of: rounded boxes, cushions, turned and swept bodies,
 * extruded outlines and free sheets, under a stack of placements.
 */
import type { Finish } from '../materials/finishes.ts'
import type { Material, TriangleMesh } from '../mesh.ts'
import { type Outline, triangulate } from './outline.ts'
import { TAU, cosine, sine } from './trig.ts'
import {
  type Turn,
  type Vec3,
  blended,
  cross,
  distance2,
  distance3,
  multiply,
  placement,
  segmentNormal,
  unit,
} from './vectors.ts'

export { circle, curve } from './paths.ts'
export { type Vec3, multiply } from './vectors.ts'

/** An object's triangles: everything but light, which depends on where it stands. */
export type ObjectMesh = TriangleMesh & Required<Pick<TriangleMesh, 'normals' | 'uvs' | 'triangleMaterials'>>

/** A box that stands for a part when light is cast: its frame (rows of a 3 × 4 matrix) and half sizes. */
export interface Occluder {
  frame: readonly number[]
  half: Vec3
  /** Walls and floors: a ray that starts on its face and goes in is stopped. */
  solid?: boolean
}

const IDENTITY: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
/** Parts smaller than this cast no baked shadow. */
const SMALLEST_OCCLUDER = 0.06
/** So do wires and rims thinner than this radius. */
const THINNEST_OCCLUDER = 0.0125

export class Sculpture {
  readonly positions: number[] = []
  readonly normals: number[] = []
  readonly uvs: number[] = []
  readonly indices: number[] = []
  readonly triangleMaterials: number[] = []
  readonly materials: Material[] = []
  readonly occluders: Occluder[] = []
  #frame: readonly number[] = IDENTITY
  #parts = 0

  /** Draws with the origin moved, then turned. */
  at(origin: Vec3, draw: () => void, turn: Turn = {}): this {
    const before = this.#frame
    this.#frame = multiply(before, placement(origin, turn))
    draw()
    this.#frame = before
    return this
  }

  /** A box around `center` with rounded edges. Grain runs along the longer side of each face. */
  box(finish: Finish, size: Vec3, center: Vec3, round = 0.006, steps = 1): this {
    const half: Vec3 = [size[0] / 2, size[1] / 2, size[2] / 2]
    const r = Math.min(round, half[0] * 0.98, half[1] * 0.98, half[2] * 0.98)
    const material = this.#material(finish)
    const shiftU = this.#shift()
    const shiftV = this.#shift()
    const point: [number, number, number] = [0, 0, 0]
    const normal: [number, number, number] = [0, 0, 0]
    for (let axis = 0; axis < 3; axis++) {
      const b = (axis + 1) % 3
      const c = (axis + 2) % 3
      const bs = r > 0 ? roundedSteps(half[b]!, r, steps) : [-half[b]!, half[b]!]
      const cs = r > 0 ? roundedSteps(half[c]!, r, steps) : [-half[c]!, half[c]!]
      const alongB = half[b]! >= half[c]!
      for (const side of [-1, 1]) {
        const first = this.#count()
        for (const cv of cs) {
          for (const bv of bs) {
            point[axis] = side * half[axis]!
            point[b] = bv
            point[c] = cv
            let length = 0
            for (let k = 0; k < 3; k++) {
              const inner = half[k]! - r
              const p = point[k]!
              const kept = p > inner ? inner : p < -inner ? -inner : p
              normal[k] = p - kept
              length += normal[k]! * normal[k]!
            }
            length = Math.sqrt(length)
            if (r > 0) {
              for (let k = 0; k < 3; k++) {
                const inner = half[k]! - r
                const p = point[k]!
                const kept = p > inner ? inner : p < -inner ? -inner : p
                normal[k] = normal[k]! / length
                point[k] = kept + normal[k]! * r
              }
            } else {
              normal[0] = normal[1] = normal[2] = 0
              normal[axis] = side
            }
            let u = (bv + half[b]!) / (2 * half[b]!)
            let v = (cv + half[c]!) / (2 * half[c]!)
            if (finish.tile > 0) {
              u = shiftU + (alongB ? bv : cv) / finish.tile
              v = shiftV + (alongB ? cv : bv) / finish.tile
            }
            this.#vertex(
              point[0] + center[0],
              point[1] + center[1],
              point[2] + center[2],
              normal[0],
              normal[1],
              normal[2],
              u,
              v,
            )
          }
        }
        this.#grid(first, bs.length, cs.length, material, side < 0)
      }
    }
    if (!isGlass(finish)) this.#occlude(center, half)
    return this
  }

  /** A soft body: a rounded box whose top and bottom swell by `puff`. */
  cushion(finish: Finish, size: Vec3, center: Vec3, { round = 0.05, puff = 0.03, grid = 4, sides = 0 } = {}): this {
    const hx = size[0] / 2
    const hy = size[1] / 2
    const hz = size[2] / 2
    const r = Math.min(round, hx * 0.95, hy * 0.95, hz * 0.95)
    const points: number[] = []
    const uvs: number[] = []
    const indices: number[] = []
    const half = [hx, hy, hz]
    for (let axis = 0; axis < 3; axis++) {
      const b = (axis + 1) % 3
      const c = (axis + 2) % 3
      const bs = softSteps(half[b]!, r, grid)
      const cs = softSteps(half[c]!, r, grid)
      for (const side of [-1, 1]) {
        const first = points.length / 3
        for (const cv of cs) {
          for (const bv of bs) {
            const p = [0, 0, 0]
            p[axis] = side * half[axis]!
            p[b] = bv
            p[c] = cv
            const d = [0, 0, 0]
            let length = 0
            for (let k = 0; k < 3; k++) {
              const inner = half[k]! - r
              const kept = p[k]! > inner ? inner : p[k]! < -inner ? -inner : p[k]!
              d[k] = p[k]! - kept
              length += d[k]! * d[k]!
              p[k] = kept
            }
            length = Math.sqrt(length)
            for (let k = 0; k < 3; k++) p[k] = p[k]! + (d[k]! / length) * r
            const ex = p[0]! / hx
            const ey = p[1]! / hy
            const ez = p[2]! / hz
            const swell = (1 - ex * ex) * (1 - ey * ey)
            p[2] = p[2]! + puff * swell * ez
            if (sides > 0) {
              p[0] = p[0]! + sides * (1 - ey * ey) * (1 - ez * ez) * ex
              p[1] = p[1]! + sides * (1 - ex * ex) * (1 - ez * ez) * ey
            }
            points.push(p[0]! + center[0], p[1]! + center[1], p[2] + center[2])
            if (finish.tile > 0) uvs.push(bv / finish.tile, cv / finish.tile)
            else uvs.push((bv + half[b]!) / (2 * half[b]!), (cv + half[c]!) / (2 * half[c]!))
          }
        }
        gridIndices(indices, first, bs.length, cs.length, side < 0)
      }
    }
    this.#smooth(finish, points, uvs, indices)
    this.#occlude(center, [hx, hy, hz + puff * 0.5])
    return this
  }

  /** A body turned about the z axis through `base`; `profile` runs from bottom to top as radius, height. */
  lathe(finish: Finish, profile: readonly (readonly [number, number])[], base: Vec3 = [0, 0, 0], segments = 20): this {
    const material = this.#material(finish)
    let widest = 0
    let low = Infinity
    let high = -Infinity
    for (const [r, z] of profile) {
      widest = Math.max(widest, r)
      low = Math.min(low, z)
      high = Math.max(high, z)
    }
    const repeats = finish.tile > 0 ? Math.max(1, Math.round((widest * TAU) / finish.tile)) : 1
    let total = 0
    for (let i = 1; i < profile.length; i++) total += distance2(profile[i - 1]!, profile[i]!)
    const slopes = profile.slice(1).map((to, i) => segmentNormal(profile[i]!, to))
    let along = 0
    for (let i = 0; i + 1 < profile.length; i++) {
      const from = profile[i]!
      const to = profile[i + 1]!
      const length = distance2(from, to)
      if (length < 1e-9) continue
      const own = slopes[i]!
      const before = blended(own, slopes[i - 1])
      const after = blended(own, slopes[i + 1])
      const scale = finish.tile > 0 ? 1 / finish.tile : 1 / total
      const first = this.#count()
      for (let k = 0; k <= segments; k++) {
        const c = cosine((k / segments) * TAU)
        const s = sine((k / segments) * TAU)
        const u = (k / segments) * repeats
        this.#vertex(
          base[0] + from[0] * c,
          base[1] + from[0] * s,
          base[2] + from[1],
          before[0] * c,
          before[0] * s,
          before[1],
          u,
          1 - along * scale,
        )
        this.#vertex(
          base[0] + to[0] * c,
          base[1] + to[0] * s,
          base[2] + to[1],
          after[0] * c,
          after[0] * s,
          after[1],
          u,
          1 - (along + length) * scale,
        )
      }
      for (let k = 0; k < segments; k++) {
        const a = first + k * 2
        if (from[0] > 1e-9) this.#triangle(a, a + 2, a + 1, material)
        if (to[0] > 1e-9) this.#triangle(a + 1, a + 2, a + 3, material)
      }
      along += length
    }
    const square = widest * 0.87
    this.#occlude([base[0], base[1], base[2] + (low + high) / 2], [square, square, (high - low) / 2])
    return this
  }

  /** An upright cylinder with softened rims. */
  cylinder(finish: Finish, radius: number, height: number, base: Vec3, segments = 16, round = 0.003): this {
    const r = Math.min(round, radius * 0.4, height * 0.4)
    return this.lathe(
      finish,
      [
        [0, 0],
        [radius - r, 0],
        [radius - r * 0.29, r * 0.29],
        [radius, r],
        [radius, height - r],
        [radius - r * 0.29, height - r * 0.29],
        [radius - r, height],
        [0, height],
      ],
      base,
      segments,
    )
  }

  /** A cylinder that lies along +x from `base`: knobs, wheels, dials. */
  cylinderX(finish: Finish, radius: number, length: number, base: Vec3, segments = 16, round = 0.003): this {
    return this.at(base, () => this.cylinder(finish, radius, length, [0, 0, 0], segments, round), { pitch: 90 })
  }

  /** A body that narrows from a lower to an upper rectangle (sizes along x and y), the upper one shifted by `shift`. */
  extrudeFrustum(
    finish: Finish,
    lower: readonly [number, number],
    upper: readonly [number, number],
    z0: number,
    z1: number,
    shift = 0,
  ): this {
    const tile = finish.tile || 1
    const corner = (k: number, v: number): Vec3 => {
      const sx = k === 0 || k === 3 ? 1 : -1
      const sy = k < 2 ? 1 : -1
      const d = lower[0] + (upper[0] - lower[0]) * v
      const w = lower[1] + (upper[1] - lower[1]) * v
      return [shift * v + (sx * d) / 2, (sy * w) / 2, z0 + (z1 - z0) * v]
    }
    for (let k = 0; k < 4; k++) {
      this.sheet(
        finish,
        1,
        1,
        (u, v) => {
          const a = corner(k, v)
          const b = corner((k + 1) % 4, v)
          return [a[0] + (b[0] - a[0]) * u, a[1] + (b[1] - a[1]) * u, a[2]]
        },
        [lower[0] / tile, (z1 - z0) / tile],
      )
    }
    for (const v of [0, 1]) {
      this.sheet(finish, 1, 1, (a, b) => {
        const [d, w] = v === 0 ? lower : upper
        return [shift * v + (a - 0.5) * d * (v === 0 ? -1 : 1), (b - 0.5) * w, v === 0 ? z0 : z1]
      })
    }
    return this
  }

  ball(finish: Finish, radii: Vec3, center: Vec3, segments = 16): this {
    const rows = Math.max(4, segments >> 1)
    const material = this.#material(finish)
    const first = this.#count()
    for (let j = 0; j <= rows; j++) {
      const tilt = (j / rows - 0.5) * (TAU / 2)
      const ring = cosine(tilt)
      const up = sine(tilt)
      for (let i = 0; i <= segments; i++) {
        const x = ring * cosine((i / segments) * TAU)
        const y = ring * sine((i / segments) * TAU)
        const n = unit([x / radii[0], y / radii[1], up / radii[2]])
        const scale = finish.tile > 0 ? (radii[0] * TAU) / finish.tile : 1
        this.#vertex(
          center[0] + x * radii[0],
          center[1] + y * radii[1],
          center[2] + up * radii[2],
          n[0],
          n[1],
          n[2],
          (i / segments) * Math.max(1, Math.round(scale)),
          1 - (j / rows) * Math.max(1, scale / 2),
        )
      }
    }
    this.#grid(first, segments + 1, rows + 1, material, false)
    this.#occlude(center, [radii[0] * 0.8, radii[1] * 0.8, radii[2] * 0.8])
    return this
  }

  /** A round bar along a path. `radius` may change along it (t from 0 to 1). */
  tube(
    finish: Finish,
    path: readonly Vec3[],
    radius: number | ((t: number) => number),
    sides = 8,
    closed = false,
  ): this {
    const material = this.#material(finish)
    const count = path.length
    const rings = closed ? count + 1 : count
    const radiusAt = typeof radius === 'number' ? () => radius : radius
    let side: Vec3 | null = null
    let along = 0
    const first = this.#count()
    for (let i = 0; i < rings; i++) {
      const here = path[i % count]!
      const last = closed ? path[(i - 1 + count) % count]! : path[Math.max(0, i - 1)]!
      const next = closed ? path[(i + 1) % count]! : path[Math.min(count - 1, i + 1)]!
      const forward = unit([next[0] - last[0], next[1] - last[1], next[2] - last[2]])
      const guess: Vec3 = side ?? (Math.abs(forward[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0])
      const dot = guess[0] * forward[0] + guess[1] * forward[1] + guess[2] * forward[2]
      side = unit([guess[0] - forward[0] * dot, guess[1] - forward[1] * dot, guess[2] - forward[2] * dot])
      const other = cross(forward, side)
      if (i > 0) along += distance3(path[(i - 1) % count]!, here)
      const r = radiusAt(rings > 1 ? i / (rings - 1) : 0)
      const v = finish.tile > 0 ? along / finish.tile : i / (rings - 1)
      for (let k = 0; k <= sides; k++) {
        const c = cosine((k / sides) * TAU)
        const s = sine((k / sides) * TAU)
        const nx = side[0] * c + other[0] * s
        const ny = side[1] * c + other[1] * s
        const nz = side[2] * c + other[2] * s
        this.#vertex(here[0] + nx * r, here[1] + ny * r, here[2] + nz * r, nx, ny, nz, v, k / sides)
      }
    }
    this.#grid(first, sides + 1, rings, material, true)
    if (!closed) {
      this.#cap(first, sides, path[0]!, path[1]!, material)
      this.#cap(first + (rings - 1) * (sides + 1), sides, path[count - 1]!, path[count - 2]!, material)
    }
    if (radiusAt(0.5) >= THINNEST_OCCLUDER) this.#occludePath(closed ? [...path, path[0]!] : path, radiusAt(0.5))
    return this
  }

  /** A flat outline in the x-y plane, `height` thick along z from `base`, with a small chamfer on its rims. */
  extrude(finish: Finish, outline: Outline, height: number, base: Vec3 = [0, 0, 0]): this {
    const material = this.#material(finish)
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
      const first = this.#count()
      for (const [x, y] of points) {
        const u = finish.tile > 0 ? x / tile : (x - x0) / (x1 - x0)
        const v = finish.tile > 0 ? y / tile : 1 - (y - y0) / (y1 - y0)
        this.#vertex(base[0] + x, base[1] + y, base[2] + side * height, 0, 0, side ? 1 : -1, u, v)
      }
      for (let i = 0; i < triangles.length; i += 3) {
        const [a, b, c] = [triangles[i]!, triangles[i + 1]!, triangles[i + 2]!]
        if (side) this.#triangle(first + a, first + b, first + c, material)
        else this.#triangle(first + a, first + c, first + b, material)
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
      const first = this.#count()
      const u0 = along / tile
      const u1 = (along + length) / tile
      this.#vertex(base[0] + from[0], base[1] + from[1], base[2], before[0], before[1], 0, u0, 0)
      this.#vertex(base[0] + to[0], base[1] + to[1], base[2], after[0], after[1], 0, u1, 0)
      this.#vertex(base[0] + to[0], base[1] + to[1], base[2] + height, after[0], after[1], 0, u1, height / tile)
      this.#vertex(base[0] + from[0], base[1] + from[1], base[2] + height, before[0], before[1], 0, u0, height / tile)
      this.#triangle(first, first + 1, first + 2, material)
      this.#triangle(first, first + 2, first + 3, material)
      along += length
    }
    this.#occlude(
      [base[0] + (x0 + x1) / 2, base[1] + (y0 + y1) / 2, base[2] + height / 2],
      [(x1 - x0) / 2, (y1 - y0) / 2, height / 2],
    )
    return this
  }

  /** A free surface: `place` gives the point for u and v in 0…1. `repeat` scales the texture. */
  sheet(
    finish: Finish,
    columns: number,
    rows: number,
    place: (u: number, v: number) => Vec3,
    repeat: readonly [number, number] = [1, 1],
  ): this {
    const points: number[] = []
    const uvs: number[] = []
    const indices: number[] = []
    let low: [number, number, number] = [Infinity, Infinity, Infinity]
    let high: [number, number, number] = [-Infinity, -Infinity, -Infinity]
    for (let j = 0; j <= rows; j++) {
      for (let i = 0; i <= columns; i++) {
        const p = place(i / columns, j / rows)
        points.push(p[0], p[1], p[2])
        uvs.push((i / columns) * repeat[0], (1 - j / rows) * repeat[1])
        low = [Math.min(low[0], p[0]), Math.min(low[1], p[1]), Math.min(low[2], p[2])]
        high = [Math.max(high[0], p[0]), Math.max(high[1], p[1]), Math.max(high[2], p[2])]
      }
    }
    gridIndices(indices, 0, columns + 1, rows + 1, false)
    this.#smooth(finish, points, uvs, indices)
    this.#occlude(
      [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2],
      [(high[0] - low[0]) / 2, (high[1] - low[1]) / 2, (high[2] - low[2]) / 2],
    )
    return this
  }

  /** An upright board that faces +x and bows backwards by `bow` in its middle: chair backs. */
  sheetBoard(finish: Finish, thick: number, width: number, height: number, center: Vec3, bow: number): this {
    for (const side of [-1, 1]) {
      const x = (u: number): number => center[0] - bow * (1 - (u * 2 - 1) * (u * 2 - 1)) + (side * thick) / 2
      const tile = finish.tile || 1
      this.sheet(
        finish,
        8,
        1,
        (u, v) => [
          x(side > 0 ? u : 1 - u),
          center[1] + ((side > 0 ? u : 1 - u) - 0.5) * width,
          center[2] + (v - 0.5) * height,
        ],
        [width / tile, height / tile],
      )
      this.sheet(
        finish,
        8,
        1,
        (u, v) => [x(u) - v * side * thick, center[1] + (u - 0.5) * width, center[2] + (side * height) / 2],
        [width / tile, 0.02],
      )
    }
    return this
  }

  /** A flat picture that faces +x: `width` along y, `height` along z, seen upright from the front. */
  panel(finish: Finish, width: number, height: number, center: Vec3): this {
    const material = this.#material(finish)
    const first = this.#count()
    const [x, y, z] = center
    const tile = finish.tile
    const u = tile > 0 ? width / tile : 1
    const v = tile > 0 ? height / tile : 1
    // From the front the viewer looks along −x, so that +y is on the viewer's right.
    this.#vertex(x, y - width / 2, z + height / 2, 1, 0, 0, 0, 0)
    this.#vertex(x, y + width / 2, z + height / 2, 1, 0, 0, u, 0)
    this.#vertex(x, y + width / 2, z - height / 2, 1, 0, 0, u, v)
    this.#vertex(x, y - width / 2, z - height / 2, 1, 0, 0, 0, v)
    this.#triangle(first, first + 2, first + 1, material)
    this.#triangle(first, first + 3, first + 2, material)
    return this
  }

  /** A flat grid with lines at the given cuts, without the cells that `skip` names by their middle. */
  patch(
    finish: Finish,
    us: readonly number[],
    vs: readonly number[],
    place: (u: number, v: number) => Vec3,
    normal: Vec3,
    uv: (u: number, v: number) => readonly [number, number],
    skip: (u: number, v: number) => boolean = () => false,
  ): this {
    const material = this.#material(finish)
    const first = this.#count()
    for (const v of vs) {
      for (const u of us) {
        const p = place(u, v)
        const t = uv(u, v)
        this.#vertex(p[0], p[1], p[2], normal[0], normal[1], normal[2], t[0], t[1])
      }
    }
    const columns = us.length
    for (let j = 0; j + 1 < vs.length; j++) {
      for (let i = 0; i + 1 < columns; i++) {
        if (skip((us[i]! + us[i + 1]!) / 2, (vs[j]! + vs[j + 1]!) / 2)) continue
        const a = first + j * columns + i
        // Corners run counter-clockwise as seen from the side of the normal.
        if (normal[2] < 0) {
          this.#triangle(a, a + columns, a + 1, material)
          this.#triangle(a + 1, a + columns, a + columns + 1, material)
        } else {
          this.#triangle(a, a + 1, a + columns, material)
          this.#triangle(a + 1, a + columns + 1, a + columns, material)
        }
      }
    }
    return this
  }

  /** A round picture that faces +x. */
  disc(finish: Finish, radius: number, center: Vec3, segments = 40): this {
    const material = this.#material(finish)
    const first = this.#count()
    this.#vertex(center[0], center[1], center[2], 1, 0, 0, 0.5, 0.5)
    for (let k = 0; k <= segments; k++) {
      const c = cosine((k / segments) * TAU)
      const e = sine((k / segments) * TAU)
      this.#vertex(center[0], center[1] + c * radius, center[2] + e * radius, 1, 0, 0, 0.5 + c * 0.49, 0.5 - e * 0.49)
    }
    for (let k = 0; k < segments; k++) this.#triangle(first, first + 1 + k, first + 2 + k, material)
    return this
  }

  /** A flat picture that lies face up, its top edge towards −x (read by someone in front of it). */
  flatPanel(finish: Finish, depth: number, width: number, center: Vec3): this {
    return this.at(center, () => this.panel(finish, width, depth, [0, 0, 0]), { pitch: -90 })
  }

  /** A plain box that wears the part from u0 to u1 of a picture on every upright face, and its edge on top: a book. */
  strip(finish: Finish, u0: number, u1: number, center: Vec3, size: Vec3): this {
    const material = this.#material(finish)
    const [hx, hy, hz] = [size[0] / 2, size[1] / 2, size[2] / 2]
    const [x, y, z] = center
    const middle = u0 + (u1 - u0) * 0.2
    const face = (corners: readonly Vec3[], n: Vec3, ua: number, ub: number, v0: number, v1: number): void => {
      const first = this.#count()
      const us = [ua, ub, ub, ua]
      const vs = [v1, v1, v0, v0]
      corners.forEach((p, i) =>
        this.#vertex(x + p[0] * hx, y + p[1] * hy, z + p[2] * hz, n[0], n[1], n[2], us[i]!, vs[i]!),
      )
      this.#triangle(first, first + 1, first + 2, material)
      this.#triangle(first, first + 2, first + 3, material)
    }
    face(
      [
        [1, -1, -1],
        [1, 1, -1],
        [1, 1, 1],
        [1, -1, 1],
      ],
      [1, 0, 0],
      u0,
      u1,
      0,
      1,
    )
    face(
      [
        [-1, 1, -1],
        [-1, -1, -1],
        [-1, -1, 1],
        [-1, 1, 1],
      ],
      [-1, 0, 0],
      middle,
      middle,
      0.02,
      0.02,
    )
    face(
      [
        [1, 1, -1],
        [-1, 1, -1],
        [-1, 1, 1],
        [1, 1, 1],
      ],
      [0, 1, 0],
      middle,
      middle,
      0.02,
      0.02,
    )
    face(
      [
        [-1, -1, -1],
        [1, -1, -1],
        [1, -1, 1],
        [-1, -1, 1],
      ],
      [0, -1, 0],
      middle,
      middle,
      0.02,
      0.02,
    )
    face(
      [
        [1, -1, 1],
        [1, 1, 1],
        [-1, 1, 1],
        [-1, -1, 1],
      ],
      [0, 0, 1],
      middle,
      middle,
      0.02,
      0.02,
    )
    this.#occlude(center, [hx, hy, hz])
    return this
  }

  /** The triangles, with the base of their box at the origin. */
  mesh(offset: Vec3): ObjectMesh {
    const positions = new Float32Array(this.positions.length)
    for (let i = 0; i < positions.length; i += 3) {
      positions[i] = this.positions[i]! + offset[0]
      positions[i + 1] = this.positions[i + 1]! + offset[1]
      positions[i + 2] = this.positions[i + 2]! + offset[2]
    }
    return {
      positions,
      normals: new Float32Array(this.normals),
      uvs: new Float32Array(this.uvs),
      indices: new Uint32Array(this.indices),
      triangleMaterials: new Uint16Array(this.triangleMaterials),
      materials: this.materials,
    }
  }

  #count(): number {
    return this.positions.length / 3
  }

  /** Where the next part's texture starts, so that two boards never show the same grain. */
  #shift(): number {
    this.#parts = (this.#parts * 5 + 3) % 64
    return this.#parts / 64
  }

  #material(finish: Finish): number {
    const at = this.materials.indexOf(finish.material)
    return at >= 0 ? at : this.materials.push(finish.material) - 1
  }

  #vertex(x: number, y: number, z: number, nx: number, ny: number, nz: number, u: number, v: number): void {
    const m = this.#frame
    this.positions.push(
      m[0]! * x + m[1]! * y + m[2]! * z + m[3]!,
      m[4]! * x + m[5]! * y + m[6]! * z + m[7]!,
      m[8]! * x + m[9]! * y + m[10]! * z + m[11]!,
    )
    this.normals.push(
      m[0]! * nx + m[1]! * ny + m[2]! * nz,
      m[4]! * nx + m[5]! * ny + m[6]! * nz,
      m[8]! * nx + m[9]! * ny + m[10]! * nz,
    )
    this.uvs.push(u, v)
  }

  #triangle(a: number, b: number, c: number, material: number): void {
    this.indices.push(a, b, c)
    this.triangleMaterials.push(material)
  }

  #grid(first: number, columns: number, rows: number, material: number, flip: boolean): void {
    const from = this.indices.length
    gridIndices(this.indices, first, columns, rows, flip)
    for (let i = from; i < this.indices.length; i += 3) this.triangleMaterials.push(material)
  }

  #cap(ring: number, sides: number, end: Vec3, inner: Vec3, material: number): void {
    const n = unit([end[0] - inner[0], end[1] - inner[1], end[2] - inner[2]])
    const center = this.#count()
    this.#vertex(end[0], end[1], end[2], n[0], n[1], n[2], 0, 0)
    for (let k = 0; k <= sides; k++) {
      const at = (ring + k) * 3
      this.positions.push(this.positions[at]!, this.positions[at + 1]!, this.positions[at + 2]!)
      this.normals.push(...this.normals.slice(center * 3, center * 3 + 3))
      this.uvs.push(0, 0)
    }
    for (let k = 0; k < sides; k++) this.#triangle(center, center + 1 + k, center + 2 + k, material)
  }

  /** Adds a grid body whose normals are the mean of the faces around each place. */
  #smooth(finish: Finish, points: readonly number[], uvs: readonly number[], indices: readonly number[]): void {
    const material = this.#material(finish)
    const places = new Map<string, number>()
    const of: number[] = []
    const sums: number[] = []
    for (let i = 0; i < points.length; i += 3) {
      const key = `${Math.round(points[i]! * 1e5)} ${Math.round(points[i + 1]! * 1e5)} ${Math.round(points[i + 2]! * 1e5)}`
      let place = places.get(key)
      if (place === undefined) {
        place = sums.length
        places.set(key, place)
        sums.push(0, 0, 0)
      }
      of.push(place)
    }
    for (let t = 0; t < indices.length; t += 3) {
      const [a, b, c] = [indices[t]! * 3, indices[t + 1]! * 3, indices[t + 2]! * 3]
      const n = cross(
        [points[b]! - points[a]!, points[b + 1]! - points[a + 1]!, points[b + 2]! - points[a + 2]!],
        [points[c]! - points[a]!, points[c + 1]! - points[a + 1]!, points[c + 2]! - points[a + 2]!],
      )
      for (let k = 0; k < 3; k++) {
        const place = of[indices[t + k]!]!
        for (let j = 0; j < 3; j++) sums[place + j] = sums[place + j]! + n[j]!
      }
    }
    const first = this.#count()
    for (let i = 0; i < of.length; i++) {
      const at = of[i]!
      const n = unit([sums[at]!, sums[at + 1]!, sums[at + 2]!])
      this.#vertex(
        points[i * 3]!,
        points[i * 3 + 1]!,
        points[i * 3 + 2]!,
        n[0],
        n[1],
        n[2],
        uvs[i * 2]!,
        uvs[i * 2 + 1]!,
      )
    }
    for (let t = 0; t < indices.length; t += 3)
      this.#triangle(first + indices[t]!, first + indices[t + 1]!, first + indices[t + 2]!, material)
  }

  #occlude(center: Vec3, half: Vec3): void {
    if (Math.max(half[0], half[1], half[2]) * 2 < SMALLEST_OCCLUDER) return
    this.occluders.push({ frame: multiply(this.#frame, placement(center, {})), half })
  }

  #occludePath(path: readonly Vec3[], radius: number): void {
    const step = Math.max(1, Math.ceil((path.length - 1) / 10))
    for (let from = 0; from + 1 < path.length; from += step) {
      const low = [Infinity, Infinity, Infinity]
      const high = [-Infinity, -Infinity, -Infinity]
      for (let i = from; i <= Math.min(path.length - 1, from + step); i++) {
        for (let k = 0; k < 3; k++) {
          low[k] = Math.min(low[k]!, path[i]![k]! - radius * 0.8)
          high[k] = Math.max(high[k]!, path[i]![k]! + radius * 0.8)
        }
      }
      this.#occlude(
        [(low[0]! + high[0]!) / 2, (low[1]! + high[1]!) / 2, (low[2]! + high[2]!) / 2],
        [(high[0]! - low[0]!) / 2, (high[1]! - low[1]!) / 2, (high[2]! - low[2]!) / 2],
      )
    }
  }
}

/** One sees and light goes through it. */
function isGlass({ material }: Finish): boolean {
  return (material.opacity ?? 1) < 1
}

function gridIndices(indices: number[], first: number, columns: number, rows: number, flip: boolean): void {
  for (let j = 0; j + 1 < rows; j++) {
    for (let i = 0; i + 1 < columns; i++) {
      const a = first + j * columns + i
      const b = a + 1
      const c = a + columns
      const d = c + 1
      if (flip) indices.push(a, c, b, b, c, d)
      else indices.push(a, b, c, b, d, c)
    }
  }
}

function roundedSteps(half: number, r: number, steps: number): number[] {
  const inner = half - r
  const list = steps === 1 ? [1] : [1, 0.41421356]
  return [...list.map((t) => -inner - r * t), -inner, inner, ...list.toReversed().map((t) => inner + r * t)]
}

function softSteps(half: number, r: number, grid: number): number[] {
  const inner = half - r
  const list = [-half, -inner - r * 0.41421356]
  for (let i = 0; i <= grid; i++) list.push(-inner + (2 * inner * i) / grid)
  list.push(inner + r * 0.41421356, half)
  return list
}
