import { describe, expect, test } from 'vitest'
import type { OrientedBox } from '../mesh.ts'
import { boxRoom } from '../../../test/support/world/box-room.ts'
import { floorArea, floorHeight } from './floor.ts'
import { freeSpace } from './free-space.ts'
import { cellAt, distanceField, gridOver } from './grid.ts'
import { shortestPath } from './paths.ts'

const wall = (x: number, from: number, to: number): OrientedBox => ({
  center: [x, (from + to) / 2, 1.2],
  size: [0.1, to - from, 2.4],
  yaw: 0,
})
/** A room of 6 × 4 m with a wall across, open from y = 3 on, and a stool. */
const divided = boxRoom({
  size: [6, 4],
  boxes: [wall(3, 0, 3), { center: [1, 1, 0.25], size: [0.4, 0.4, 0.5], yaw: 30 }],
})

describe('where a body can stand', () => {
  const space = freeSpace(divided, { radius: 0.2 })
  const walkable = (x: number, y: number) => space.walkable[cellAt(space.grid, x, y)] === 1

  test.each([
    ['in the open', 2, 2, true],
    ['a hand from the wall', 0.1, 2, false],
    ['at arm’s length from the wall', 0.35, 2, true],
    ['in the stool', 1, 1, false],
    ['in the dividing wall', 3, 1, false],
    ['in the opening', 3, 3.5, true],
    ['outside of the room', -0.3, 2, false],
  ])('%s', (_, x, y, expected) => {
    expect(walkable(x, y)).toBe(expected)
  })

  test('steps over low objects and passes under high enough ones', () => {
    const rug: OrientedBox = { center: [2, 2, 0.01], size: [2, 2, 0.02], yaw: 0 }
    const lamp: OrientedBox = { center: [4, 2, 2], size: [0.5, 0.5, 0.2], yaw: 0 }
    const shelf: OrientedBox = { center: [2, 0.6, 1.5], size: [0.5, 0.5, 0.1], yaw: 0 }
    const furnished = freeSpace(boxRoom({ size: [6, 4], boxes: [rug, lamp, shelf] }))
    const at = (x: number, y: number) => furnished.walkable[cellAt(furnished.grid, x, y)]
    expect([at(2, 2), at(4, 2), at(2, 0.6)]).toEqual([1, 1, 0])
  })

  test('the shortest path goes around the wall and keeps its distance', () => {
    const path = shortestPath(space, [2, 1], [4, 1])!
    // The taut string round the end of the wall (x 2.95 to 3.05, y 3): two tangents, two arcs of the body's radius.
    const tangent = Math.sqrt(0.95 ** 2 + 2 ** 2 - 0.2 ** 2)
    const heading = Math.atan2(2, 0.95) + Math.asin(0.2 / Math.hypot(0.95, 2))
    const taut = 2 * (tangent + 0.2 * heading) + 0.1
    expect(path.length).toBeGreaterThan(taut - 0.01)
    expect(path.length).toBeLessThan(taut * 1.05)
    for (const [x, y] of path.points) expect(walkable(x, y)).toBe(true)
    expect(path.points.length).toBeLessThan(8)
  })

  test('finds no path through a closed wall', () => {
    const closed = freeSpace(boxRoom({ size: [6, 4], boxes: [wall(3, -0.2, 4.2)] }))
    expect(shortestPath(closed, [2, 1], [4, 1])).toBeUndefined()
    expect(shortestPath(closed, [2, 1], [2, 3])!.length).toBeCloseTo(2, 1)
  })
})

test('finds the floor under a table and above a stray point', () => {
  const table: OrientedBox = { center: [2, 2, 0.8], size: [3, 3, 0.1], yaw: 0 }
  const room = boxRoom({ size: [4, 4], boxes: [table] })
  expect(floorHeight(room)).toBeCloseTo(0, 6)
  const lifted = { ...room, positions: room.positions.map((value, i) => (i % 3 === 2 ? value - 1.37 : value)) }
  expect(floorHeight(lifted)).toBeCloseTo(-1.37, 5)
})

describe('the area of a floor from points', () => {
  const rectangle = (x0: number, y0: number, x1: number, y1: number): number[] => {
    const points: number[] = []
    for (let x = x0; x <= x1 + 1e-9; x += 0.05) for (let y = y0; y <= y1 + 1e-9; y += 0.05) points.push(x, y, 0)
    return points
  }
  test.each([
    ['a rectangle', rectangle(0, 0, 4, 5), 20],
    ['an L', [...rectangle(0, 0, 4, 2), ...rectangle(0, 2, 2, 5)], 14],
    ['two rooms apart', [...rectangle(0, 0, 3, 3), ...rectangle(6, 0, 9, 2)], 15],
    [
      'walls alone',
      [...rectangle(0, 0, 4, 0), ...rectangle(0, 4, 4, 4), ...rectangle(0, 0, 0, 4), ...rectangle(4, 0, 4, 4)],
      16,
    ],
  ])('%s', (_, points, expected) => {
    const area = floorArea(Float32Array.from(points))
    // The inner corner of the L is rounded by the radius.
    expect(Math.abs(area - expected) / expected).toBeLessThan(0.02)
  })
})

test('distances to the nearest marked cell are exact', () => {
  const grid = gridOver([0, 0], [2, 1.5], 0.1)
  const marked = new Uint8Array(grid.columns * grid.rows)
  const spots = [
    [3, 4],
    [17, 9],
    [11, 0],
  ] as const
  for (const [column, row] of spots) marked[row * grid.columns + column] = 1
  const field = distanceField(grid, marked)
  for (let row = 0; row < grid.rows; row++) {
    for (let column = 0; column < grid.columns; column++) {
      const exact = Math.min(...spots.map(([c, r]) => Math.hypot(c - column, r - row))) * 0.1
      expect(field[row * grid.columns + column]).toBeCloseTo(exact, 5)
    }
  }
})
