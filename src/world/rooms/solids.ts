/** What of the building stands in a room: its blocks and the leaves of its open doors. */
import type { Box } from './boxes.ts'
import { leafOf } from './doors.ts'
import type { SceneDoor, SceneRoom } from './scene.ts'

export function solidsOf(room: SceneRoom, height: number, doors: readonly SceneDoor[]): Box[] {
  const blocks = (room.blocks ?? []).map(({ x, y }): Box => ({ x, y, z: [0, height] }))
  const leaves = doors.flatMap((door): Box[] => {
    const leaf = leafOf(door, [room])
    return leaf ? [{ ...leaf.floor, z: [0, door.height] }] : []
  })
  return [...blocks, ...leaves]
}
