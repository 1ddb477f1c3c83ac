/** A question and its answer, in words for readers. */
import type { EpisodeDescription } from '../../suite.ts'
import type { VsiOutcome } from './domain/outcome.ts'
import { ANSWER_UNITS, isNumberType } from './domain/question-types.ts'
import { lettersOf, type VsiSample } from './samples/sample.ts'

const UNIT_SIGNS = { m: 'm', cm: 'cm', m2: 'm²' } as const

export function describe(
  { type, question, options, truth }: VsiSample,
  outcome: VsiOutcome | null,
): EpisodeDescription {
  const answer = outcome?.answer ?? null
  const map = mapOf(outcome)
  if (isNumberType(type)) {
    const unit = ANSWER_UNITS[type]
    return { question, answer: amount(answer), truth: amount(truth), ...(unit && { unit: UNIT_SIGNS[unit] }), ...map }
  }
  const letters = lettersOf(options ?? [])
  const option = (letter: string | null): string | null =>
    letter === null ? null : (options?.[letters.indexOf(letter)] ?? letter)
  return { question, answer: option(answer), truth: option(truth), ...(options && { choices: options }), ...map }
}

function mapOf(outcome: VsiOutcome | null): Pick<EpisodeDescription, 'map'> {
  if (!outcome?.trueMap || outcome.mapCells === undefined) return {}
  return { map: { cells: outcome.mapCells, drawn: outcome.map ?? {}, truth: outcome.trueMap } }
}

function amount(text: string | null): string | number | null {
  return text !== null && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}
