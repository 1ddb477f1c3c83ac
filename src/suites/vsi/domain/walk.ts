/** Moves the agent through a scene. */
import { type Move, moveThroughAll, type Pose, type Walker } from '../../../world.ts'
import type { Profile } from './protocol.ts'
import type { Bounds } from './bounds.ts'
import { clampMove } from './pose.ts'

export interface MoveResult {
  asked: Move
  done: Move
  /** The requested move exceeded the step limits. */
  limited: boolean
  /** An obstacle stopped the move. */
  blocked: boolean
  stoppedBy: string | null
  pose: Pose
}

/** Turns first, then walks. The published agent walks through everything, has no limits, and swaps left and right. */
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
