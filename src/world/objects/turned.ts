/** Bodies turned about an axis: vases, cylinders, balls. */
import type { Finish } from '../materials/finishes.ts'
import type { MeshBuilder } from './builder.ts'
import { TAU, cosine, sine } from '../trig.ts'
import type { Vec3 } from '../vector.ts'
import { blended, direction, distance2, segmentNormal } from './vectors.ts'

type Point = readonly [r: number, z: number]

/** A body turned about the z axis through `base`; `profile` runs from bottom to top as radius, height. */
export function lathe(
  mesh: MeshBuilder,
  finish: Finish,
  profile: readonly (readonly [number, number])[],
  base: Vec3 = [0, 0, 0],
  segments = 20,
): void {
  const material = mesh.material(finish)
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
    const first = mesh.count()
    for (let k = 0; k <= segments; k++) {
      const c = cosine((k / segments) * TAU)
      const s = sine((k / segments) * TAU)
      const u = (k / segments) * repeats
      const put = ([r, z]: Point, [nr, nz]: Point, v: number): void =>
        mesh.vertex(base[0] + r * c, base[1] + r * s, base[2] + z, nr * c, nr * s, nz, u, v)
      put(from, before, 1 - along * scale)
      put(to, after, 1 - (along + length) * scale)
    }
    for (let k = 0; k < segments; k++) {
      const a = first + k * 2
      if (from[0] > 1e-9) mesh.triangle(a, a + 2, a + 1, material)
      if (to[0] > 1e-9) mesh.triangle(a + 1, a + 2, a + 3, material)
    }
    along += length
  }
  const square = widest * 0.87
  mesh.occlude([base[0], base[1], base[2] + (low + high) / 2], [square, square, (high - low) / 2])
}

/** An upright cylinder with softened rims. */
export function cylinder(
  mesh: MeshBuilder,
  finish: Finish,
  radius: number,
  height: number,
  base: Vec3,
  segments = 16,
  round = 0.003,
): void {
  const r = Math.min(round, radius * 0.4, height * 0.4)
  lathe(
    mesh,
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
export function cylinderX(
  mesh: MeshBuilder,
  finish: Finish,
  radius: number,
  length: number,
  base: Vec3,
  segments = 16,
  round = 0.003,
): void {
  mesh.at(base, () => cylinder(mesh, finish, radius, length, [0, 0, 0], segments, round), { pitch: 90 })
}

export function ball(mesh: MeshBuilder, finish: Finish, radii: Vec3, center: Vec3, segments = 16): void {
  const rows = Math.max(4, segments >> 1)
  const material = mesh.material(finish)
  const first = mesh.count()
  for (let j = 0; j <= rows; j++) {
    const tilt = (j / rows - 0.5) * (TAU / 2)
    const ring = cosine(tilt)
    const up = sine(tilt)
    for (let i = 0; i <= segments; i++) {
      const x = ring * cosine((i / segments) * TAU)
      const y = ring * sine((i / segments) * TAU)
      const n = direction([x / radii[0], y / radii[1], up / radii[2]])
      const scale = finish.tile > 0 ? (radii[0] * TAU) / finish.tile : 1
      mesh.vertex(
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
  mesh.grid(first, segments + 1, rows + 1, material, false)
  mesh.occlude(center, [radii[0] * 0.8, radii[1] * 0.8, radii[2] * 0.8])
}
