/** A step of the agent in a scene: what was asked for, what was done, where it led. */
import { type Move, moveThroughAll, type Pose, type Walker } from '../../../world.ts'
import type { Profile } from './protocol.ts'
import type { Bounds } from './bounds.ts'
import { clampMove } from './pose.ts'

export interface MoveResult {
  asked: Move
  done: Move
  /** More was asked for than a step allows. */
  limited: boolean
  /** Something stood in the way. */
  blocked: boolean
  stoppedBy: string | null
  pose: Pose
}

/** Turns first, then goes. The published agent goes through everything, without limits, and left is right. */
export function walk(
  pose: Pose,
  asked: Move,
  { walker, bounds }: { walker: Walker; bounds: Bounds },
  profile: Profile,
): MoveResult {
  if (profile === 'upstream') {
    const after = moveThroughAll(pose, asked, bounds, { mirrorLeft: true })
    return { asked, done: asked, limited: false, blocked: false, stoppedBy: null, pose: after }
  }
  const { move, limited } = clampMove(asked)
  const { done, blocked, stoppedBy, pose: after } = walker.move(pose, move)
  return { asked, done, limited, blocked, stoppedBy, pose: after }
}
