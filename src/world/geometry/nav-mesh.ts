/** The walkable floor as few convex polygons and the doors between them. */
import type { TriangleMesh } from '../mesh.ts'
import { type FreeSpace, freeSpace, type FreeSpaceOptions } from './free-space.ts'
import { pullString } from './funnel.ts'
import { cellAt, cellCenter, type Grid } from './grid.ts'
import { PortalGraph } from './portal-graph.ts'
import { type FloorPath, nearestWalkable } from './paths.ts'

export type Point = readonly [number, number]

/** A rectangle of walkable cells: convex, so that a body goes straight between any two places in it. */
export interface NavPolygon {
  /** Counterclockwise, in meters. */
  corners: readonly [Point, Point, Point, Point]
  /** Numbers of the portals that lead out of it. */
  portals: readonly number[]
}

/** Where two polygons touch. The ends are left and right as seen on the way from the first polygon to the second. */
export interface Portal {
  polygons: readonly [number, number]
  left: Point
  right: Point
}

/**
 * Covers exactly the walkable cells of a free space, each by one polygon; takes a mesh as well.
 *
 * @example
 * const floor = navMesh(freeSpace(mesh))
 * floor.polygons.length
 * floor.path([0.5, 0.5], [4, 3])?.length
 */
export function navMesh(source: FreeSpace | TriangleMesh, options: FreeSpaceOptions = {}): NavMesh {
  return new NavMesh('walkable' in source ? source : freeSpace(source, options))
}

export class NavMesh {
  readonly polygons: readonly NavPolygon[]
  readonly portals: readonly Portal[]
  readonly #space: FreeSpace
  readonly #owner: Int32Array
  #graph: PortalGraph | undefined

  constructor(space: FreeSpace) {
    const { owner, rectangles } = coverWithRectangles(space)
    const portals = findPortals(space.grid, owner)
    const leading = rectangles.map((): number[] => [])
    portals.forEach(({ polygons: [a, b] }, i) => {
      leading[a]!.push(i)
      leading[b]!.push(i)
    })
    this.polygons = rectangles.map((rectangle, i) => ({
      corners: cornersOf(space.grid, rectangle),
      portals: leading[i]!,
    }))
    this.portals = portals
    this.#space = space
    this.#owner = owner
  }

