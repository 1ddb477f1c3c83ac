import type { TriangleMesh } from '../mesh.ts'
import { percentileBounds } from './bounds.ts'
import { floorHeight } from './floor.ts'
import { distanceField, type Grid, gridOver } from './grid.ts'
import { clipToSlab, type Outline } from './slab.ts'

export interface FreeSpaceOptions {
  /** Side of a cell in meters; larger in a scene of more than 10,000 m². Default 0.05. */
  cell?: number
  /** Radius of the body. Default 0.2. */
  radius?: number
  /** Height of the body. Default 1.7. */
  height?: number
  /** What the body steps over: thresholds, rugs, cables. Default 0.2. */
  step?: number
  /** Height of the floor. Default: found in the mesh. */
  floor?: number
}

/** Where a body can stand, on one storey. */
export interface FreeSpace {
  grid: Grid
  floor: number
  radius: number
  /** Cells that have floor below them. */
  supported: Uint8Array
  /** Cells that something stands in, between the step and the head. */
  blocked: Uint8Array
  /** Meters from a cell's center to the nearest cell without floor or with something in it. */
  clearance: Float32Array
  /** Cells in which the body's center can be. */
  walkable: Uint8Array
}

/** Floors in scans wave by a few centimeters, and slope a little. */
const FLOOR_BELOW = 0.25
/** Holes in a scanned floor up to this wide are closed. */
const HOLE_METERS = 0.5
/** Stray points of a scan must not blow up the grid; walls lie well inside of this. */
const MARGIN = 0.5
/** 100 × 100 m at 5 cm; larger scenes get larger cells. */
const CELL_LIMIT = 4_000_000

/** Finds where a body of given radius and height can stand. */
export function freeSpace(mesh: TriangleMesh, options: FreeSpaceOptions = {}): FreeSpace {
  const { cell: wanted = 0.05, radius = 0.2, height = 1.7, step = 0.2 } = options
  const floor = options.floor ?? floorHeight(mesh)
  const { min, max } = percentileBounds(mesh.positions, 0.1, 99.9)
  const grid = gridOver(min, max, wanted, MARGIN, CELL_LIMIT)
  const { cell } = grid
  const blocked = footprint(mesh, grid, floor + step, floor + height)
  const supported = closeHoles(grid, footprint(mesh, grid, floor - FLOOR_BELOW, floor + step), HOLE_METERS / 2)
  const obstacle = new Uint8Array(blocked.length)
  for (let i = 0; i < obstacle.length; i++) obstacle[i] = blocked[i] === 1 || supported[i] === 0 ? 1 : 0
  markBorder(grid, obstacle)
  const clearance = distanceField(grid, obstacle)
  const walkable = new Uint8Array(blocked.length)
  // An obstacle fills its cell up to half a cell beyond its center.
  for (let i = 0; i < walkable.length; i++) walkable[i] = clearance[i]! >= radius + cell / 2 ? 1 : 0
  return { grid, floor, radius, supported, blocked, clearance, walkable }
}

/** Cells touched by what the mesh has between two heights. */
export function footprint(mesh: TriangleMesh, grid: Grid, low: number, high: number): Uint8Array {
  const { positions, indices } = mesh
  const cells = new Uint8Array(grid.columns * grid.rows)
  const outline = new Float64Array(16)
  for (let triangle = 0; triangle < indices.length / 3; triangle++) {
    const a = positions[indices[triangle * 3]! * 3 + 2]!
    const b = positions[indices[triangle * 3 + 1]! * 3 + 2]!
    const c = positions[indices[triangle * 3 + 2]! * 3 + 2]!
    if ((a < low && b < low && c < low) || (a > high && b > high && c > high)) continue
    const corners = clipToSlab(positions, indices, triangle, low, high, outline)
    if (corners > 0) fillOutline(grid, cells, outline, corners)
  }
  return cells
}

/** Marks every cell that a convex outline touches, row by row. */
function fillOutline(
  { columns, rows, cell, x0, y0 }: Grid,
  cells: Uint8Array,
  outline: Outline,
  corners: number,
): void {
  let low = Infinity
  let high = -Infinity
  for (let k = 0; k < corners; k++) {
    const y = outline[k * 2 + 1]!
    if (y < low) low = y
    if (y > high) high = y
  }
  const firstRow = Math.max(0, Math.floor((low - y0) / cell))
  const lastRow = Math.min(rows - 1, Math.floor((high - y0) / cell))
  for (let row = firstRow; row <= lastRow; row++) {
    const bottom = y0 + row * cell
    const top = bottom + cell
    let left = Infinity
    let right = -Infinity
    for (let k = 0; k < corners; k++) {
      const ax = outline[k * 2]!
      const ay = outline[k * 2 + 1]!
      const next = k + 1 === corners ? 0 : k + 1
      const bx = outline[next * 2]!
      const by = outline[next * 2 + 1]!
      if ((ay < bottom && by < bottom) || (ay > top && by > top)) continue
      // The part of this edge that is in the row.
      const rise = by - ay
      const t0 = rise === 0 ? 0 : Math.min(1, Math.max(0, ((rise > 0 ? bottom : top) - ay) / rise))
      const t1 = rise === 0 ? 1 : Math.min(1, Math.max(0, ((rise > 0 ? top : bottom) - ay) / rise))
      const xa = ax + (bx - ax) * t0
      const xb = ax + (bx - ax) * t1
      left = Math.min(left, xa, xb)
      right = Math.max(right, xa, xb)
    }
    if (left > right) continue
    const from = Math.max(0, Math.floor((left - x0) / cell))
    const to = Math.min(columns - 1, Math.floor((right - x0) / cell))
    if (from <= to) cells.fill(1, row * columns + from, row * columns + to + 1)
  }
}

/** Fills what a disc of this radius cannot get into: grown by the radius, then shrunk again. */
export function closeHoles(grid: Grid, cells: Uint8Array, radius: number): Uint8Array {
  const grown = distanceField(grid, cells)
  const outside = new Uint8Array(cells.length)
  for (let i = 0; i < cells.length; i++) outside[i] = grown[i]! > radius ? 1 : 0
  const back = distanceField(grid, outside)
  const closed = new Uint8Array(cells.length)
  for (let i = 0; i < cells.length; i++) closed[i] = cells[i] === 1 || back[i]! > radius ? 1 : 0
  return closed
}

function markBorder({ columns, rows }: Grid, cells: Uint8Array): void {
  cells.fill(1, 0, columns)
  cells.fill(1, (rows - 1) * columns)
  for (let row = 0; row < rows; row++) {
    cells[row * columns] = 1
    cells[row * columns + columns - 1] = 1
  }
}
