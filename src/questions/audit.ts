/** What a question asks, for the audit: how far its words alone get. */
import type { BlindTask, Reader } from '../suite.ts'
import type { Rules } from './domain/format.ts'
import type { Answer, QuestionSample } from './domain/sample.ts'
import { promptOf } from './play.ts'

/** The options of a choice are learned apart from the words; where only the question has them, their letters. */
export function blindTasks(sample: QuestionSample, rules: Rules, reader: Reader<Answer>): BlindTask[] {
  const target = targetOf(sample, reader)
  if (target === null) return []
  const { system, text } = promptOf({ ...sample, options: sample.options && [] }, rules)
  const { type } = sample.labels
  return [
    { row: type === undefined ? 'correct' : `type.${type}`, metric: 'correct', words: `${system}\n${text}`, target },
  ]
}

function targetOf({ options, truth }: QuestionSample, reader: Reader<Answer>): BlindTask['target'] | null {
  const grade = (answer: Answer): number => reader.grade!(answer, truth)
  const { choices = [] } = reader
  if (choices.length > 1) {
    const scores = choices.map(grade)
    const texts = choices.map((choice, i) => options?.[i] || reader.write(choice))
    return { kind: 'choice', options: texts, answer: scores.indexOf(Math.max(...scores)), scores }
  }
  return typeof truth === 'number' ? { kind: 'number', answer: truth, score: grade } : null
}
