/** Relative distance and relative direction. */
import { memoized } from '../../../../suite.ts'
import { cellCenter, type SceneObject } from '../../../../world.ts'
import type { DirectionType } from '../../domain/question-types.ts'
import usual from '../builtin-closest.json' with { type: 'json' }
import type { Draw } from './draw.ts'
import { type ClosestShares, closestShares } from './names.ts'
import { type Question, withLetters } from './question.ts'
import {
  askableCategories,
  gapToNearest,
  groupBy,
  type Placed,
  type QuestionScene,
  restsOn,
  standsOnFloor,
  uniqueObjects,
} from './scene.ts'
import { standingCells } from './standing.ts'

/** Minimum difference between the distances of two options, in meters; larger in large rooms. */
const DISTANCE_MARGIN = 0.15
const LARGE_ROOM_MARGIN = 0.3
/** In square meters. */
const LARGE_ROOM = 40
const OPTIONS = 4
/** Always added: an option with several instances is the closest more often, and adding it only for those would give that away. */
const MULTIPLE_INSTANCES = ' If there are multiple instances of an object category, measure to the closest.'
/** Sets of options tried. */
const SETS = 2000
/** Sets with an option that names make less likely than this are not asked about: most of them would be dropped. */
const LEAST_SHARE = 0.05

const sharesByName = closestShares(usual)

/** All that relative distances are drawn from. */
export interface Nearness {
  /** In meters: how much the distances of two options must differ. */
  margin: number
  from: readonly { reference: string; others: readonly (readonly [name: string, meters: number])[] }[]
}

/** Which things can be compared by how far they are from a single one. All questions of a scene share it. */
export const nearnessIn = memoized((scene: QuestionScene): Nearness => {
  const groups = [...askableCategories(scene)].filter(([, [first, ...rest]]) =>
    rest.every(({ room }) => room === first!.room),
  )
  return {
    margin: scene.area > LARGE_ROOM ? LARGE_ROOM_MARGIN : DISTANCE_MARGIN,
    from: uniqueObjects(scene).map((reference) => ({
      reference: reference.category,
      // In another room, or with one object on the other, the question makes no sense.
      others: groups
        .filter(
          ([category, group]) =>
            category !== reference.category &&
            group.every((thing) => thing.room === reference.room && !restsOn(thing, reference)),
        )
        .map(([category, group]) => [category, gapToNearest(reference, group)] as const),
    })),
  }
})

/** What a relative distance is asked about. */
export interface Compared {
  reference: string
  names: readonly string[]
  /** Position of the closest one. */
  right: number
}

/**
 * Drawn at random, and asked the less often the more names suggest the answer: a question whose right option is expected
 * twice as often as another one is kept half as often. So whatever the names are, each option is right alike.
 *
 * @param shares how likely each option is to be the closest, as far as names tell; null where nothing is known
 */
export function drawnComparison(
  { margin, from }: Nearness,
  random: Draw['random'],
  shares: ClosestShares | null,
): Compared | null {
  for (let i = 0; i < SETS && from.length > 0; i++) {
    const { reference, others } = random.pick(from)
    if (others.length < OPTIONS) continue
    const chosen = random.sample(others, OPTIONS)
    const far = chosen.map(([, meters]) => meters)
    const sorted = [...far].sort((a, b) => a - b)
    if (sorted.some((meters, k) => k > 0 && meters - sorted[k - 1]! < margin)) continue
    const right = far.indexOf(sorted[0]!)
    const names = chosen.map(([name]) => name)
    if (shares !== null) {
      const expected = shares(reference, names)
      const least = Math.min(...expected)
      if (least < LEAST_SHARE || !random.chance(least / expected[right]!)) continue
    }
    return { reference, names, right }
  }
  return null
}

export function relativeDistanceQuestion(scene: QuestionScene, { random }: Draw): Question | null {
  const drawn = drawnComparison(nearnessIn(scene), random, scene.names === 'balanced' ? sharesByName : null)
  if (drawn === null) return null
  const { reference, names, right } = drawn
  const { options, truth } = withLetters(
    names[right]!,
    names.filter((_, k) => k !== right),
    random,
  )
  const named = options.map((option) => option.slice(3))
  const groupOf = askableCategories(scene)
  return {
    type: 'object_rel_distance',
    question: `Measuring from the closest point of each object, which of these objects (${named.join(', ')}) is the closest to the ${reference}?${MULTIPLE_INSTANCES}`,
    options,
    truth,
    about: { categories: [reference, ...named] },
    things: [reference, ...names].flatMap((name) => groupOf.get(name)!),
  }
}

