/** Questions of the four numeric types. */
import type { SceneObject } from '../../../../world.ts'
import usual from '../builtin-names.json' with { type: 'json' }
import type { Draw } from './draw.ts'
import { evenWeights, nameWeights } from './names.ts'
import { oneDecimal, type Question } from './question.ts'
import { askableCategories, type Contents, gap, type QuestionScene, restsOn, uniqueObjects } from './scene.ts'

/** As in the benchmark, categories with one instance are not counted; larger groups cannot be counted reliably. */
const MIN_COUNT = 2
const MAX_COUNT = 12
/** In meters; below this, rounding to one decimal dominates the error. */
export const DISTANCES: Bins = { least: 0.4, most: 4, count: 6 }
/** In meters; things of many names have all of these sizes, and few have others. */
export const SIZES: Bins = { least: 0.4, most: 1.6, count: 4 }
/** In meters, of things whose names say nothing about their size. */
const MIN_SIZE = 0.2
const MAX_SIZE = 2.6

/** Steps of equal ratio into which values are divided; which one is asked for is drawn first. */
export interface Bins {
  least: number
  most: number
  count: number
}

const countWeight = nameWeights(usual.counts, (count) => count)
const sizeWeight = evenWeights(usual.sizes)
const distanceWeight = evenWeights(usual.distances)

const weightIn = ({ names }: QuestionScene, balanced: number): number => (names === 'balanced' ? balanced : 1)

/** One of the items, by weight; null if none has any. */
function weighted<T>(items: readonly T[], weightOf: (item: T) => number, { random }: Draw): T | null {
  const weights = items.map(weightOf)
  return weights.every((weight) => weight === 0) ? null : random.weighted(items, weights)
}

/** Names that give their number away are not asked about. */
export function countingQuestion(scene: QuestionScene, draw: Draw): Question | null {
  const weightOf = ([category, { length }]: [string, readonly SceneObject[]]): number =>
    weightIn(scene, countWeight(category, length))
  const chosen = weighted(countable(scene), weightOf, draw)
  if (chosen === null) return null
  const [category, group] = chosen
  return {
    type: 'object_counting',
    question: `How many ${category}(s) are in this ${placeName(scene)}?`,
    options: null,
    truth: String(group.length),
    about: { categories: [category] },
    things: group,
  }
}

export function countable(scene: Contents): [string, readonly SceneObject[]][] {
  return [...askableCategories(scene)].filter(([, group]) => group.length >= MIN_COUNT && group.length <= MAX_COUNT)
}

/** Distance between the closest points of two boxes, in meters. */
export function distanceQuestion(scene: QuestionScene, draw: Draw): Question | null {
  const bin = draw.stratum(DISTANCES.count)
  const pairs = draw.random.shuffle(measurablePairs(scene).filter(({ meters }) => binOf(meters, DISTANCES) === bin))
  const chosen = weighted(
    pairs,
    ({ pair: [a, b] }) => weightIn(scene, distanceWeight(a.category, bin) * distanceWeight(b.category, bin)),
    draw,
  )
  if (chosen === null) return null
  const [a, b] = draw.random.shuffle([...chosen.pair])
  return {
    type: 'object_abs_distance',
    question: `Measuring from the closest point of each object, what is the distance between the ${a!.category} and the ${b!.category} (in meters)?`,
    options: null,
    truth: oneDecimal(chosen.meters),
    about: { categories: [a!.category, b!.category] },
    things: [a!, b!],
  }
}

/** Two objects of a room, neither of which stands on the other. */
export function measurablePairs(scene: Contents): { pair: readonly [SceneObject, SceneObject]; meters: number }[] {
  const things = uniqueObjects(scene)
  return things.flatMap((a, i) =>
    things
      .slice(i + 1)
      .filter((b) => a.room === b.room && !restsOn(a, b))
      .map((b) => ({ pair: [a, b] as const, meters: gap(a, b) })),
  )
}

/** The longest side of the box, in centimeters. */
export function sizeQuestion(scene: QuestionScene, draw: Draw): Question | null {
  const drawn = draw.stratum(SIZES.count)
  const others = Array.from({ length: SIZES.count }, (_, bin) => bin).filter((bin) => bin !== drawn)
  const all = measurable(scene)
  for (const bin of [drawn, ...draw.random.shuffle(others)]) {
    const things = scene.names === 'any' ? all : all.filter((thing) => binOf(longestSide(thing), SIZES) === bin)
    const thing = weighted(things, ({ category }) => weightIn(scene, sizeWeight(category, bin)), draw)
    if (thing) return sizeOf(thing)
  }
  return null
}

function sizeOf(thing: SceneObject): Question {
  return {
    type: 'object_size_estimation',
    question: `What is the length of the longest dimension (length, width, or height) of the ${thing.category}, measured in centimeters?`,
    options: null,
    truth: String(Math.round(longestSide(thing) * 100)),
    about: { categories: [thing.category] },
    things: [thing],
  }
}

export function measurable(scene: Contents): SceneObject[] {
  return uniqueObjects(scene).filter((thing) => longestSide(thing) >= MIN_SIZE && longestSide(thing) <= MAX_SIZE)
}

export const longestSide = ({ box }: SceneObject): number => Math.max(...box.size)

/** Below 0 or from `count` on for a value that is in none. */
export function binOf(value: number, { least, most, count }: Bins): number {
  return Math.floor((Math.log(value / least) / Math.log(most / least)) * count)
}

export function roomSizeQuestion({ area }: QuestionScene): Question {
  return {
    type: 'room_size_estimation',
    question:
      'What is the size of this room (in square meters)? If multiple rooms are shown, estimate the size of the combined space.',
    options: null,
    truth: oneDecimal(area),
    about: { categories: [] },
    things: [],
  }
}

const placeName = ({ rooms }: QuestionScene): string => (rooms > 1 ? 'home' : 'room')
