/** A small scene for tests: two adjacent rooms of 3 × 3 cells with a door between them. */
import { EAST, NORTH, type Scene, SOUTH, WEST } from '../../../../src/suites/space/domain/grid/scene.ts'

const W = 0
const D = 100

/**
 * ```
 * #########
 * #l..#..v#
 * #...+...#
 * #*c.#s..#
 * #########
 * ```
 */
export const TWO_ROOMS: Scene = {
  mask: [
    [W, W, W, W, W],
    [W, 1, 1, 1, W],
    [W, 1, 1, 1, W],
    [W, 1, 1, 1, W],
    [W, W, D, W, W],
    [W, 2, 2, 2, W],
    [W, 2, 2, 2, W],
    [W, 2, 2, 2, W],
    [W, W, W, W, W],
  ],
  objects: [
    { kind: 'object', name: 'lamp', pos: [1, 3], heading: NORTH, oriented: false, room: 1 },
    { kind: 'object', name: 'chair', pos: [2, 1], heading: WEST, oriented: true, room: 1 },
    { kind: 'object', name: 'sofa', pos: [5, 1], heading: SOUTH, oriented: true, room: 2 },
    { kind: 'object', name: 'trash can', pos: [7, 3], heading: NORTH, oriented: false, room: 2 },
  ],
  doors: [{ kind: 'door', name: 'red door', pos: [4, 2], rooms: [1, 2], normals: [WEST, EAST] }],
  start: { pos: [1, 1], room: 1 },
  order: ['lamp', 'chair', 'sofa', 'trash can', 'red door'],
}
