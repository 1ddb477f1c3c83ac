/** Moves the agent through a scene. */
import { type Move, moveThroughAll, NO_MOVE, type Pose, type Vec3, type Walker } from '../../../world.ts'
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
  collisions = true,
): MoveResult {
  if (profile === 'upstream') {
    const after = moveThroughAll(pose, asked, bounds, { mirrorLeft: true })
    return {
      asked,
      done: moveBetween(pose, after, asked),
      limited: false,
      blocked: false,
      stoppedBy: null,
      pose: after,
    }
  }
  const { move, limited } = clampMove(asked)
  if (!collisions) {
    const after = moveLevel(pose, move, bounds)
    return { asked, done: moveBetween(pose, after, move), limited, blocked: false, stoppedBy: null, pose: after }
  }
  const { done, blocked, stoppedBy, pose: after } = walker.move(pose, move)
  return { asked, done, limited, blocked, stoppedBy, pose: after }
}

/** Moves through anything, level even if the camera is tilted. */
function moveLevel(pose: Pose, move: Move, bounds: Bounds): Pose {
  const level: Pose = { ...pose, forward: [0 - pose.right[1], pose.right[0], 0] }
  const { position } = moveThroughAll(level, move, bounds)
  return { ...moveThroughAll(pose, { ...NO_MOVE, turnDegrees: move.turnDegrees }), position }
}

/** The move that was made: the bounds may have cut it short, and its left is the true left. */
function moveBetween(before: Pose, after: Pose, { turnDegrees }: Move): Move {
  const way = [0, 1, 2].map((axis) => after.position[axis]! - before.position[axis]!)
  const along = ([x, y]: Vec3): number => way[0]! * x + way[1]! * y
  return { turnDegrees, forwardMeters: along(after.forward), leftMeters: -along(after.right), upMeters: way[2]! }
}
