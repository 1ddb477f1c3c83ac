/** Where one can stand "by" an object. */
import { cellAt, type FreeSpace, type SceneObject } from '../../../../world.ts'

/** Maximum distance from the object's box, in meters. */
const MAX_DISTANCE = 0.5
const DIRECTIONS = 16

/** Free cells around an object: the nearest one in each direction. */
export function standingCells({ box }: SceneObject, space: FreeSpace): number[] {
  const [x, y] = box.center
  const least = Math.min(box.size[0], box.size[1]) / 2
  const most = Math.hypot(box.size[0], box.size[1]) / 2 + MAX_DISTANCE
  const cells = new Set<number>()
  for (let k = 0; k < DIRECTIONS; k++) {
    const angle = (k / DIRECTIONS) * 2 * Math.PI
    for (let distance = least; distance <= most; distance += space.grid.cell) {
      const cell = cellAt(space.grid, x + Math.cos(angle) * distance, y + Math.sin(angle) * distance)
      if (cell === -1 || space.walkable[cell] === 0) continue
      cells.add(cell)
      break
    }
  }
  return [...cells]
}
