/** A generated question with its ground truth and its objects. */
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
  /** All instances of every named category. */
  things: readonly SceneObject[]
}

/** Shuffles the choices and returns the letter of the right one. */
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

/** One decimal, as in the published data. */
export function oneDecimal(value: number): string {
  return (Math.round(value * 10) / 10).toFixed(1)
}

/** The same options in another order make no new question. */
export function isSameQuestion(a: Question, b: Question): boolean {
  const texts = ({ options }: Question) =>
    (options ?? [])
      .map((option) => option.slice(3))
      .sort()
      .join('|')
  return a.question === b.question && texts(a) === texts(b)
}
