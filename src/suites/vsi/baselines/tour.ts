/** Walks a covering path, remembers the objects it has seen, and answers from their positions. */
import type { Random } from '../../../suite.ts'
import { type Move, NO_MOVE, type SceneObject, shortestPath } from '../../../world.ts'
import { MOVE_LIMITS } from '../domain/protocol.ts'
import { headingOf } from '../domain/pose.ts'
import type { VsiSample } from '../samples/sample.ts'
import type { BaselineInput } from '../play/baseline-input.ts'
import { headingTo, centerOf, turnBetween } from '../samples/questions/route.ts'
import { bearing, directionAnswer } from '../samples/questions/relative.ts'
import { gap, gapToNearest } from '../samples/questions/scene.ts'
import { oneDecimal } from '../samples/questions/question.ts'
import { lettersOf, optionText } from '../samples/sample.ts'
import type { Stage } from '../domain/scene/stage.ts'
import { isDirectionType } from '../domain/question-types.ts'

type StepInput = Extract<BaselineInput, { ask: 'step' }>

/** An object counts as seen from this many pixels on. */
const SEEN_PIXELS = 150
const ARRIVAL_METERS = 0.35

export class TourPlayer {
  readonly #sample: VsiSample
  readonly #random: Random
  readonly #seen = new Set<number>()
  #stage: Stage | null = null
  #stops: (readonly [number, number])[] | null = null
  /** Quarter turns left at this stop. */
  #turns = 3

  constructor(sample: VsiSample, random: Random) {
    this.#sample = sample
    this.#random = random
  }

  /** The next move, or null at the end of the tour. */
  next({ pose, stage, seen }: StepInput): Move | null {
    this.#stage = stage
    for (const { instance, pixels } of seen()) if (pixels >= SEEN_PIXELS) this.#seen.add(instance)
    if (this.#turns > 0) {
      this.#turns -= 1
      return { ...NO_MOVE, turnDegrees: MOVE_LIMITS.turnDegrees }
    }
    this.#stops ??= [...stage.viewpoints()]
    const [x, y] = pose.position
    for (let stop = this.#stops[0]; stop !== undefined; stop = this.#stops[0]) {
      const path = shortestPath(stage.space, [x, y], stop)
      const goal = path?.points.find((point) => Math.hypot(point[0] - x, point[1] - y) > ARRIVAL_METERS)
      if (!goal) {
        const arrived = path !== undefined
        this.#stops.shift()
        // The start needs no second look around.
        if (arrived && Math.hypot(stop[0] - stage.start[0], stop[1] - stage.start[1]) > ARRIVAL_METERS) {
          this.#turns = 2
          return { ...NO_MOVE, turnDegrees: MOVE_LIMITS.turnDegrees }
        }
        continue
      }
      return moveToward(goal, pose.position, headingOf(pose))
    }
    return null
  }

  answer(): string {
    const { about, frequent, options } = this.#sample
    const stage = this.#stage
    const known =
      stage === null || about === null
        ? null
        : this.#fromSeen(
            stage.objects.filter(({ instance }) => this.#seen.has(instance)),
            stage,
          )
    if (known !== null) return known
    return options === null ? frequent : this.#random.pick(lettersOf(options))
  }

  #fromSeen(objects: readonly SceneObject[], stage: Stage): string | null {
    const { type, about, options } = this.#sample
    const groups = about!.categories.map((name) => objects.filter(({ category }) => category === name))
    const [a, b, c, d] = groups.map((group) => group[0])
    const letterOf = (text: string | null): string | null => {
      const at = text === null ? -1 : (options ?? []).findIndex((option) => optionText(option) === text)
      return at < 0 ? null : String.fromCharCode(65 + at)
    }
    if (isDirectionType(type)) return a && b && c ? letterOf(directionAnswer(type, bearing(a, b, c))) : null
    switch (type) {
      case 'object_counting':
        return groups[0]!.length > 0 ? String(groups[0]!.length) : null
      case 'object_abs_distance':
        return a && b ? oneDecimal(gap(a, b)) : null
      case 'object_size_estimation':
        return a ? String(Math.round(Math.max(...a.box.size) * 100)) : null
      case 'room_size_estimation':
        return oneDecimal(floorArea(stage))
      case 'object_rel_distance': {
        if (!a) return null
        const far = groups.slice(1).map((group) => (group.length === 0 ? Infinity : gapToNearest(a, group)))
        const nearest = Math.min(...far)
        return Number.isFinite(nearest) ? letterOf(about!.categories[1 + far.indexOf(nearest)]!) : null
      }
      case 'route_planning':
        return a && b && c && d ? this.#route([a, b, c, d]) : null
      case 'obj_appearance_order':
        return null
      default:
        return type satisfies never
    }
  }

  #route([start, faced, via, end]: readonly [SceneObject, SceneObject, SceneObject, SceneObject]): string | null {
    const [p, f, q, r] = [centerOf(start), centerOf(faced), centerOf(via), centerOf(end)]
    const out = headingTo(p, q)
    const second = turnBetween(out, headingTo(q, r))
    const first = faced === via ? null : turnBetween(headingTo(p, f), out)
    const wanted = first === null ? [second] : [first, second]
    const at = this.#sample.about!.turns?.findIndex((turns) => turns.join() === wanted.join()) ?? -1
    return at < 0 ? null : String.fromCharCode(65 + at)
  }
}

/** Turns toward the goal, and walks as far as a step allows once it is ahead. */
function moveToward(goal: readonly [number, number], [x, y]: readonly [number, number, number], heading: number): Move {
  const wanted = (Math.atan2(goal[1] - y, goal[0] - x) * 180) / Math.PI
  const off = ((((wanted - heading) % 360) + 540) % 360) - 180
  const turnDegrees = Math.max(-MOVE_LIMITS.turnDegrees, Math.min(MOVE_LIMITS.turnDegrees, off))
  const ahead = Math.abs(off) <= MOVE_LIMITS.turnDegrees
  const forwardMeters = ahead ? Math.min(MOVE_LIMITS.forwardMeters, Math.hypot(goal[0] - x, goal[1] - y)) : 0
  return { ...NO_MOVE, turnDegrees, forwardMeters }
}

/** Area of the cells with floor below them, in square meters. */
function floorArea({ space }: Stage): number {
  let cells = 0
  for (const supported of space.supported) cells += supported
  return cells * space.grid.cell ** 2
}
