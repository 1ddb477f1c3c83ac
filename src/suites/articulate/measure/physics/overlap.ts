/** How deep parts are in each other at rest. The engine does not look at what never moves. */
import type { Robot } from '../../../../world.ts'
import { blocksOf, depthOf } from '../../domain/objects/clearance.ts'
import { partFrames, partOfLink } from '../../domain/objects/pose.ts'
import type { Solid } from './mjcf.ts'

/** Meters, over parts that do not hang on each other. */
export function restOverlap(robot: Robot, parts: readonly Solid[]): number {
  const frames = partFrames(robot)
  const hanging = new Set(
    robot.joints.flatMap(({ parent, child }) => {
      const [a, b] = [partOfLink(robot, parent), partOfLink(robot, child)]
      return [`${a}/${b}`, `${b}/${a}`]
    }),
  )
  const bodies = parts.flatMap((part) => {
    const frame = frames.get(part.name)
    return frame ? [{ name: part.name, blocks: blocksOf(part, frame) }] : []
  })
  let deepest = 0
  for (const [i, a] of bodies.entries()) {
    for (const b of bodies.slice(0, i)) {
      if (hanging.has(`${a.name}/${b.name}`)) continue
      for (const block of a.blocks) for (const other of b.blocks) deepest = Math.max(deepest, depthOf(block, other))
    }
  }
  return deepest
}
