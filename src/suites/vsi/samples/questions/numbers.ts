/** Questions of the four numeric types. */
import type { Random } from '../../../../suite.ts'
import { oneDecimal, type Question } from './question.ts'
import { askableCategories, gap, type QuestionScene, uniqueObjects } from './scene.ts'

/** As in the benchmark, categories with one instance are not counted; larger groups cannot be counted reliably. */
const MIN_COUNT = 2
const MAX_COUNT = 12
/** In meters; below this, rounding to one decimal dominates the error. */
const MIN_DISTANCE = 0.3
const MIN_SIZE = 0.2

/** Prefers larger groups, because most objects in furnished rooms come in pairs. */
export function countingQuestions(scene: QuestionScene, random: Random): Question[] {
  return [...askableCategories(scene)]
    .filter(([, group]) => group.length >= MIN_COUNT && group.length <= MAX_COUNT)
    .map((entry) => ({ entry, rank: random.unit() * (entry[1].length - 1) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ entry: [category, group] }) => ({
      type: 'object_counting',
      question: `How many ${category}(s) are in this room?`,
      options: null,
      truth: String(group.length),
      about: { categories: [category] },
      things: group,
    }))
}

/** Distances between the closest points of two boxes, in meters. */
export function distanceQuestions(scene: QuestionScene, random: Random): Question[] {
  const things = random.shuffle(uniqueObjects(scene))
  const made: Question[] = []
  for (const [i, a] of things.entries()) {
    for (const b of things.slice(i + 1)) {
      // Skips objects that stand on each other.
      if (a.room !== b.room || a.support === b.instance || b.support === a.instance) continue
      const meters = gap(a, b)
      if (meters < MIN_DISTANCE) continue
      made.push({
        type: 'object_abs_distance',
        question: `Measuring from the closest point of each object, what is the distance between the ${a.category} and the ${b.category} (in meters)?`,
        options: null,
        truth: oneDecimal(meters),
        about: { categories: [a.category, b.category] },
        things: [a, b],
      })
    }
  }
  return random.shuffle(made)
}

/** The longest side of the box, in centimeters. */
export function sizeQuestions(scene: QuestionScene, random: Random): Question[] {
  return random.shuffle(uniqueObjects(scene)).flatMap((thing) => {
    const longest = Math.max(...thing.box.size)
    if (longest < MIN_SIZE) return []
    return [
      {
        type: 'object_size_estimation' as const,
        question: `What is the length of the longest dimension (length, width, or height) of the ${thing.category}, measured in centimeters?`,
        options: null,
        truth: String(Math.round(longest * 100)),
        about: { categories: [thing.category] },
        things: [thing],
      },
    ]
  })
}

export function roomSizeQuestions({ area }: QuestionScene): Question[] {
  return [
    {
      type: 'room_size_estimation',
      question:
        'What is the size of this room (in square meters)? If multiple rooms are shown, estimate the size of the combined space.',
      options: null,
      truth: oneDecimal(area),
      about: { categories: [] },
      things: [],
    },
  ]
}
