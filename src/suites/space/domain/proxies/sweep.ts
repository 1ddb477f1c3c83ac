/** Looking around on entering a room. */
import type { Vec } from '../grid/scene.ts'
import { rotateHeading } from '../grid/relations.ts'
import { isVisible } from '../grid/view.ts'
import type { Walk } from './walk.ts'

/** Turns between looks: all around at the start; ahead, right and left in a doorway. */
const SWEEP_AT_START = [0, 90, 90, 90]
const SWEEP_IN_DOORWAY = [0, 90, 180]

/** Looks in every direction; stops when everything in the scene has been seen. */
export function sweep(walk: Walk): void {
  for (const degrees of walk.entryDoor === undefined ? SWEEP_AT_START : SWEEP_IN_DOORWAY) {
    if (walk.allKnown()) return
    walk.rotateBy(degrees)
    walk.observe(walk.entryAnchor)
  }
}

/** Turns relative to the current heading; looking back from a doorway is never useful. */
const LOOKS_AT_START = [0, 90, 180, 270]
const LOOKS_IN_DOORWAY = [0, 90, 270]

/** Uses true positions to look first where most unseen entities are in view. */
export function greedySweep(walk: Walk): void {
  const looks = walk.entryDoor === undefined ? LOOKS_AT_START : LOOKS_IN_DOORWAY
  for (let unknown = walk.unknownNodes(); unknown.length > 0; unknown = walk.unknownNodes()) {
    let best = 0
    let most = 0
    for (const degrees of looks) {
      const found = countVisible(walk, rotateHeading(walk.pose.heading, degrees), unknown)
      if (found > most) {
        most = found
        best = degrees
      }
    }
    if (most === 0) return
    walk.rotateBy(best)
    walk.observe(walk.entryAnchor)
  }
}

function countVisible(walk: Walk, heading: Vec, names: readonly string[]): number {
  const pose = { ...walk.pose, heading }
  return names.filter((name) => isVisible(pose, walk.entity(name))).length
}
