import { describe, expect, test } from 'vitest'
import { Random } from '../../base/random.ts'
import type { OrientedBox } from '../mesh.ts'
import { buildScene } from '../rooms/assemble.ts'
import { generateScene } from '../rooms/generate.ts'
import { boxRoom } from '../../../test/support/world/box-room.ts'
import { type FreeSpace, freeSpace } from './free-space.ts'
import { cellAt, cellCenter } from './grid.ts'
import { type NavMesh, navMesh } from './nav-mesh.ts'
import { shortestPath } from './paths.ts'

const wall = (x: number, from: number, to: number): OrientedBox => ({
  center: [x, (from + to) / 2, 1.2],
  size: [0.1, to - from, 2.4],
  yaw: 0,
})
const turnedTable: OrientedBox = { center: [4.5, 1.5, 0.4], size: [1.2, 0.6, 0.8], yaw: 35 }

const ROOMS: [string, FreeSpace][] = [
  ['an empty room', freeSpace(boxRoom({ size: [6, 4], boxes: [] }))],
  ['two walls to go round', freeSpace(boxRoom({ size: [8, 4], boxes: [wall(2.5, 0, 3), wall(5.5, 1, 4)] }))],
  ['a wall and a turned table', freeSpace(boxRoom({ size: [6, 4], boxes: [wall(3, 0, 3), turnedTable] }))],
  ['two halves without a way', freeSpace(boxRoom({ size: [6, 4], boxes: [wall(3, -0.2, 4.2)] }))],
  ['a furnished living room', built('living room', 3)],
  ['a flat', built('flat', 5)],
]

function built(kind: 'living room' | 'flat', seed: number): FreeSpace {
  return freeSpace(buildScene(generateScene({ seed, kind }), { light: false }).mesh)
}

describe.each(ROOMS)('%s', (_, space) => {
  const mesh = navMesh(space)
  const walkable = [...space.walkable.keys()].filter((cell) => space.walkable[cell] === 1)

  test('every walkable cell lies in one polygon, and nothing else does', () => {
    const times = new Uint8Array(space.walkable.length)
    for (const { corners } of mesh.polygons) {
      for (let cell = 0; cell < times.length; cell++) if (inside(corners, cellCenter(space.grid, cell))) times[cell]!++
    }
    expect(Buffer.compare(times, space.walkable)).toBe(0)
    expect(mesh.polygons.length).toBeLessThan(Math.max(2, walkable.length / 10))
  })

  test('portals lie on the border of both polygons, with left and right in walking direction', () => {
    for (const { polygons, left, right } of mesh.portals) {
      const [a, b] = polygons.map((number) => centerOf(mesh.polygons[number]!.corners))
      for (const end of [left, right]) {
        for (const number of polygons) expect(onBorder(mesh.polygons[number]!.corners, end)).toBe(true)
      }
      const middle = [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2] as const
      const [ahead, aside] = [
        [b![0] - a![0], b![1] - a![1]],
        [left[0] - middle[0], left[1] - middle[1]],
      ] as const
      expect(ahead[0] * aside[1] - ahead[1] * aside[0]).toBeGreaterThan(0)
    }
  })

  test('paths match grid lengths, stay walkable, and exist exactly where the grid has one', () => {
    const random = new Random('nav-mesh')
    for (let i = 0; i < 40; i++) {
      const from = cellCenter(space.grid, walkable[random.int(walkable.length)]!)
      const to = cellCenter(space.grid, walkable[random.int(walkable.length)]!)
      const onGrid = shortestPath(space, from, to)
      const onMesh = mesh.path(from, to)
      expect(onMesh === undefined, `${from.join()} to ${to.join()}`).toBe(onGrid === undefined)
      if (!onMesh || !onGrid) continue
      // Corners are cut up to the border of a cell, not to its center.
      expect(onMesh.length).toBeLessThanOrEqual(onGrid.length * 1.03 + 1e-9)
      expect(onMesh.length).toBeGreaterThanOrEqual(onGrid.length * 0.93 - 2 * space.grid.cell)
      expect(onMesh.points[0]).toEqual(from)
      expect(onMesh.points.at(-1)).toEqual(to)
      expect(firstOutside(space, onMesh.points)).toBeUndefined()
    }
  })
})

test('the path around two walls is the taut string', () => {
  const space = ROOMS[1]![1]
  const { points, length } = navMesh(space).path([1, 1], [7, 3])!
  // Down from the first wall's end at y = 3, up to the second one's at y = 1, each with the body's radius around it.
  const taut = Math.hypot(1.5, 2.2) + Math.hypot(3, 2.4) + Math.hypot(1.5, 2.2)
  expect(Math.abs(length - taut) / taut).toBeLessThan(0.05)
  expect(points.length).toBeLessThan(12)
})

test('moves a start out of furniture; finds no path far from any floor', () => {
  const mesh: NavMesh = navMesh(boxRoom({ size: [6, 4], boxes: [turnedTable] }))
  expect(mesh.polygonAt(4.5, 1.5)).toBe(-1)
  expect(mesh.path([4.5, 1.5], [1, 1])!.length).toBeGreaterThan(2.5)
  expect(mesh.path([-20, 0], [1, 1])).toBeUndefined()
})

type Corners = readonly (readonly [number, number])[]

function inside(corners: Corners, [x, y]: readonly [number, number]): boolean {
  return corners.every(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length]!
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0
  })
}

function onBorder(corners: Corners, [x, y]: readonly [number, number]): boolean {
  return corners.some(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length]!
    const [ab, ap, pb] = [Math.hypot(bx - ax, by - ay), Math.hypot(x - ax, y - ay), Math.hypot(bx - x, by - y)]
    return Math.abs(ap + pb - ab) < 1e-9
  })
}

function centerOf(corners: Corners): readonly [number, number] {
  return [(corners[0]![0] + corners[2]![0]) / 2, (corners[0]![1] + corners[2]![1]) / 2]
}

/** Ways bend at corners of cells, so a point counts as inside when a cell that it touches is walkable. */
function firstOutside({ grid, walkable }: FreeSpace, points: Corners): readonly [number, number] | undefined {
  const touch = 1e-6
  for (let i = 1; i < points.length; i++) {
    const [[ax, ay], [bx, by]] = [points[i - 1]!, points[i]!]
    const steps = Math.ceil(Math.hypot(bx - ax, by - ay) / 0.01)
    for (let step = 0; step <= steps; step++) {
      const [x, y] = [ax + ((bx - ax) * step) / steps, ay + ((by - ay) * step) / steps] as const
      const near = [-touch, touch].flatMap((dx) => [-touch, touch].map((dy) => cellAt(grid, x + dx, y + dy)))
      if (!near.some((cell) => walkable[cell] === 1)) return [x, y]
    }
  }
  return undefined
}
