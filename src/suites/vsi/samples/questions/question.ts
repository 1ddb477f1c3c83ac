/** What a generator makes: a question with its truth, and the things it speaks of. */
import type { Random } from '../../../../suite.ts'
import type { SceneObject } from '../../../../world.ts'
import type { About } from '../../domain/question.ts'
import type { QuestionType } from '../../domain/question-types.ts'

export interface Question {
  type: QuestionType
  question: string
  options: readonly string[] | null
  truth: string
  about: About
  /** Every thing that is named, all instances. */
  things: readonly SceneObject[]
}

/** Puts the right choice among the others in random order and gives it its letter. */
export function withLetters(
  right: string,
  wrong: readonly string[],
  random: Random,
): { options: string[]; truth: string } {
  const choices = random.shuffle([right, ...wrong])
  return {
    options: choices.map((choice, i) => `${String.fromCharCode(65 + i)}. ${choice}`),
    truth: String.fromCharCode(65 + choices.indexOf(right)),
  }
}

/** `one decimal` as the data have it. */
export function oneDecimal(value: number): string {
  return (Math.round(value * 10) / 10).toFixed(1)
}
