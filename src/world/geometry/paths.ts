import type { FreeSpace } from './free-space.ts'
import { cellAt, cellCenter, type Grid } from './grid.ts'

export interface FloorPath {
  /** From start to end, x and y; straight in between. */
  points: readonly (readonly [number, number])[]
  /** Meters. */
  length: number
}

const DIAGONAL = Math.SQRT2

/**
 * The shortest way for the body's center from one place to another; undefined when there is none. Starts and ends that
 * are not walkable themselves are moved to the nearest cell that is, within `reach` meters.
 */
export function shortestPath(
  space: FreeSpace,
  from: readonly [number, number],
  to: readonly [number, number],
  { reach = 1 }: { reach?: number } = {},
): FloorPath | undefined {
  const start = nearestWalkable(space, from[0], from[1], reach)
  const goal = nearestWalkable(space, to[0], to[1], reach)
  if (start === -1 || goal === -1) return undefined
  const { previous, cost } = search(space, start, goal, sharedRoom(space))
  if (!Number.isFinite(cost[goal]!)) return undefined
  const cells = [goal]
  for (let at = goal; at !== start;) {
    at = previous[at]!
    cells.push(at)
  }
  const points = pullTight(space, cells.reverse())
  let length = 0
  for (let i = 1; i < points.length; i++) {
    length += Math.hypot(points[i]![0] - points[i - 1]![0], points[i]![1] - points[i - 1]![1])
  }
  return { points, length }
}

/** The nearest cell that the body can stand in, −1 when there is none within `reach`. Ties go to the lower number. */
export function nearestWalkable({ grid, walkable }: FreeSpace, x: number, y: number, reach: number): number {
  const here = cellAt(grid, x, y)
  if (here !== -1 && walkable[here] === 1) return here
  let best = -1
  let nearest = reach * reach
  const from = Math.max(0, Math.floor((y - reach - grid.y0) / grid.cell))
  const to = Math.min(grid.rows - 1, Math.floor((y + reach - grid.y0) / grid.cell))
  const left = Math.max(0, Math.floor((x - reach - grid.x0) / grid.cell))
  const right = Math.min(grid.columns - 1, Math.floor((x + reach - grid.x0) / grid.cell))
  for (let row = from; row <= to; row++) {
    for (let column = left; column <= right; column++) {
      const at = row * grid.columns + column
      if (walkable[at] === 0) continue
      const [cx, cy] = cellCenter(grid, at)
      const away = (cx - x) ** 2 + (cy - y) ** 2
      if (away < nearest) {
        nearest = away
        best = at
      }
    }
  }
  return best
}

/** Meters from a start to every cell over walkable ones (infinity where there is no way), and the cell before each. */
export function walkFrom(space: FreeSpace, start: number, goal = -1): { cost: Float32Array; previous: Int32Array } {
  const { cost, previous } = search(space, start, goal, newRoom(cellsOf(space)))
  return { cost, previous }
}

/** Meters from a start to some cells over walkable ones; infinity where there is no way. */
export function metersTo(space: FreeSpace, start: number, cells: readonly number[]): number[] {
  const { cost } = search(space, start, -1, sharedRoom(space))
  return cells.map((cell) => cost[cell]!)
}

/** What a search writes for each cell: the meters to it, the cell before it, and whether these are final. */
interface SearchRoom {
  cost: Float32Array
  previous: Int32Array
  done: Uint8Array
}

function cellsOf({ grid: { columns, rows } }: FreeSpace): number {
  return columns * rows
}

function newRoom(cells: number): SearchRoom {
  return { cost: new Float32Array(cells), previous: new Int32Array(cells), done: new Uint8Array(cells) }
}

let shared = newRoom(0)

/** The same for one search after the other: new megabytes for each would keep the garbage collector busy. */
function sharedRoom(space: FreeSpace): SearchRoom {
  const cells = cellsOf(space)
  if (shared.cost.length < cells) shared = newRoom(cells)
  return shared
}

