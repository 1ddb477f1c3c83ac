/** A walk that sees a whole scene: from place to place, looking around at each. It depends on no question. */
import { type Move, NO_MOVE, type Pose, shortestPath } from '../../../world.ts'
import { headingOf } from './pose.ts'
import { MOVE_LIMITS } from './protocol.ts'
import type { Stage } from './scene/stage.ts'

const ARRIVAL_METERS = 0.35
/** Corners of the way are passed this closely, so that it is not cut short through furniture. */
const CORNER_METERS = 0.1
/** A step that gets no further than this has met something in the way. */
const STUCK_METERS = 0.05
/** Quarter turns that complete a look around, after the view on arrival. */
const TURNS = 3

export class Survey {
  readonly #stage: Pick<Stage, 'space' | 'viewpoints' | 'start'>
  #stops: (readonly [number, number])[] | null = null
  #goal: readonly [number, number] | null = null
  #turns = TURNS
  #walkedFrom: readonly [number, number] | null = null

  constructor(stage: Pick<Stage, 'space' | 'viewpoints' | 'start'>) {
    this.#stage = stage
  }

  /** The next move, or null at the end of the walk. */
  next(pose: Pose): Move | null {
    if (this.#turns > 0) {
      this.#turns -= 1
      return { ...NO_MOVE, turnDegrees: MOVE_LIMITS.turnDegrees }
    }
    const { space, viewpoints, start } = this.#stage
    const [x, y] = pose.position
    // The start needs no second look around.
    this.#stops ??= viewpoints().filter((stop) => distance(stop, start) > ARRIVAL_METERS)
    for (;;) {
      this.#goal ??= this.#nearestStop([x, y])
      if (this.#goal === null) return null
      const path = shortestPath(space, [x, y], this.#goal)
      const stuck = this.#walkedFrom !== null && distance(this.#walkedFrom, [x, y]) < STUCK_METERS
      this.#walkedFrom = null
      const arrived = distance(this.#goal, [x, y]) <= ARRIVAL_METERS
      const corner = path?.points.find((point) => distance(point, [x, y]) > CORNER_METERS)
      if (corner && !arrived && !stuck) {
        const move = moveToward(corner, pose)
        if (move.forwardMeters > STUCK_METERS) this.#walkedFrom = [x, y]
        return move
      }
      this.#goal = null
      if (path === undefined) continue
      this.#turns = TURNS - 1
      return { ...NO_MOVE, turnDegrees: MOVE_LIMITS.turnDegrees }
    }
  }

  #nearestStop(from: readonly [number, number]): readonly [number, number] | null {
    let best = -1
    let least = Infinity
    for (const [i, stop] of this.#stops!.entries()) {
      const meters = shortestPath(this.#stage.space, from, stop)?.length ?? Infinity
      if (best === -1 || meters < least) [best, least] = [i, meters]
    }
    return best === -1 ? null : this.#stops!.splice(best, 1)[0]!
  }
}

function distance([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]): number {
  return Math.hypot(ax - bx, ay - by)
}

/** Turns toward the goal, and walks as far as a step allows once it is ahead. */
function moveToward(goal: readonly [number, number], pose: Pose): Move {
  const [x, y] = pose.position
  const wanted = (Math.atan2(goal[1] - y, goal[0] - x) * 180) / Math.PI
  const off = ((((wanted - headingOf(pose)) % 360) + 540) % 360) - 180
  const turnDegrees = Math.max(-MOVE_LIMITS.turnDegrees, Math.min(MOVE_LIMITS.turnDegrees, off))
  const ahead = Math.abs(off) <= MOVE_LIMITS.turnDegrees
  const forwardMeters = ahead ? Math.min(MOVE_LIMITS.forwardMeters, distance(goal, [x, y])) : 0
  return { ...NO_MOVE, turnDegrees, forwardMeters }
}
