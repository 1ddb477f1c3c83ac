/** Routes that can be walked: straight legs between places by things, with turns left blank. */
import type { Random } from '../../../base/random.ts'
import { cellCenter, nearestWalkable, straightIsFree } from '../../../world/geometry/index.ts'
import type { SceneObject } from '../../../world/mesh.ts'
import { type Question, type Turn, withLetters } from './question.ts'
import { type QuestionScene, standsOnFloor, uniqueThings } from './scene.ts'

/** Someone by a thing stands within this of its middle, in metres. */
const BY = 1.5
const LEAST_LEG = 0.9
/** Degrees around a quarter turn, and around a half turn, that count as one. */
const QUARTER_WITHIN = 35
const HALF_WITHIN = 30
const TRIES = 300

interface Place {
  thing: SceneObject
  cell: number
  at: readonly [number, number]
}

/** The turn from one heading to another, both in degrees; null when it is none that can be named. */
export function turnBetween(from: number, to: number): Turn | null {
  const degrees = ((((to - from) % 360) + 540) % 360) - 180
  if (Math.abs(Math.abs(degrees) - 90) <= QUARTER_WITHIN) return degrees > 0 ? 'left' : 'right'
  return 180 - Math.abs(degrees) <= HALF_WITHIN ? 'back' : null
}

const heading = (from: readonly [number, number], to: readonly [number, number]): number =>
  (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI
const apart = (a: readonly [number, number], b: readonly [number, number]): number =>
  Math.hypot(a[0] - b[0], a[1] - b[1])

const flat = ({ box }: SceneObject): readonly [number, number] => [box.center[0], box.center[1]]

export function routeQuestions(scene: QuestionScene, random: Random): Question[] {
  const places = uniqueThings(scene)
    .filter(standsOnFloor)
    .flatMap((thing): Place[] => {
      const cell = nearestWalkable(scene.space, thing.box.center[0], thing.box.center[1], BY)
      return cell === -1 ? [] : [{ thing, cell, at: cellCenter(scene.space.grid, cell) }]
    })
  const made: Question[] = []
  if (places.length < 3) return made
  const leg = (a: Place, b: Place): boolean =>
    apart(a.at, b.at) >= LEAST_LEG && straightIsFree(scene.space, a.cell, b.cell)
  for (let i = 0; i < TRIES; i++) {
    const [start, via, end, faced] = random.sample(places, 4) as [Place, Place, Place, Place | undefined]
    if (!leg(start, via) || !leg(via, end) || apart(start.at, end.at) < LEAST_LEG) continue
    const out = heading(start.at, via.at)
    const second = turnBetween(out, heading(via.at, end.at))
    if (second === null) continue
    // What is in another room cannot be faced.
    const aims =
      faced !== undefined && faced.thing.room === start.thing.room && apart(start.at, flat(faced.thing)) >= LEAST_LEG
    const first = aims ? turnBetween(heading(start.at, flat(faced.thing)), out) : null
    made.push(
      first === null
        ? routeQuestion(start, via, via, end, [second], random)
        : routeQuestion(start, faced!, via, end, [first, second], random),
    )
  }
  return made
}

const TURNS: readonly Turn[] = ['back', 'left', 'right']
const WORDS: Readonly<Record<Turn, string>> = { back: 'Turn Back', left: 'Turn Left', right: 'Turn Right' }
const words = (turns: readonly Turn[]): string => turns.map((turn) => WORDS[turn]).join(', ')

function routeQuestion(
  start: Place,
  faced: Place,
  via: Place,
  end: Place,
  turns: readonly Turn[],
  random: Random,
): Question {
  const blank = '[please fill in]'
  const actions = [
    ...(turns.length === 2 ? [blank] : []),
    `Go forward until the ${via.thing.category}`,
    blank,
    `Go forward until the ${end.thing.category}`,
  ]
  const all: Turn[][] =
    turns.length === 1 ? TURNS.map((turn) => [turn]) : TURNS.flatMap((a) => TURNS.map((b) => [a, b]))
  const right = words(turns)
  const wrong = all.map(words).filter((text) => text !== right)
  const { options, truth } = withLetters(right, turns.length === 1 ? wrong : random.sample(wrong, 3), random)
  const spelt = new Map(all.map((each) => [words(each), each]))
  const things = [...new Set([start.thing, faced.thing, via.thing, end.thing])]
  return {
    type: 'route_planning',
    question: `You are a robot beginning at the ${start.thing.category} facing the ${faced.thing.category}. You want to navigate to the ${end.thing.category}. You will perform the following actions (Note: for each ${blank}, choose either 'turn back,' 'turn left,' or 'turn right.'): ${actions.map((action, i) => `${i + 1}. ${action}`).join(' ')}. You have reached the final destination.`,
    options,
    truth,
    about: {
      categories: [start.thing.category, faced.thing.category, via.thing.category, end.thing.category],
      turns: options.map((option) => spelt.get(option.slice(3))!),
    },
    things,
  }
}