/** Minimum distance between any two of the three objects, in meters; closer ones have no clear direction. */
const MIN_APART = 0.8
/** Minimum distance of a bearing from the border between two answers, in degrees. */
const BEARING_MARGIN = 12
const BACK_FROM = 135

/**
 * Degrees counterclockwise from the direction `standing` → `faced` to the direction `standing` → `asked`, in
 * (−180, 180]: positive is left.
 */
export function bearing(standing: Placed, faced: Placed, asked: Placed): number {
  return bearingFrom([standing.box.center[0], standing.box.center[1]], faced, asked)
}

function bearingFrom([x, y]: readonly [number, number], faced: Placed, asked: Placed): number {
  const ahead = Math.atan2(faced.box.center[1] - y, faced.box.center[0] - x)
  const there = Math.atan2(asked.box.center[1] - y, asked.box.center[0] - x)
  const degrees = ((there - ahead) * 180) / Math.PI
  return degrees > 180 ? degrees - 360 : degrees <= -180 ? degrees + 360 : degrees
}

/** Borders between answers, in degrees to either side. */
const BORDERS: Readonly<Record<DirectionType, readonly number[]>> = {
  object_rel_direction_easy: [0, 180],
  object_rel_direction_medium: [0, BACK_FROM],
  object_rel_direction_hard: [0, 90, 180],
}

/** The answer of a level for a bearing; null if it is too close to a border. */
export function directionAnswer(type: DirectionType, degrees: number, margin = BEARING_MARGIN): string | null {
  const size = Math.abs(degrees)
  if (BORDERS[type].some((border) => Math.abs(size - border) < margin)) return null
  const hand = degrees > 0 ? 'left' : 'right'
  switch (type) {
    case 'object_rel_direction_easy':
      return hand
    case 'object_rel_direction_medium':
      return size >= BACK_FROM ? 'back' : hand
    case 'object_rel_direction_hard':
      return `${size < 90 ? 'front' : 'back'}-${hand}`
    default:
      return type satisfies never
  }
}

const DIRECTIONS: Readonly<Record<DirectionType, readonly string[]>> = {
  object_rel_direction_easy: ['left', 'right'],
  object_rel_direction_medium: ['left', 'right', 'back'],
  object_rel_direction_hard: ['front-left', 'front-right', 'back-left', 'back-right'],
}

function directionText(type: DirectionType, standing: string, faced: string, asked: string): string {
  const start = `If I am standing by the ${standing} and facing the ${faced}, is the ${asked} to`
  switch (type) {
    case 'object_rel_direction_easy':
      return `${start} the left or the right of the ${faced}?`
    case 'object_rel_direction_medium':
      return `${start} my left, right, or back? An object is to my back if I would have to turn at least 135 degrees in order to face it.`
    case 'object_rel_direction_hard':
      return `${start} my front-left, front-right, back-left, or back-right? The directions refer to the quadrants of a Cartesian plane (if I am standing at the origin and facing along the positive y-axis).`
    default:
      return type satisfies never
  }
}

interface Bearing {
  standing: SceneObject
  faced: SceneObject
  asked: SceneObject
  answer: string
}

/**
 * Draws the answer first, then three objects that have it: where one stands, what one faces and what is asked for. Each of
 * them, and each pair, goes with every answer alike, as far as the scene has such objects: no name gives the answer away.
 */
export function directionQuestion(
  type: DirectionType,
  scene: QuestionScene,
  { random, stratum }: Draw,
): Question | null {
  const pool = poolsOf(scene)(type)
  if (pool === null) return null
  const answers = DIRECTIONS[type]
  const right = answers[stratum(answers.length)]!
  const fitting = pool.filter(({ answer }) => answer === right)
  const { standing, faced, asked } = random.weighted(
    fitting,
    fitting.map(({ weight }) => weight),
  )
  const { options, truth } = withLetters(
    right,
    answers.filter((answer) => answer !== right),
    random,
  )
  return {
    type,
    question: directionText(type, standing.category, faced.category, asked.category),
    options,
    truth,
    about: { categories: [standing.category, faced.category, asked.category] },
    things: [standing, faced, asked],
  }
}

