/** Generates the questions of built-in scenes. */
import { Random } from '../../../suite.ts'
import type { SceneKind } from '../../../world.ts'
import { LEVELS, type Level } from '../domain/levels.ts'
import { QUESTION_TYPES, type QuestionType } from '../domain/question-types.ts'
import { builtScene } from '../domain/scene/built.ts'
import type { BuiltinOrigin, SceneKnobs } from '../domain/scene/origin.ts'
import { questionScene, toSample } from './known-questions.ts'
import {
  isSameQuestion,
  type Question,
  questionOf,
  type QuestionScene,
  stratified,
  unstratified,
} from './questions/index.ts'
import type { VsiSample } from './sample.ts'

/** Raised whenever the same seed gives different questions. */
export const GENERATOR = 'vsi-builtin-3'
/** Rooms with many different objects occur more often. */
export const KINDS: readonly SceneKind[] = [
  'living room',
  'living room',
  'bedroom',
  'bedroom',
  'kitchen',
  'office',
  'class room',
  'workshop',
  'flat',
  'flat',
  'bathroom',
  'corridor',
]
/** Replacements for types that a scene has no question of; never appearance order, which needs a video. */
const SUBSTITUTES: readonly QuestionType[] = [
  'object_rel_distance',
  'object_abs_distance',
  'object_rel_direction_hard',
  'object_size_estimation',
  'object_rel_direction_easy',
]
const MAX_ATTEMPTS = 20

export function clusterName(seed: number, index: number): string {
  return `builtin-${seed}-${String(index).padStart(4, '0')}`
}

/** A scene of the source, by its number. */
export interface SceneRequest {
  seed: number
  index: number
  look: BuiltinOrigin['look']
  level: Level
  /** Given by the user, instead of those of the level. */
  knobs: SceneKnobs
}

/** The ten questions of a scene: one of each type if possible. All are answerable from the default images. */
export function makeSamples({ seed, index, look, level, knobs }: SceneRequest): VsiSample[] {
  const random = new Random(`${GENERATOR}/${seed}/${index}`)
  const shape = { ...LEVELS[level], ...knobs }
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const kind = random.pick(KINDS)
    const { rooms: _, ...ofRooms } = shape
    const origin: BuiltinOrigin = {
      kind: 'builtin',
      scene: kind,
      seed: random.int(2 ** 31 - 1),
      look,
      // Only a flat has rooms to count.
      ...(kind === 'flat' ? shape : ofRooms),
    }
    const scene = questionScene(builtScene(origin), 'balanced')
    const questions = chooseQuestions(scene, random.fork(`questions/${attempt}`), `${GENERATOR}/${seed}`, index)
    if (questions === null) continue
    const cluster = clusterName(seed, index)
    const labels = { scene: kind, level }
    return questions.map((question, slot) => toSample(question, `${cluster}-${slot}`, cluster, origin, labels, scene))
  }
  throw new Error(`No scene with enough questions found for ${seed}/${index}.`)
}

function chooseQuestions(scene: QuestionScene, random: Random, key: string, index: number): Question[] | null {
  const chosen: Question[] = []
  const isNew = (question: Question): boolean => !chosen.some((other) => isSameQuestion(other, question))
  for (const type of QUESTION_TYPES) {
    const own = questionOf(type, scene, stratified(`${key}/${type}`, index, random.fork(type)))
    const question =
      own ??
      firstOf(random.shuffle([...SUBSTITUTES]), (other) => {
        const made = questionOf(other, scene, unstratified(random.fork(`${type}/${other}`)))
        return made !== null && isNew(made) ? made : null
      })
    if (question === null) return null
    chosen.push(question)
  }
  return chosen
}

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | null): R | null {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}