  /** The number of the polygon at a place; −1 where the body cannot be. */
  polygonAt(x: number, y: number): number {
    const cell = cellAt(this.#space.grid, x, y)
    return cell === -1 ? -1 : this.#owner[cell]!
  }

  /**
   * A way for the body's center that turns only at corners; undefined when there is none. Starts and ends where the
   * body does not fit are moved to the nearest place where it does, within `reach` meters.
   */
  path(from: Point, to: Point, { reach = 1 }: { reach?: number } = {}): FloorPath | undefined {
    const start = this.#placed(from, reach)
    const goal = this.#placed(to, reach)
    if (!start || !goal) return undefined
    this.#graph ??= new PortalGraph(this.polygons, this.portals)
    const first = this.polygonAt(start[0], start[1])
    const channel = this.#graph.channel(start, first, goal, this.polygonAt(goal[0], goal[1]))
    if (!channel) return undefined
    let at = first
    const doors = channel.map((number) => {
      const { polygons, left, right } = this.portals[number]!
      const forward = polygons[0] === at
      at = forward ? polygons[1] : polygons[0]
      return forward ? { left, right } : { left: right, right: left }
    })
    const points = pullString(start, doors, goal)
    let length = 0
    for (let i = 1; i < points.length; i++) {
      length += Math.hypot(points[i]![0] - points[i - 1]![0], points[i]![1] - points[i - 1]![1])
    }
    return { points, length }
  }

  #placed(place: Point, reach: number): Point | undefined {
    if (this.polygonAt(place[0], place[1]) !== -1) return place
    const cell = nearestWalkable(this.#space, place[0], place[1], reach)
    return cell === -1 ? undefined : cellCenter(this.#space.grid, cell)
  }
}

/** Cells from the first to the last, both included. */
interface Rectangle {
  left: number
  bottom: number
  right: number
  top: number
}

/** Takes cells in order and grows a rectangle from each that is still free: wide first or high first, what covers more. */
function coverWithRectangles({ grid, walkable }: FreeSpace): { owner: Int32Array; rectangles: Rectangle[] } {
  const { columns, rows } = grid
  const owner = new Int32Array(columns * rows).fill(-1)
  const rectangles: Rectangle[] = []
  const free = (column: number, row: number): boolean =>
    column < columns && row < rows && walkable[row * columns + column] === 1 && owner[row * columns + column] === -1
  const rowIsFree = (row: number, left: number, right: number): boolean => {
    for (let column = left; column <= right; column++) if (!free(column, row)) return false
    return true
  }
  const columnIsFree = (column: number, bottom: number, top: number): boolean => {
    for (let row = bottom; row <= top; row++) if (!free(column, row)) return false
    return true
  }
  for (let bottom = 0; bottom < rows; bottom++) {
    for (let left = 0; left < columns; left++) {
      if (!free(left, bottom)) continue
      const wide = { left, bottom, right: left, top: bottom }
      while (free(wide.right + 1, bottom)) wide.right++
      while (rowIsFree(wide.top + 1, left, wide.right)) wide.top++
      const high = { left, bottom, right: left, top: bottom }
      while (free(left, high.top + 1)) high.top++
      while (columnIsFree(high.right + 1, bottom, high.top)) high.right++
      const best = cellsOf(high) > cellsOf(wide) ? high : wide
      for (let row = bottom; row <= best.top; row++) {
        owner.fill(rectangles.length, row * columns + left, row * columns + best.right + 1)
      }
      rectangles.push(best)
    }
  }
  return { owner, rectangles }
}

function cellsOf({ left, bottom, right, top }: Rectangle): number {
  return (right - left + 1) * (top - bottom + 1)
}

function cornersOf(grid: Grid, { left, bottom, right, top }: Rectangle): NavPolygon['corners'] {
  const [x0, y0] = cornerOf(grid, left, bottom)
  const [x1, y1] = cornerOf(grid, right + 1, top + 1)
  return [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ]
}

/** The lower left corner of a cell. */
function cornerOf({ x0, y0, cell }: Grid, column: number, row: number): Point {
  return [x0 + column * cell, y0 + row * cell]
}

/** Follows the borders between cells of different polygons; those that only touch at a corner have none. */
function findPortals(grid: Grid, owner: Int32Array): Portal[] {
  const { columns, rows } = grid
  const portals: Portal[] = []
  for (let column = 0; column + 1 < columns; column++) {
    const at = (row: number): number => row * columns + column
    eachBorder(owner, rows, at, 1, (a, b, from, to) => {
      const [left, right] = [cornerOf(grid, column + 1, to), cornerOf(grid, column + 1, from)]
      portals.push({ polygons: [a, b], left, right })
    })
  }
  for (let row = 0; row + 1 < rows; row++) {
    const at = (column: number): number => row * columns + column
    eachBorder(owner, columns, at, columns, (a, b, from, to) => {
      const [left, right] = [cornerOf(grid, from, row + 1), cornerOf(grid, to, row + 1)]
      portals.push({ polygons: [a, b], left, right })
    })
  }
  return portals
}

/** Runs of cells along a line that have the same polygon on either side. */
function eachBorder(
  owner: Int32Array,
  length: number,
  cellOf: (along: number) => number,
  across: number,
  found: (a: number, b: number, from: number, to: number) => void,
): void {
  for (let from = 0; from < length;) {
    const a = owner[cellOf(from)]!
    const b = owner[cellOf(from) + across]!
    let to = from + 1
    while (to < length && owner[cellOf(to)] === a && owner[cellOf(to) + across] === b) to++
    if (a !== b && a !== -1 && b !== -1) found(a, b, from, to)
    from = to
  }
}
