/** Where someone stands who stands “by” a thing. */
import { cellAt, type FreeSpace, type SceneObject } from '../../../../world.ts'

/** No further than this from the thing's box, in metres. */
const MAX_DISTANCE = 0.5
const DIRECTIONS = 16

/** Free places around a thing, each the nearest to it in its direction. */
export function standingCells({ box }: SceneObject, space: FreeSpace): number[] {
  const [x, y] = box.center
  const least = Math.min(box.size[0], box.size[1]) / 2
  const most = Math.hypot(box.size[0], box.size[1]) / 2 + MAX_DISTANCE
  const cells = new Set<number>()
  for (let k = 0; k < DIRECTIONS; k++) {
    const angle = (k / DIRECTIONS) * 2 * Math.PI
    for (let away = least; away <= most; away += space.grid.cell) {
      const cell = cellAt(space.grid, x + Math.cos(angle) * away, y + Math.sin(angle) * away)
      if (cell === -1 || space.walkable[cell] === 0) continue
      cells.add(cell)
      break
    }
  }
  return [...cells]
}