type Weighted = Bearing & { weight: number }

/** All questions of a scene share them. */
const poolsOf = memoized((scene: QuestionScene) => {
  const pools = new Map<DirectionType, readonly Weighted[] | null>()
  return (type: DirectionType): readonly Weighted[] | null => {
    if (!pools.has(type)) pools.set(type, poolOf(type, scene))
    return pools.get(type)!
  }
})

/**
 * What must not tell the answer: each object in its role, and each pair. Things that belong together stand together, so
 * facing one, the other is in front.
 */
const TELLING = [
  ['standing'],
  ['faced'],
  ['asked'],
  ['standing', 'faced'],
  ['standing', 'asked'],
  ['faced', 'asked'],
] as const
/** Rounds after which shares hardly change any more. */
const ROUNDS = 20

/**
 * Roles whose objects must go with every answer. By most objects nothing is ever behind one, and most are never behind; in
 * the medium level that alone would tell.
 */
const WITH_EVERY_ANSWER: Readonly<Record<DirectionType, readonly (keyof Bearing)[]>> = {
  object_rel_direction_easy: ['standing'],
  object_rel_direction_medium: ['standing', 'asked'],
  object_rel_direction_hard: ['standing'],
}

/** Without the objects that do not go with every answer, until none is left. */
function withEveryAnswer(type: DirectionType, all: readonly Bearing[]): readonly Bearing[] {
  const left = WITH_EVERY_ANSWER[type].reduce(
    (some, role) =>
      groupBy(some, (each) => each[role])
        .filter((group) => DIRECTIONS[type].every((answer) => group.some((each) => each.answer === answer)))
        .flat(),
    all,
  )
  return left.length === all.length ? left : withEveryAnswer(type, left)
}

/**
 * All that can be asked, weighted: objects and pairs that go with every answer in their roles are preferred to others, and
 * the answers of one role or pair of roles after the other are evened out, in turns (iterative proportional fitting). Null
 * if there is nothing to ask.
 */
function poolOf(type: DirectionType, scene: QuestionScene): readonly Weighted[] | null {
  const answers = DIRECTIONS[type]
  const pool = withEveryAnswer(type, bearings(type, scene)).map((each) => ({ ...each, weight: 1 }))
  if (pool.length === 0) return null
  const tables = TELLING.map((roles) =>
    groupBy(pool, (each) => roles.map((role) => each[role].instance).join()).map((group) =>
      groupBy(group, ({ answer }) => answer),
    ),
  )
  for (const byAnswer of tables.flat()) {
    const share = byAnswer.length / answers.length
    for (const each of byAnswer.flat()) each.weight *= share * share
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const byAnswer of tables.flat()) {
      const sums = byAnswer.map((group) => group.reduce((sum, { weight }) => sum + weight, 0))
      const even = sums.reduce((total, sum) => total + sum, 0) / sums.length
      byAnswer.forEach((group, k) => {
        for (const each of group) each.weight *= even / sums[k]!
      })
    }
  return pool
}

/** Every standing, faced and asked object of a scene with a clear answer. */
function bearings(type: DirectionType, scene: QuestionScene): Bearing[] {
  const things = uniqueObjects(scene)
  return things.filter(standsOnFloor).flatMap((standing) => {
    const others = things.filter((thing) => thing.room === standing.room && apart(standing, thing))
    const sides = standingCells(standing, scene.space).map((cell) => cellCenter(scene.space.grid, cell))
    if (sides.length === 0) return []
    return others.flatMap((faced) =>
      others.flatMap((asked) => {
        if (!apart(faced, asked)) return []
        const answer = directionAnswer(type, bearing(standing, faced, asked))
        // "By" an object can mean any side of it, so the answer must be the same from all sides.
        const clear =
          answer !== null && sides.every((at) => directionAnswer(type, bearingFrom(at, faced, asked), 0) === answer)
        return clear ? [{ standing, faced, asked, answer }] : []
      }),
    )
  })
}

const apart = (a: SceneObject, b: SceneObject): boolean => a !== b && planarDistance(a, b) >= MIN_APART

function planarDistance(a: SceneObject, b: SceneObject): number {
  return Math.hypot(a.box.center[0] - b.box.center[0], a.box.center[1] - b.box.center[1])
}
