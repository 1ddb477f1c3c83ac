/** Generates the questions of a user's own scene. */
import { Random } from '../../../suite.ts'
import { QUESTION_TYPES, type QuestionType } from '../domain/question-types.ts'
import { ownScene } from '../domain/scene/own.ts'
import type { OwnOrigin } from '../domain/scene/origin.ts'
import { questionScene, toSample } from './known-questions.ts'
import { isSameQuestion, type Question, questionOf, stratified } from './questions/index.ts'
import type { VsiSample } from './sample.ts'

/** Raised whenever the same scene gives different questions. */
export const OWN_GENERATOR = 'vsi-scenes-1'
/** A repeated question is drawn again, this often. */
const TRIES = 5

export interface OwnRequest {
  folder: string
  name: string
  /** The name by which samples know the source. */
  source: string
  seed: number
  /** Position of the scene among those of the source. */
  index: number
  /** Questions of each type, at most. */
  questions: number
}

export function slotsOf(questions: number): QuestionType[] {
  return QUESTION_TYPES.flatMap((type) => Array.from({ length: questions }, () => type))
}

/** Null in place of questions that the scene does not have. */
export async function ownSamples({
  folder,
  name,
  source,
  seed,
  index,
  questions,
}: OwnRequest): Promise<(VsiSample | null)[]> {
  const scene = questionScene(await ownScene(folder), 'any')
  const origin: OwnOrigin = { kind: 'own', source, scene: name }
  const labels = { scene: scene.rooms > 1 ? 'home' : 'room' }
  const key = `${OWN_GENERATOR}/${seed}`
  const chosen: Question[] = []
  return slotsOf(questions).map((type, slot) => {
    const round = slot % questions
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const random = new Random(`${key}/${name}/${type}/${round}/${attempt}`)
      const draw = stratified(`${key}/${type}`, index * questions + round, random)
      const question = questionOf(type, scene, draw)
      if (question === null) return null
      if (chosen.some((other) => isSameQuestion(other, question))) continue
      chosen.push(question)
      return toSample(question, `${encodeURIComponent(name)}-${slot}`, name, origin, labels, scene)
    }
    return null
  })
}
