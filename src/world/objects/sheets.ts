/** Surfaces without a body: free sheets, pictures, grids. */
import type { Finish } from '../materials/finishes.ts'
import { gridIndices, type MeshBuilder } from './builder.ts'
import { TAU, cosine, sine } from '../trig.ts'
import type { Vec3 } from '../vector.ts'

/** A free surface: `place` gives the point for u and v in 0…1. `repeat` scales the texture. */
export function sheet(
  mesh: MeshBuilder,
  finish: Finish,
  columns: number,
  rows: number,
  place: (u: number, v: number) => Vec3,
  repeat: readonly [number, number] = [1, 1],
): void {
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
  mesh.smooth(finish, points, uvs, indices)
  mesh.occlude(
    [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2],
    [(high[0] - low[0]) / 2, (high[1] - low[1]) / 2, (high[2] - low[2]) / 2],
  )
}

/** An upright board that faces +x and bows backwards by `bow` in its middle: chair backs. */
export function sheetBoard(
  mesh: MeshBuilder,
  finish: Finish,
  thick: number,
  width: number,
  height: number,
  center: Vec3,
  bow: number,
): void {
  for (const side of [-1, 1]) {
    const x = (u: number): number => center[0] - bow * (1 - (u * 2 - 1) * (u * 2 - 1)) + (side * thick) / 2
    const tile = finish.tile || 1
    sheet(
      mesh,
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
    sheet(
      mesh,
      finish,
      8,
      1,
      (u, v) => [x(u) - v * side * thick, center[1] + (u - 0.5) * width, center[2] + (side * height) / 2],
      [width / tile, 0.02],
    )
  }
}

/** A flat picture that faces +x: `width` along y, `height` along z, seen upright from the front. */
export function panel(mesh: MeshBuilder, finish: Finish, width: number, height: number, center: Vec3): void {
  const material = mesh.material(finish)
  const first = mesh.count()
  const [x, y, z] = center
  const tile = finish.tile
  const u = tile > 0 ? width / tile : 1
  const v = tile > 0 ? height / tile : 1
  // From the front the viewer looks along −x, so that +y is on the viewer's right.
  mesh.vertex(x, y - width / 2, z + height / 2, 1, 0, 0, 0, 0)
  mesh.vertex(x, y + width / 2, z + height / 2, 1, 0, 0, u, 0)
  mesh.vertex(x, y + width / 2, z - height / 2, 1, 0, 0, u, v)
  mesh.vertex(x, y - width / 2, z - height / 2, 1, 0, 0, 0, v)
  mesh.triangle(first, first + 2, first + 1, material)
  mesh.triangle(first, first + 3, first + 2, material)
}

/** A flat grid with lines at the given cuts, without the cells that `skip` names by their middle. */
export function patch(
  mesh: MeshBuilder,
  finish: Finish,
  us: readonly number[],
  vs: readonly number[],
  place: (u: number, v: number) => Vec3,
  normal: Vec3,
  uv: (u: number, v: number) => readonly [number, number],
  skip: (u: number, v: number) => boolean = () => false,
): void {
  const material = mesh.material(finish)
  const first = mesh.count()
  for (const v of vs) {
    for (const u of us) {
      const p = place(u, v)
      const t = uv(u, v)
      mesh.vertex(p[0], p[1], p[2], normal[0], normal[1], normal[2], t[0], t[1])
    }
  }
  const columns = us.length
  for (let j = 0; j + 1 < vs.length; j++) {
    for (let i = 0; i + 1 < columns; i++) {
      if (skip((us[i]! + us[i + 1]!) / 2, (vs[j]! + vs[j + 1]!) / 2)) continue
      const a = first + j * columns + i
      // Corners run counterclockwise as seen from the side of the normal.
      if (normal[2] < 0) {
        mesh.triangle(a, a + columns, a + 1, material)
        mesh.triangle(a + 1, a + columns, a + columns + 1, material)
      } else {
        mesh.triangle(a, a + 1, a + columns, material)
        mesh.triangle(a + 1, a + columns + 1, a + columns, material)
      }
    }
  }
}

/** A round picture that faces +x. */
export function disc(mesh: MeshBuilder, finish: Finish, radius: number, center: Vec3, segments = 40): void {
  const material = mesh.material(finish)
  const first = mesh.count()
  mesh.vertex(center[0], center[1], center[2], 1, 0, 0, 0.5, 0.5)
  for (let k = 0; k <= segments; k++) {
    const c = cosine((k / segments) * TAU)
    const e = sine((k / segments) * TAU)
    mesh.vertex(center[0], center[1] + c * radius, center[2] + e * radius, 1, 0, 0, 0.5 + c * 0.49, 0.5 - e * 0.49)
  }
  for (let k = 0; k < segments; k++) mesh.triangle(first, first + 1 + k, first + 2 + k, material)
}

/** A flat picture that lies face up, its top edge toward −x (read by someone in front of it). */
export function flatPanel(mesh: MeshBuilder, finish: Finish, depth: number, width: number, center: Vec3): void {
  mesh.at(center, () => panel(mesh, finish, width, depth, [0, 0, 0]), { pitch: -90 })
}
