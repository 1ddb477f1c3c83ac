/** Mental rotation: in which order do objects pass during a full turn? */
import type { Random } from '../../../../suite.ts'
import { bearingDegrees } from '../../domain/grid/relations.ts'
import { NORTH, type Scene } from '../../domain/grid/scene.ts'
import type { Profile } from '../../domain/profile.ts'
import { questionText } from './draw.ts'
import type { OrderAnswer } from '../../domain/answers/question.ts'
import { task } from './task.ts'

const MIN_OBJECTS = 3
const MAX_OBJECTS = 5
/** Minimum angle between objects, in degrees; uses the widest that leaves enough objects. */
const SEPARATIONS = [30, 15, 7.5, 1] as const
const TRIES = 5
/** Objects this close to straight ahead, in degrees, are visible before the turn starts. */
const AHEAD_TOLERANCE = 1e-3

interface Bearing {
  name: string
  /** Turn until it is straight ahead, in degrees. */
  angle: number
  square: number
}

export const rot = task('rot', (scene, random, profile) => {
  const turn = random.pick(['clockwise', 'counterclockwise'] as const)
  const passing = pass(scene, turn)
  for (const separation of SEPARATIONS) {
    for (let i = 0; i < TRIES; i++) {
      const apart = keepApart(random.shuffle([...passing]), separation, profile)
      if (apart.length < MIN_OBJECTS) continue
      const order = choose(apart, random, profile)
      return {
        text: questionText('rot', profile, { turn_direction: turn, object_pool: order.toSorted().join(', ') }),
        answer: { form: 'order', turn, order },
      }
    }
  }
  return null
})

function pass({ objects, start }: Scene, turn: OrderAnswer['turn']): Bearing[] {
  return objects.flatMap(({ name, pos }) => {
    const [dx, dy] = [pos[0] - start.pos[0], pos[1] - start.pos[1]]
    if (dx === 0 && dy === 0) return []
    const clockwise = (bearingDegrees(start.pos, NORTH, pos) + 360) % 360
    const angle = turn === 'clockwise' ? clockwise : (360 - clockwise) % 360
    if (Math.min(angle, 360 - angle) < AHEAD_TOLERANCE) return []
    return [{ name, angle, square: dx * dx + dy * dy }]
  })
}

/** The published code treats 359° and 1° as far apart. */
function keepApart(bearings: readonly Bearing[], separation: number, profile: Profile): Bearing[] {
  const kept: Bearing[] = []
  for (const bearing of bearings) {
    const clear = kept.every(({ angle }) => {
      const apart = Math.abs(angle - bearing.angle)
      return (profile === 'upstream' ? apart : Math.min(apart, 360 - apart)) > separation
    })
    if (clear) kept.push(bearing)
  }
  return kept
}

/** The published code keeps the objects that pass first, so it rarely asks for later ones. */
function choose(apart: readonly Bearing[], random: Random, profile: Profile): string[] {
  const count = random.between(MIN_OBJECTS, Math.min(MAX_OBJECTS, apart.length))
  const chosen = profile === 'upstream' ? apart : random.sample(apart, count)
  return chosen
    .toSorted((a, b) => a.angle - b.angle || a.square - b.square)
    .slice(0, count)
    .map(({ name }) => name)
}
