import type { FreeSpace } from '../geometry/free-space.ts'
import { cellAt, cellCenter } from '../geometry/grid.ts'
import { metersTo, shortestPath } from '../geometry/paths.ts'

/** Improvements shorter than this are rounding. */
const TINY = 1e-6
/** A walked line is bent over this length, so that the camera does not turn on the spot at corners. */
const BEND_METERS = 0.5
const SAMPLE_METERS = 0.05

/** An order to visit cells in with a short way: the nearest next, then two legs exchanged while that shortens it. */
export function visitingOrder(space: FreeSpace, cells: readonly number[]): number[] {
  if (cells.length < 3) return [...cells]
  const lengths = cells.map((cell) => metersTo(space, cell, cells))
  const order = [0]
  const left = new Set(cells.keys())
  left.delete(0)
  while (left.size > 0) {
    const from = lengths[order.at(-1)!]!
    let next = -1
    for (const candidate of left) if (next === -1 || from[candidate]! < from[next]!) next = candidate
    order.push(next)
    left.delete(next)
  }
  for (let improved = true; improved;) {
    improved = false
    for (let i = 0; i < order.length - 1; i++) {
      for (let j = i + 1; j < order.length; j++) {
        // Reversing i … j changes the legs before i and after j; the walk is open at both ends.
        const leg = (a: number | undefined, b: number | undefined) =>
          a === undefined || b === undefined ? 0 : lengths[a]![b]!
        const before = leg(order[i - 1], order[i]) + leg(order[j], order[j + 1])
        const after = leg(order[i - 1], order[j]) + leg(order[i], order[j + 1])
        if (after < before - TINY) {
          order.splice(i, j - i + 1, ...order.slice(i, j + 1).reverse())
          improved = true
        }
      }
    }
  }
  return order.map((at) => cells[at]!)
}

/** The way between two cells as a line of close points, with its corners rounded where there is room for that. */
export function smoothWay(space: FreeSpace, from: number, to: number): (readonly [number, number])[] {
  const path = shortestPath(space, cellCenter(space.grid, from), cellCenter(space.grid, to))
  if (!path) return []
  const line = resample(path.points, SAMPLE_METERS)
  const half = Math.round(BEND_METERS / SAMPLE_METERS / 2)
  return line.map((point, at) => {
    const reach = Math.min(half, at, line.length - 1 - at)
    let [x, y] = [0, 0]
    for (let k = at - reach; k <= at + reach; k++) {
      x += line[k]![0]
      y += line[k]![1]
    }
    const bent = [x / (2 * reach + 1), y / (2 * reach + 1)] as const
    return space.walkable[cellAt(space.grid, bent[0], bent[1])] === 1 ? bent : point
  })
}

/** Points at even distances along a line, both ends included. */
function resample(points: readonly (readonly [number, number])[], step: number): (readonly [number, number])[] {
  const line: (readonly [number, number])[] = [points[0]!]
  for (let i = 1; i < points.length; i++) {
    const [ax, ay] = points[i - 1]!
    const [bx, by] = points[i]!
    const pieces = Math.max(1, Math.round(Math.hypot(bx - ax, by - ay) / step))
    for (let k = 1; k <= pieces; k++) line.push([ax + ((bx - ax) * k) / pieces, ay + ((by - ay) * k) / pieces])
  }
  return line
}
