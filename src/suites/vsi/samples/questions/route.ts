/** Walkable routes: straight legs between objects, with the turns left blank. */
import type { Random } from '../../../../suite.ts'
import { cellCenter, type FreeSpace, type SceneObject, straightIsFree } from '../../../../world.ts'
import type { Turn } from '../../domain/question.ts'
import type { Draw } from './draw.ts'
import { type Question, withLetters } from './question.ts'
import { groupBy, type QuestionScene, standsOnFloor, uniqueObjects } from './scene.ts'
import { standingCells } from './standing.ts'

const MIN_LEG = 1
/** Combinations of standing positions tried per route. */
const MAX_WALKS = 24
/** Tolerance in degrees of a quarter turn and of a half turn. */
const QUARTER_WITHIN = 35
const HALF_WITHIN = 30

const TURNS: readonly Turn[] = ['back', 'left', 'right']

type Point = readonly [number, number]

/** An object and the cells next to it where one can stand. */
interface Landmark {
  thing: SceneObject
  middle: Point
  cells: readonly number[]
}

/** The turn between two headings in degrees; null if it is not clearly left, right or back. */
export function turnBetween(from: number, to: number): Turn | null {
  const degrees = ((((to - from) % 360) + 540) % 360) - 180
  if (Math.abs(Math.abs(degrees) - 90) <= QUARTER_WITHIN) return degrees > 0 ? 'left' : 'right'
  return 180 - Math.abs(degrees) <= HALF_WITHIN ? 'back' : null
}

/** Degrees counterclockwise from +x. */
export function headingTo(from: Point, to: Point): number {
  return (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI
}

const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1])
export const centerOf = ({ box }: SceneObject): Point => [box.center[0], box.center[1]]

interface Route {
  start: Landmark
  via: Landmark
  end: Landmark
  turn: Turn
  /** Objects that one can face at the start, with the turn from there. */
  faced: readonly { place: Landmark; turn: Turn }[]
}

/**
 * Draws the turns first, then a route with them, in scenes that have a route for every turn; if possible from a first leg
 * that all turns can follow.
 */
export function routeQuestion(scene: QuestionScene, { random, stratum }: Draw): Question | null {
  // Half of the questions have two blanks.
  const drawn = stratum(2 * TURNS.length ** 2)
  const second = TURNS[drawn % TURNS.length]!
  const first = drawn < TURNS.length ** 2 ? TURNS[Math.floor(drawn / TURNS.length)]! : null
  const all = routes(scene, random).filter(
    ({ faced }) => first === null || TURNS.every((turn) => faced.some((each) => each.turn === turn)),
  )
  const balanced = (pool: readonly Route[]): boolean => TURNS.every((turn) => pool.some((route) => route.turn === turn))
  const legs = groupBy(all, ({ start, via }) => `${start.thing.instance}/${via.thing.instance}`).filter(balanced)
  const pool = legs.length > 0 ? random.pick(legs) : balanced(all) ? all : null
  if (pool === null) return null
  const { start, via, end, faced } = random.pick(pool.filter(({ turn }) => turn === second))
  if (first === null) return asQuestion(start, via, via, end, [second], random)
  const { place } = random.pick(faced.filter(({ turn }) => turn === first))
  return asQuestion(start, place, via, end, [first, second], random)
}

/** All walkable routes of two legs. */
function routes(scene: QuestionScene, random: Random): Route[] {
  const places: Landmark[] = uniqueObjects(scene)
    .filter(standsOnFloor)
    .map((thing) => ({ thing, middle: centerOf(thing), cells: standingCells(thing, scene.space) }))
    .filter(({ cells }) => cells.length > 0)
  const far = (a: Landmark, b: Landmark): boolean =>
    a !== b && a.thing.room === b.thing.room && distance(a.middle, b.middle) >= MIN_LEG
  return places.flatMap((start) =>
    places.flatMap((via) => {
      if (!far(start, via)) return []
      const out = headingTo(start.middle, via.middle)
      return places.flatMap((end) => {
        if (!far(via, end) || !far(start, end)) return []
        const turn = turnBetween(out, headingTo(via.middle, end.middle))
        if (turn === null || !isWalkable(scene.space, start, via, end, turn, random)) return []
        const faced = places.flatMap((place) => {
          const made =
            place !== via && place !== end && far(start, place)
              ? turnBetween(headingTo(start.middle, place.middle), out)
              : null
          return made === null ? [] : [{ place, turn: made }]
        })
        return [{ start, via, end, turn, faced }]
      })
    }),
  )
}

/** Whether both legs can be walked straight from somewhere next to each object, with the same turn in between. */
function isWalkable(
  space: FreeSpace,
  start: Landmark,
  via: Landmark,
  end: Landmark,
  turn: Turn,
  random: Random,
): boolean {
  for (let i = 0; i < MAX_WALKS; i++) {
    const [p, q, r] = [random.pick(start.cells), random.pick(via.cells), random.pick(end.cells)]
    const [a, b, c] = [cellCenter(space.grid, p), cellCenter(space.grid, q), cellCenter(space.grid, r)]
    if (distance(a, b) < MIN_LEG / 2 || distance(b, c) < MIN_LEG / 2) continue
    if (turnBetween(headingTo(a, b), headingTo(b, c)) !== turn) continue
    if (straightIsFree(space, p, q) && straightIsFree(space, q, r)) return true
  }
  return false
}

const TURN_TEXT: Readonly<Record<Turn, string>> = { back: 'Turn Back', left: 'Turn Left', right: 'Turn Right' }
const turnsText = (turns: readonly Turn[]): string => turns.map((turn) => TURN_TEXT[turn]).join(', ')

function asQuestion(
  start: Landmark,
  faced: Landmark,
  via: Landmark,
  end: Landmark,
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
  const right = turnsText(turns)
  const wrong = all.map(turnsText).filter((text) => text !== right)
  const { options, truth } = withLetters(right, turns.length === 1 ? wrong : random.sample(wrong, 3), random)
  const turnsByText = new Map(all.map((each) => [turnsText(each), each]))
  const things = [...new Set([start.thing, faced.thing, via.thing, end.thing])]
  return {
    type: 'route_planning',
    question: `You are a robot beginning at the ${start.thing.category} facing the ${faced.thing.category}. You want to navigate to the ${end.thing.category}. You will perform the following actions (Note: for each ${blank}, choose either 'turn back,' 'turn left,' or 'turn right.'): ${actions.map((action, i) => `${i + 1}. ${action}`).join(' ')}. You have reached the final destination.`,
    options,
    truth,
    about: {
      categories: [start.thing.category, faced.thing.category, via.thing.category, end.thing.category],
      turns: options.map((option) => turnsByText.get(option.slice(3))!),
    },
    things,
  }
}
