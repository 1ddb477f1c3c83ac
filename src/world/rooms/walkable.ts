/** Which parts of a room's floor a person can stand on and get to. */
import type { Box } from './boxes.ts'

const CELL = 0.1
/** Half the width of a person who turns sideways a little. */
export const BODY_RADIUS = 0.2
/** What is lower than this is stepped on, what is higher up is walked under. */
const STEP = 0.03
const HEAD = 1.9

export interface Reach {
  /** Whether every start can be reached from the first. */
  joined: boolean
  /** Square meters that can be reached from the first start. */
  area: number
}

/** Floods the free floor of a rectangle from its first start. */
export function reachOf(
  room: { x: readonly [number, number]; y: readonly [number, number] },
  obstacles: readonly Box[],
  starts: readonly (readonly [number, number])[],
): Reach {
  const columns = Math.max(1, Math.floor((room.x[1] - room.x[0]) / CELL))
  const rows = Math.max(1, Math.floor((room.y[1] - room.y[0]) / CELL))
  const cells = new Uint8Array(columns * rows)
  const block = (x0: number, x1: number, y0: number, y1: number): void => {
    const i0 = Math.max(0, Math.ceil((x0 - room.x[0]) / CELL - 0.5))
    const i1 = Math.min(columns - 1, Math.floor((x1 - room.x[0]) / CELL - 0.5))
    const j0 = Math.max(0, Math.ceil((y0 - room.y[0]) / CELL - 0.5))
    const j1 = Math.min(rows - 1, Math.floor((y1 - room.y[0]) / CELL - 0.5))
    for (let j = j0; j <= j1; j++) cells.fill(1, j * columns + i0, j * columns + i1 + 1)
  }
  for (const { x, y, z } of obstacles) {
    if (z[1] <= STEP || z[0] >= HEAD) continue
    block(x[0] - BODY_RADIUS, x[1] + BODY_RADIUS, y[0] - BODY_RADIUS, y[1] + BODY_RADIUS)
  }
  const cellOf = ([x, y]: readonly [number, number]): number => {
    const i = Math.min(columns - 1, Math.max(0, Math.floor((x - room.x[0]) / CELL)))
    const j = Math.min(rows - 1, Math.max(0, Math.floor((y - room.y[0]) / CELL)))
    return j * columns + i
  }
  const first = cellOf(starts[0]!)
  if (cells[first] === 1) return { joined: false, area: 0 }
  const stack = new Int32Array(cells.length)
  let depth = 0
  let area = 0
  stack[depth++] = first
  cells[first] = 2
  while (depth > 0) {
    const cell = stack[--depth]!
    area++
    const i = cell % columns
    if (i > 0 && cells[cell - 1] === 0) {
      cells[cell - 1] = 2
      stack[depth++] = cell - 1
    }
    if (i + 1 < columns && cells[cell + 1] === 0) {
      cells[cell + 1] = 2
      stack[depth++] = cell + 1
    }
    if (cell >= columns && cells[cell - columns] === 0) {
      cells[cell - columns] = 2
      stack[depth++] = cell - columns
    }
    if (cell + columns < cells.length && cells[cell + columns] === 0) {
      cells[cell + columns] = 2
      stack[depth++] = cell + columns
    }
  }
  return { joined: starts.every((start) => cells[cellOf(start)] === 2), area: area * CELL * CELL }
}