/** Up to the goal, or everywhere if that is −1. */
function search({ grid, walkable }: FreeSpace, start: number, goal: number, room: SearchRoom): SearchRoom {
  const { cost, previous, done } = room
  const { columns, rows, cell } = grid
  cost.fill(Infinity, 0, columns * rows)
  previous.fill(-1, 0, columns * rows)
  done.fill(0, 0, columns * rows)
  const heap = new CellHeap()
  const goalColumn = goal % columns
  const goalRow = Math.floor(goal / columns)
  const ahead = (column: number, row: number): number => {
    if (goal === -1) return 0
    const dx = Math.abs(column - goalColumn)
    const dy = Math.abs(row - goalRow)
    return (Math.max(dx, dy) + (DIAGONAL - 1) * Math.min(dx, dy)) * cell
  }
  cost[start] = 0
  heap.push(start, 0)
  for (let at = heap.pop(); at !== -1; at = heap.pop()) {
    if (done[at] === 1) continue
    done[at] = 1
    if (at === goal) break
    const row = Math.floor(at / columns)
    const column = at - row * columns
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const c = column + dx
        const r = row + dy
        if ((dx === 0 && dy === 0) || c < 0 || r < 0 || c >= columns || r >= rows) continue
        const next = r * columns + c
        if (walkable[next] === 0 || done[next] === 1) continue
        // No cutting of corners: both cells next to a diagonal must be free.
        if (dx !== 0 && dy !== 0 && (walkable[at + dx] === 0 || walkable[at + dy * columns] === 0)) continue
        const total = cost[at]! + (dx !== 0 && dy !== 0 ? DIAGONAL : 1) * cell
        if (total >= cost[next]! - 1e-6) continue
        cost[next] = total
        previous[next] = at
        heap.push(next, total + ahead(c, r))
      }
    }
  }
  return room
}

/** Keeps only the corners that the way needs: as far ahead as a straight line stays free. */
function pullTight(space: FreeSpace, cells: readonly number[]): (readonly [number, number])[] {
  const points = [cellCenter(space.grid, cells[0]!)]
  let at = 0
  while (at < cells.length - 1) {
    // Doubling, then halving: far corners are found without testing every cell.
    let ok = at + 1
    let span = 2
    while (at + span < cells.length && straightIsFree(space, cells[at]!, cells[at + span]!)) {
      ok = at + span
      span *= 2
    }
    let limit = Math.min(at + span, cells.length)
    while (ok + 1 < limit) {
      const middle = (ok + limit) >> 1
      if (straightIsFree(space, cells[at]!, cells[middle]!)) ok = middle
      else limit = middle
    }
    points.push(cellCenter(space.grid, cells[ok]!))
    at = ok
  }
  return points
}

/** Whether the body can go straight from one cell to another. */
export function straightIsFree({ grid, walkable }: FreeSpace, from: number, to: number): boolean {
  return allAlong(grid, from, to, (cell) => walkable[cell] === 1)
}

/** Tests cells along a straight line, close enough together that none is jumped over. */
export function allAlong(grid: Grid, from: number, to: number, test: (cell: number) => boolean): boolean {
  const [ax, ay] = cellCenter(grid, from)
  const [bx, by] = cellCenter(grid, to)
  const steps = Math.max(1, Math.ceil((Math.max(Math.abs(bx - ax), Math.abs(by - ay)) / grid.cell) * 2))
  for (let i = 0; i <= steps; i++) {
    const t = i / steps
    if (!test(cellAt(grid, ax + (bx - ax) * t, ay + (by - ay) * t))) return false
  }
  return true
}

/** A binary heap of cells. Equal costs come out by lower cell number: the same way on every machine. */
export class CellHeap {
  readonly #cells: number[] = []
  readonly #keys: number[] = []

  push(cell: number, key: number): void {
    const cells = this.#cells
    const keys = this.#keys
    let at = cells.length
    cells.push(cell)
    keys.push(key)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#before(at, parent)) break
      this.#swap(at, parent)
      at = parent
    }
  }

  pop(): number {
    const cells = this.#cells
    const first = cells[0]
    if (first === undefined) return -1
    this.#swap(0, cells.length - 1)
    cells.pop()
    this.#keys.pop()
    for (let at = 0; ;) {
      const left = at * 2 + 1
      const right = left + 1
      let least = at
      if (left < cells.length && this.#before(left, least)) least = left
      if (right < cells.length && this.#before(right, least)) least = right
      if (least === at) return first
      this.#swap(at, least)
      at = least
    }
  }

  #before(a: number, b: number): boolean {
    const difference = this.#keys[a]! - this.#keys[b]!
    return difference < 0 || (difference === 0 && this.#cells[a]! < this.#cells[b]!)
  }

  #swap(a: number, b: number): void {
    const cell = this.#cells[a]!
    const key = this.#keys[a]!
    this.#cells[a] = this.#cells[b]!
    this.#keys[a] = this.#keys[b]!
    this.#cells[b] = cell
    this.#keys[b] = key
  }
}
