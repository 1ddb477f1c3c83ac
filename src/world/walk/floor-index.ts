import { percentile } from '../geometry/bounds.ts'
import { type Grid, gridOver } from '../geometry/grid.ts'
import type { TriangleMesh } from '../mesh.ts'
import type { Vec3 } from '../vector.ts'

/** Side of a cell in meters: about what a body needs to look at when it takes a step. */
const CELL = 0.25
const CELL_LIMIT = 1_000_000
/** Triangles over more cells than this, such as those of walls and ceilings, are few and looked at each time. */
const WIDE = 64
/** So many vertices tell where a scene is. What lies outside, such as stray points of a scan, is in the cells at the border. */
const SAMPLES = 4096
const LOW_PERCENTILE = 1

/**
 * The triangles of a mesh by where they are on the floor plan. A body that walks only asks what is in a small rectangle,
 * and this is made in a tenth of the time that a `TriangleTree` takes.
 */
export class FloorIndex {
  readonly #mesh: Pick<TriangleMesh, 'positions' | 'indices'>
  readonly #grid: Grid
  /** Where the triangles of each cell begin in `#triangles`, and one past the last. */
  readonly #starts: Uint32Array
  readonly #triangles: Uint32Array
  readonly #wide: readonly number[]
  /** The visit in which a triangle was last looked at: it may be in several cells. */
  readonly #seenIn: Uint32Array
  #visit = 0

  constructor(mesh: Pick<TriangleMesh, 'positions' | 'indices'>) {
    this.#mesh = mesh
    const [x, y] = [extent(mesh.positions, 0), extent(mesh.positions, 1)]
    this.#grid = gridOver([x.low, y.low], [x.high, y.high], CELL, 0, CELL_LIMIT)
    const { columns, rows } = this.#grid
    const cells = columns * rows
    const ranges = this.#ranges()
    const count = ranges.length / 4
    const wide: number[] = []
    const starts = new Uint32Array(cells + 1)
    for (let triangle = 0; triangle < count; triangle++) {
      const left = ranges[triangle * 4]!
      const bottom = ranges[triangle * 4 + 1]!
      const right = ranges[triangle * 4 + 2]!
      const top = ranges[triangle * 4 + 3]!
      if ((right - left + 1) * (top - bottom + 1) > WIDE) {
        wide.push(triangle)
        // Not one row.
        ranges[triangle * 4 + 1] = top + 1
        continue
      }
      for (let row = bottom; row <= top; row++)
        for (let column = left; column <= right; column++) starts[row * columns + column + 1]!++
    }
    for (let cell = 0; cell < cells; cell++) starts[cell + 1]! += starts[cell]!
    const next = starts.slice()
    this.#triangles = new Uint32Array(starts[cells]!)
    for (let triangle = 0; triangle < count; triangle++) {
      const at = triangle * 4
      for (let row = ranges[at + 1]!; row <= ranges[at + 3]!; row++)
        for (let column = ranges[at]!; column <= ranges[at + 2]!; column++)
          this.#triangles[next[row * columns + column]!++] = triangle
    }
    this.#starts = starts
    this.#wide = wide
    this.#seenIn = new Uint32Array(count)
  }

  /** Every triangle whose box meets the given one. */
  visitBox(min: Vec3, max: Vec3, visit: (triangle: number) => void): void {
    const { columns } = this.#grid
    const [left, bottom] = this.#cell(min[0], min[1])
    const [right, top] = this.#cell(max[0], max[1])
    this.#visit += 1
    for (const triangle of this.#wide) if (this.#meets(triangle, min, max)) visit(triangle)
    for (let row = bottom; row <= top; row++) {
      for (let at = this.#starts[row * columns + left]!; at < this.#starts[row * columns + right + 1]!; at++) {
        const triangle = this.#triangles[at]!
        if (this.#seenIn[triangle] === this.#visit) continue
        this.#seenIn[triangle] = this.#visit
        if (this.#meets(triangle, min, max)) visit(triangle)
      }
    }
  }

  /** Column and row of a point, or of the cell at the border that is nearest to it. */
  #cell(x: number, y: number): readonly [number, number] {
    const { columns, rows, cell, x0, y0 } = this.#grid
    return [within((x - x0) / cell, columns), within((y - y0) / cell, rows)]
  }

  /** First column and row, last column and row of each triangle. A scene has a million: nothing is allocated for each. */
  #ranges(): Uint32Array {
    const { positions, indices } = this.#mesh
    const { columns, rows, cell, x0, y0 } = this.#grid
    const ranges = new Uint32Array((indices.length / 3) * 4)
    for (let corner = 0, at = 0; corner < indices.length; corner += 3, at += 4) {
      const a = indices[corner]! * 3
      const b = indices[corner + 1]! * 3
      const c = indices[corner + 2]! * 3
      const ax = positions[a]!
      const bx = positions[b]!
      const cx = positions[c]!
      const ay = positions[a + 1]!
      const by = positions[b + 1]!
      const cy = positions[c + 1]!
      ranges[at] = within((Math.min(ax, bx, cx) - x0) / cell, columns)
      ranges[at + 1] = within((Math.min(ay, by, cy) - y0) / cell, rows)
      ranges[at + 2] = within((Math.max(ax, bx, cx) - x0) / cell, columns)
      ranges[at + 3] = within((Math.max(ay, by, cy) - y0) / cell, rows)
    }
    return ranges
  }

  #meets(triangle: number, min: Vec3, max: Vec3): boolean {
    const { positions, indices } = this.#mesh
    const a = indices[triangle * 3]! * 3
    const b = indices[triangle * 3 + 1]! * 3
    const c = indices[triangle * 3 + 2]! * 3
    for (let axis = 0; axis < 3; axis++) {
      const p = positions[a + axis]!
      const q = positions[b + axis]!
      const r = positions[c + axis]!
      if ((p > max[axis]! && q > max[axis]! && r > max[axis]!) || (p < min[axis]! && q < min[axis]! && r < min[axis]!))
        return false
    }
    return true
  }
}

/** What is no number is in the first cell. */
function within(cell: number, count: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor(cell) || 0))
}

function extent(positions: Float32Array, axis: 0 | 1): { low: number; high: number } {
  const stride = 3 * Math.max(1, Math.floor(positions.length / 3 / SAMPLES))
  const values: number[] = []
  for (let i = axis; i < positions.length; i += stride) if (Number.isFinite(positions[i])) values.push(positions[i]!)
  if (values.length === 0) return { low: 0, high: 0 }
  return { low: percentile(values, LOW_PERCENTILE), high: percentile(values, 100 - LOW_PERCENTILE) }
}
