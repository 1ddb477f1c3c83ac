import type { TriangleMesh } from '../mesh.ts'
import { triangleNormal } from '../vector.ts'
import { percentileBounds } from './bounds.ts'
import { distanceField, type Grid, gridOver, tooLarge } from './grid.ts'

/** Heights are sorted into bins of this size: finer than a threshold, coarser than the noise of a scan. */
const BIN = 0.05
/** Floors face up (or down, where a scan's triangles are turned): within 25° of level. */
const LEVEL_COSINE = 0.9
/** The floor is searched in the lower part of the scene, so that tables and ceilings do not count. */
const LOWER_PART = 0.4
/** No building is as high; a scan in millimeters is not either. */
const MAX_HIGH = 100_000

/** The height of the floor: where the lower part of the mesh has most level surface. */
export function floorHeight({ positions, indices }: Pick<TriangleMesh, 'positions' | 'indices'>): number {
  const { min, max } = percentileBounds(positions, 1, 99)
  const high = max[2] - min[2]
  if (!(high <= MAX_HIGH)) throw tooLarge(high)
  const bottom = min[2] - BIN
  const bins = Math.max(1, Math.ceil((high * LOWER_PART) / BIN) + 1)
  const areas = new Float64Array(bins)
  const moments = new Float64Array(bins)
  const normal = new Float64Array(3)
  for (let i = 0; i < indices.length; i += 3) {
    const a = indices[i]! * 3
    const b = indices[i + 1]! * 3
    const c = indices[i + 2]! * 3
    const height = (positions[a + 2]! + positions[b + 2]! + positions[c + 2]!) / 3
    const bin = Math.floor((height - bottom) / BIN)
    if (!(bin >= 0 && bin < bins)) continue
    triangleNormal(positions, a, b, c, normal)
    const nx = normal[0]!
    const ny = normal[1]!
    const nz = normal[2]!
    const double = Math.sqrt(nx * nx + ny * ny + nz * nz)
    if (Math.abs(nz) < LEVEL_COSINE * double || double === 0) continue
    areas[bin] = areas[bin]! + double
    moments[bin] = moments[bin]! + double * height
  }
  // A floor at the border of two bins is split between them, so neighbors count together.
  let best = -1
  let most = 0
  for (let bin = 0; bin < bins; bin++) {
    const area = areas[bin]! + (areas[bin + 1] ?? 0)
    if (area > most) {
      most = area
      best = bin
    }
  }
  if (best === -1) return min[2]
  return (moments[best]! + (moments[best + 1] ?? 0)) / most
}

/** 100 × 100 m at the default; larger scenes are measured less finely. */
const CELL_LIMIT = 25_000_000

export interface FloorAreaOptions {
  /** Gaps up to twice this are part of the room: sparse points, things that hide the floor. Default 0.5 m. */
  radius?: number
  /** Distance of the lattice that the area is measured on. Default 0.02 m. */
  cell?: number
}

/**
 * The area that a scene covers seen from above, in square meters, several rooms added up: the r-convex hull of the
 * points, which is what an alpha shape with alpha = 1 / radius approximates. Everything that a disc of the radius can
 * reach from outside without touching a point is not part of it.
 */
export function floorArea(points: Float32Array, { radius = 0.5, cell: wanted = 0.02 }: FloorAreaOptions = {}): number {
  const { min, max } = percentileBounds(points, 0.1, 99.9)
  const grid = gridOver(min, max, wanted, 2 * radius + wanted, CELL_LIMIT)
  const { cell } = grid
  const marked = new Uint8Array(grid.columns * grid.rows)
  for (let i = 0; i + 2 < points.length; i += 3) {
    // To the nearest node of the lattice. Strays outside of the percentiles are left out.
    const column = Math.round((points[i]! - grid.x0) / cell)
    const row = Math.round((points[i + 1]! - grid.y0) / cell)
    if (column >= 0 && row >= 0 && column < grid.columns && row < grid.rows) marked[row * grid.columns + column] = 1
  }
  const near = distanceField(grid, marked)
  const outside = new Uint8Array(marked.length)
  for (let i = 0; i < outside.length; i++) outside[i] = near[i]! > radius ? 1 : 0
  const toOutside = distanceField(grid, outside)
  const inside = new Uint8Array(marked.length)
  for (let i = 0; i < inside.length; i++) inside[i] = toOutside[i]! >= radius || marked[i] === 1 ? 1 : 0
  fillHoles(grid, inside)
  return latticeArea(grid, inside)
}

/** What cannot be reached from the border is inside: a room scanned along its walls alone has a middle. */
function fillHoles({ columns, rows }: Grid, inside: Uint8Array): void {
  const reached = new Uint8Array(inside.length)
  const stack: number[] = [0]
  reached[0] = 1
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const column = at % columns
    const visit = (next: number, there: boolean) => {
      if (!there || reached[next] === 1 || inside[next] === 1) return
      reached[next] = 1
      stack.push(next)
    }
    visit(at - 1, column > 0)
    visit(at + 1, column < columns - 1)
    visit(at - columns, at >= columns)
    visit(at + columns, at < columns * (rows - 1))
  }
  for (let i = 0; i < inside.length; i++) if (reached[i] === 0) inside[i] = 1
}

/** The area between nodes: a square with all four corners inside counts whole, with three half. */
function latticeArea({ columns, rows, cell }: Grid, inside: Uint8Array): number {
  let halves = 0
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const at = row * columns + column
      const corners = inside[at]! + inside[at + 1]! + inside[at + columns]! + inside[at + columns + 1]!
      if (corners === 4) halves += 2
      else if (corners === 3) halves += 1
    }
  }
  return (halves * cell * cell) / 2
}
