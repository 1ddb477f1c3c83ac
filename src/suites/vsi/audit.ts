/** What a question asks, for the audit: how far its words alone get. */
import type { BlindTask } from '../../suite.ts'
import { optionText, type VsiSample } from './samples/sample.ts'
import { safeScore } from './score/safe-score.ts'

/** The type is the row, and the words are the question: options of a choice are learned apart from it. */
export function audit({ type, question, options, truth }: VsiSample): BlindTask[] {
  const words = question
  if (options !== null) {
    const answer = truth.charCodeAt(0) - 65
    return [{ row: type, metric: 'score', words, target: { kind: 'choice', options: options.map(optionText), answer } }]
  }
  const score = (guess: number): number => safeScore('official', { type, prediction: String(guess), truth })
  return [{ row: type, metric: 'score', words, target: { kind: 'number', answer: Number(truth), score } }]
}
