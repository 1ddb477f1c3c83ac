/** Bodies with corners: rounded boxes, cushions, books, bodies that narrow. */
import type { Finish } from '../materials/finishes.ts'
import { gridIndices, type MeshBuilder } from './builder.ts'
import { sheet } from './sheets.ts'
import type { Vec3 } from '../vector.ts'

/** A box around `center` with rounded edges. Grain runs along the longer side of each face. */
export function box(mesh: MeshBuilder, finish: Finish, size: Vec3, center: Vec3, round = 0.006, steps = 1): void {
  const half: Vec3 = [size[0] / 2, size[1] / 2, size[2] / 2]
  const r = Math.min(round, half[0] * 0.98, half[1] * 0.98, half[2] * 0.98)
  const material = mesh.material(finish)
  const shiftU = mesh.shift()
  const shiftV = mesh.shift()
  const point: [number, number, number] = [0, 0, 0]
  const normal: [number, number, number] = [0, 0, 0]
  for (let axis = 0; axis < 3; axis++) {
    const b = (axis + 1) % 3
    const c = (axis + 2) % 3
    const bs = r > 0 ? roundedSteps(half[b]!, r, steps) : [-half[b]!, half[b]!]
    const cs = r > 0 ? roundedSteps(half[c]!, r, steps) : [-half[c]!, half[c]!]
    const alongB = half[b]! >= half[c]!
    for (const side of [-1, 1]) {
      const first = mesh.count()
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
          mesh.vertex(
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
      mesh.grid(first, bs.length, cs.length, material, side < 0)
    }
  }
  if (!isGlass(finish)) mesh.occlude(center, half)
}

/** A soft body: a rounded box whose top and bottom swell by `puff`. */
export function cushion(
  mesh: MeshBuilder,
  finish: Finish,
  size: Vec3,
  center: Vec3,
  { round = 0.05, puff = 0.03, grid = 4, sides = 0 } = {},
): void {
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
  mesh.smooth(finish, points, uvs, indices)
  mesh.occlude(center, [hx, hy, hz + puff * 0.5])
}

/** A body that narrows from a lower to an upper rectangle (sizes along x and y), the upper one shifted by `shift`. */
export function extrudeFrustum(
  mesh: MeshBuilder,
  finish: Finish,
  lower: readonly [number, number],
  upper: readonly [number, number],
  z0: number,
  z1: number,
  shift = 0,
): void {
  const tile = finish.tile || 1
  const corner = (k: number, v: number): Vec3 => {
    const sx = k === 0 || k === 3 ? 1 : -1
    const sy = k < 2 ? 1 : -1
    const d = lower[0] + (upper[0] - lower[0]) * v
    const w = lower[1] + (upper[1] - lower[1]) * v
    return [shift * v + (sx * d) / 2, (sy * w) / 2, z0 + (z1 - z0) * v]
  }
  for (let k = 0; k < 4; k++) {
    sheet(
      mesh,
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
    sheet(mesh, finish, 1, 1, (a, b) => {
      const [d, w] = v === 0 ? lower : upper
      return [shift * v + (a - 0.5) * d * (v === 0 ? -1 : 1), (b - 0.5) * w, v === 0 ? z0 : z1]
    })
  }
}

/** A plain box that wears the part from u0 to u1 of a picture on every upright face, and its edge on top: a book. */
export function strip(mesh: MeshBuilder, finish: Finish, u0: number, u1: number, center: Vec3, size: Vec3): void {
  const material = mesh.material(finish)
  const [hx, hy, hz] = [size[0] / 2, size[1] / 2, size[2] / 2]
  const [x, y, z] = center
  const middle = u0 + (u1 - u0) * 0.2
  const face = (corners: readonly Vec3[], n: Vec3, ua: number, ub: number, v0: number, v1: number): void => {
    const first = mesh.count()
    const us = [ua, ub, ub, ua]
    const vs = [v1, v1, v0, v0]
    corners.forEach((p, i) =>
      mesh.vertex(x + p[0] * hx, y + p[1] * hy, z + p[2] * hz, n[0], n[1], n[2], us[i]!, vs[i]!),
    )
    mesh.triangle(first, first + 1, first + 2, material)
    mesh.triangle(first, first + 2, first + 3, material)
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
  mesh.occlude(center, [hx, hy, hz])
}

/** One sees and light goes through it. */
function isGlass({ material }: Finish): boolean {
  return (material.opacity ?? 1) < 1
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
