/** How wrong a coordinate is, as a number in [0, 1]. */
import type { Scene, Vec } from './scene.ts'

const scales = new WeakMap<Scene, number>()
const floors = new WeakMap<Scene, readonly Vec[]>()

/** Every cell of every room, by x and then by y. */
export function floorCells(scene: Scene): readonly Vec[] {
  let cells = floors.get(scene)
  if (cells === undefined) {
    const found: Vec[] = []
    for (let x = 0; x < scene.mask.length; x++) {
      const column = scene.mask[x]!
      for (let y = 0; y < column.length; y++) if (column[y]! >= 1 && column[y]! < 100) found.push([x, y])
    }
    floors.set(scene, (cells = found))
  }
  return cells
}

/**
 * The length on which profile `fixed` forgives errors: half the side of an average room, the same for all questions
 * about a scene; in a room of 6 × 6 an error of one cell costs 28 %. The published scale is the distance of the right
 * answer from the origin, which forgives more the farther away a thing is, and gives 37 % to whoever answers (0, 0).
 */
export function lengthScale(scene: Scene): number {
  let scale = scales.get(scene)
  if (scale === undefined) {
    const rooms = new Set<number>()
    for (const [x, y] of floorCells(scene)) rooms.add(scene.mask[x]![y]!)
    scale = Math.sqrt(floorCells(scene).length / Math.max(1, rooms.size)) / 2
    scales.set(scene, scale)
  }
  return scale
}

/** e to the minus error over scale. */
export function closeness(error: number, scale: number): number {
  return Math.exp(-error / scale)
}
