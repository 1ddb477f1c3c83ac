/** Relative distance and relative direction. */
import type { Random } from '../../../../suite.ts'
import { cellCenter, type SceneObject } from '../../../../world.ts'
import type { DirectionType } from '../../domain/question-types.ts'
import { type Question, withLetters } from './question.ts'
import { askableCategories, gapToNearest, type QuestionScene, standsOnFloor, uniqueObjects } from './scene.ts'
import { standingCells } from './standing.ts'

/** Minimum difference between the distances of two options, in meters; larger in large rooms. */
const DISTANCE_MARGIN = 0.15
const LARGE_ROOM_MARGIN = 0.3
/** In square meters. */
const LARGE_ROOM = 40
const OPTIONS = 4
/** Added if an option has more than one instance. */
const MULTIPLE_INSTANCES = ' If there are multiple instances of an object category, measure to the closest.'
/** Sets of options tried per reference object. */
const TRIES = 6

export function relativeDistanceQuestions(scene: QuestionScene, random: Random): Question[] {
  const margin = scene.area > LARGE_ROOM ? LARGE_ROOM_MARGIN : DISTANCE_MARGIN
  const groups = askableCategories(scene)
  const made: Question[] = []
  for (const reference of random.shuffle(uniqueObjects(scene))) {
    const others = [...groups].filter(
      ([category, group]) =>
        category !== reference.category &&
        group.every((thing) => thing.room === reference.room && !restsOn(thing, reference)),
    )
    for (let i = 0; i < TRIES && others.length >= OPTIONS; i++) {
      const chosen = random
        .sample(others, OPTIONS)
        .map(([category, group]) => ({ category, group, distance: gapToNearest(reference, group) }))
        .sort((a, b) => a.distance - b.distance)
      if (chosen.some(({ distance }, k) => k > 0 && distance - chosen[k - 1]!.distance < margin)) continue
      const [nearest, ...wrong] = chosen
      const { options, truth } = withLetters(
        nearest!.category,
        wrong.map(({ category }) => category),
        random,
      )
      const named = options.map((option) => option.slice(3))
      const several = chosen.some(({ group }) => group.length > 1)
      made.push({
        type: 'object_rel_distance',
        question: `Measuring from the closest point of each object, which of these objects (${named.join(', ')}) is the closest to the ${reference.category}?${several ? MULTIPLE_INSTANCES : ''}`,
        options,
        truth,
        about: { categories: [reference.category, ...named] },
        things: [reference, ...chosen.flatMap(({ group }) => group)],
      })
      break
    }
  }
  return made
}

function restsOn(a: SceneObject, b: SceneObject): boolean {
  return a.support === b.instance || b.support === a.instance
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
export function bearing(standing: SceneObject, faced: SceneObject, asked: SceneObject): number {
  return bearingFrom([standing.box.center[0], standing.box.center[1]], faced, asked)
}

function bearingFrom([x, y]: readonly [number, number], faced: SceneObject, asked: SceneObject): number {
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

export function directionQuestions(type: DirectionType, scene: QuestionScene, random: Random): Question[] {
  const things = uniqueObjects(scene)
  const made: Question[] = []
  if (things.length < 3) return made
  const places = new Map(things.map((thing) => [thing, standingCells(thing, scene.space)]))
  for (let i = 0; i < 40 * TRIES; i++) {
    const [standing, faced, asked] = random.sample(things, 3) as [SceneObject, SceneObject, SceneObject]
    // A direction through a wall cannot be checked by looking.
    if (!standsOnFloor(standing) || faced.room !== standing.room || asked.room !== standing.room) continue
    const near = (a: SceneObject, b: SceneObject): boolean => planarDistance(a, b) < MIN_APART
    if (near(standing, faced) || near(standing, asked) || near(faced, asked)) continue
    const answer = directionAnswer(type, bearing(standing, faced, asked))
    if (answer === null) continue
    // "By" an object can mean any side of it, so the answer must be the same from all sides.
    const sides = places.get(standing)!.map((cell) => cellCenter(scene.space.grid, cell))
    if (sides.length === 0 || sides.some((at) => directionAnswer(type, bearingFrom(at, faced, asked), 0) !== answer))
      continue
    const { options, truth } = withLetters(
      answer,
      DIRECTIONS[type].filter((word) => word !== answer),
      random,
    )
    made.push({
      type,
      question: directionText(type, standing.category, faced.category, asked.category),
      options,
      truth,
      about: { categories: [standing.category, faced.category, asked.category] },
      things: [standing, faced, asked],
    })
  }
  return made
}

function planarDistance(a: SceneObject, b: SceneObject): number {
  return Math.hypot(a.box.center[0] - b.box.center[0], a.box.center[1] - b.box.center[1])
}
