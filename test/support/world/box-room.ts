import type { OrientedBox, TriangleMesh } from '../../../src/world/mesh.ts'
import { boxCorners, turnedBox } from '../../../src/world/geometry/boxes.ts'

/** The plainest scene there is: a floor, four walls and boxes. What geometry and walking are tried on. */
export interface BoxRoom {
  /** Lengths along x and y; the room has a corner at the origin and its floor at height 0. */
  size: readonly [number, number]
  wallHeight?: number
  /** Numbered from 1 as instances. */
  boxes?: readonly OrientedBox[]
}

const FACES = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
] as const

export function boxRoom({ size, wallHeight = 2.5, boxes = [] }: BoxRoom): TriangleMesh {
  const positions: number[] = []
  const indices: number[] = []
  const instances: number[] = []
  const quad = (corners: readonly (readonly number[])[], instance: number) => {
    const first = positions.length / 3
    for (const corner of corners) positions.push(...corner)
    indices.push(first, first + 1, first + 2, first, first + 2, first + 3)
    instances.push(instance, instance)
  }
  const [x, y] = size
  const z = wallHeight
  quad(
    [
      [0, 0, 0],
      [x, 0, 0],
      [x, y, 0],
      [0, y, 0],
    ],
    0,
  )
  quad(
    [
      [0, 0, 0],
      [x, 0, 0],
      [x, 0, z],
      [0, 0, z],
    ],
    0,
  )
  quad(
    [
      [x, 0, 0],
      [x, y, 0],
      [x, y, z],
      [x, 0, z],
    ],
    0,
  )
  quad(
    [
      [x, y, 0],
      [0, y, 0],
      [0, y, z],
      [x, y, z],
    ],
    0,
  )
  quad(
    [
      [0, y, 0],
      [0, 0, 0],
      [0, 0, z],
      [0, y, z],
    ],
    0,
  )
  boxes.forEach((box, i) => {
    const corners = boxCorners(turnedBox(box))
    for (const face of FACES)
      quad(
        face.map((corner) => corners[corner]!),
        i + 1,
      )
  })
  return {
    positions: Float32Array.from(positions),
    indices: Uint32Array.from(indices),
    triangleInstances: Uint16Array.from(instances),
    materials: [{ name: 'plain', color: [255, 255, 255] }],
  }
}
