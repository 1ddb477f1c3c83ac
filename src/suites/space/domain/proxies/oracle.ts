/**
 * The oracle knows all positions and always takes the look that narrows the room's position domains most, until no look
 * narrows them any further.
 */
import type { PositionSolver } from '../explore/solver.ts'
import { takeView } from '../explore/views.ts'
import { HEADINGS, type Vec } from '../grid/scene.ts'
import { poseAt } from '../grid/view.ts'
import { publishedOrder } from './published-order.ts'
import { greedySweep } from './sweep.ts'
import { lookFrom, roomSolver } from './strategist.ts'
import type { Walk } from './walk.ts'

/** Number of nodes to try looks from, the least certain first. */
const MAX_ANCHORS = 10

export function oracleRoom(walk: Walk): void {
  const before = walk.views.length
  greedySweep(walk)
  const solver = roomSolver(walk, before)
  for (let look = bestLook(walk, solver); look !== undefined; look = bestLook(walk, solver)) {
    const { view } = lookFrom(walk, look.anchor, look.heading)
    if (view) solver.observe(view)
  }
}

function bestLook(walk: Walk, solver: PositionSolver): { anchor: string; heading: Vec } | undefined {
  const size = (name: string): number => solver.size(name) ?? solver.squareSize
  const seen =
    walk.profile === 'upstream'
      ? publishedOrder(walk.observed, walk.roomNodes())
      : walk.roomNodes().filter((name) => walk.observed.has(name))
  const anchors = seen.toSorted((a, b) => size(b) - size(a)).slice(0, MAX_ANCHORS)
  const total = solver.totalSize()
  let best: { anchor: string; heading: Vec } | undefined
  let most = 0
  for (const anchor of anchors) {
    for (const heading of HEADINGS) {
      const trial = solver.clone()
      trial.observe(takeView(walk.scene, poseAt(walk.scene, walk.entity(anchor), heading)))
      const gain = total - trial.totalSize()
      if (gain > most) {
        most = gain
        best = { anchor, heading }
      }
    }
  }
  return best
}
