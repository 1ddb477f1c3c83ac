/** Questions of the four numeric types. */
import type { SceneObject } from '../../../../world.ts'
import type { Draw } from './draw.ts'
import { nameWeights } from './names.ts'
import { oneDecimal, type Question } from './question.ts'
import { askableCategories, type Contents, gap, type QuestionScene, uniqueObjects } from './scene.ts'

/** As in the benchmark, categories with one instance are not counted; larger groups cannot be counted reliably. */
const MIN_COUNT = 2
const MAX_COUNT = 12
/** In meters; below this, rounding to one decimal dominates the error. */
const MIN_DISTANCE = 0.4
const MAX_DISTANCE = 4
/** In meters. */
const MIN_SIZE = 0.2
const MAX_SIZE = 2.6
/** Steps of equal ratio into which distances and sizes are divided; which one is asked for is drawn first. */
const BINS = 6

const countWeight = nameWeights('counts', (count) => count)
const sizeWeight = nameWeights('sizes', (meters) => binOf(meters, MIN_SIZE, MAX_SIZE))

const weightIn = ({ names }: QuestionScene, balanced: number): number => (names === 'balanced' ? balanced : 1)

/** Names that give their number away are not asked about. */
export function countingQuestion(scene: QuestionScene, { random }: Draw): Question | null {
  const groups = countable(scene)
  const weights = groups.map(([category, { length }]) => weightIn(scene, countWeight(category, length)))
  if (weights.every((weight) => weight === 0)) return null
  const [category, group] = random.weighted(groups, weights)
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
export function distanceQuestion(scene: QuestionScene, { random, stratum }: Draw): Question | null {
  const bin = stratum(BINS)
  const things = random.shuffle(uniqueObjects(scene))
  for (const [i, a] of things.entries()) {
    for (const b of things.slice(i + 1)) {
      // Skips objects that stand on each other.
      if (a.room !== b.room || a.support === b.instance || b.support === a.instance) continue
      const meters = gap(a, b)
      if (binOf(meters, MIN_DISTANCE, MAX_DISTANCE) !== bin) continue
      return {
        type: 'object_abs_distance',
        question: `Measuring from the closest point of each object, what is the distance between the ${a.category} and the ${b.category} (in meters)?`,
        options: null,
        truth: oneDecimal(meters),
        about: { categories: [a.category, b.category] },
        things: [a, b],
      }
    }
  }
  return null
}

/** The longest side of the box, in centimeters. */
export function sizeQuestion(scene: QuestionScene, { random }: Draw): Question | null {
  const things = measurable(scene)
  const weights = things.map((thing) => weightIn(scene, sizeWeight(thing.category, longestSide(thing))))
  if (weights.every((weight) => weight === 0)) return null
  const thing = random.weighted(things, weights)
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

function binOf(value: number, least: number, most: number): number {
  return Math.floor((Math.log(value / least) / Math.log(most / least)) * BINS)
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
