/** Generates the questions of built-in scenes. */
import { Random, UserError } from '../../../suite.ts'
import type { SceneKind } from '../../../world.ts'
import { LEVELS, type Level } from '../domain/levels.ts'
import { QUESTION_TYPES, type QuestionType } from '../domain/question-types.ts'
import { builtScene } from '../domain/scene/built.ts'
import type { BuiltinOrigin, SceneKnobs } from '../domain/scene/origin.ts'
import { askedIn, type AskedKnobs } from './asked.ts'
import { questionScene, toSample } from './known-questions.ts'
import {
  type Draw,
  isSameQuestion,
  type Question,
  questionOf,
  type QuestionScene,
  stratified,
  unstratified,
} from './questions/index.ts'
import type { VsiSample } from './sample.ts'

/** Raised when a seed shall give other rooms; that other questions are asked about them, the version of the suite says. */
export const GENERATOR = 'vsi-builtin-4'
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
  /** Which things are asked about; all where absent. */
  asked?: AskedKnobs
  /** Rounds of questions of all types. Default 1. */
  questions?: number
}

/**
 * The ten questions of a scene: one of each type if possible. All are answerable from the default images. In further rounds,
 * null in place of questions that the scene does not have.
 */
export function makeSamples(request: SceneRequest): (VsiSample | null)[] {
  const { seed, index, look, level, knobs, asked = {}, questions: rounds = 1 } = request
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
    const built = builtScene(origin)
    const scene = questionScene(built, 'balanced')
    const ask = asking(scene, Object.keys(asked).length > 0 ? askedIn(built, scene, asked) : () => true)
    const key = `${GENERATOR}/${seed}`
    const first = firstRound(ask, random.fork(`questions/${attempt}`), key, index)
    if (first === null) continue
    const questions = furtherRounds(ask, first, rounds, key, index)
    const cluster = clusterName(seed, index)
    const labels = { scene: kind, level }
    return questions.map((question, slot) =>
      question === null ? null : toSample(question, `${cluster}-${slot}`, cluster, origin, labels, scene),
    )
  }
  throw new UserError(`No scene with ten questions found in ${MAX_ATTEMPTS} tries (scene ${index} of seed ${seed}).`, {
    hint: 'Too few things may be left to ask about: set distance and occlusion lower, or objects and clutter higher.',
  })
}

/** A question that is not one to ask is drawn again, this often. */
const TRIES = 8

type Ask = (type: QuestionType, draw: Draw, chosen: readonly (Question | null)[]) => Question | null

/** A question that is not among those already chosen. */
function asking(scene: QuestionScene, isAsked: (question: Question) => boolean): Ask {
  return (type, draw, chosen) => {
    for (let i = 0; i < TRIES; i++) {
      const made = questionOf(type, scene, draw)
      if (made === null) return null
      if (isAsked(made) && chosen.every((other) => other === null || !isSameQuestion(other, made))) return made
    }
    return null
  }
}

function firstRound(ask: Ask, random: Random, key: string, index: number): Question[] | null {
  const chosen: Question[] = []
  for (const type of QUESTION_TYPES) {
    const question =
      ask(type, stratified(`${key}/${type}`, index, random.fork(type)), chosen) ??
      firstOf(random.shuffle([...SUBSTITUTES]), (other) =>
        ask(other, unstratified(random.fork(`${type}/${other}`)), chosen),
      )
    if (question === null) return null
    chosen.push(question)
  }
  return chosen
}

/** Adds rounds; null where the scene has no further question of a type. */
function furtherRounds(
  ask: Ask,
  first: readonly Question[],
  rounds: number,
  key: string,
  index: number,
): (Question | null)[] {
  const chosen: (Question | null)[] = [...first]
  for (let round = 1; round < rounds; round++) {
    for (const type of QUESTION_TYPES) {
      const own = `${key}/${type}/${round}`
      chosen.push(ask(type, stratified(own, index, new Random(`${own}/${index}`)), chosen))
    }
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
