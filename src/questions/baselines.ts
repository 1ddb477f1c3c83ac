/** Players that need no model. */
import type { Baseline, Reader } from '../suite.ts'
import type { Answer, QuestionSample } from './domain/sample.ts'

type QuestionBaseline = Baseline<QuestionSample, unknown>
type ReaderOf = (sample: QuestionSample, profile: string) => Reader<Answer>

/** A number this many times smaller or larger than a typical one is still a guess. */
const SPREAD = 2

export function baselinesFor(readerOf: ReaderOf): Readonly<Record<string, QuestionBaseline>> {
  const answering = (
    title: string,
    answer: (sample: QuestionSample, reader: Reader<Answer>, unit: () => number) => Answer,
  ): QuestionBaseline => ({
    title,
    start: (sample, { profile, random }) => {
      const reader = readerOf(sample, profile)
      const given = reader.write(answer(sample, reader, () => random.unit()))
      return () => given
    },
  })
  return {
    random: answering(
      'picks a random answer; numbers around the most frequent one',
      ({ frequent }, { choices }, unit) => {
        if (choices) return choices[Math.floor(unit() * choices.length)] ?? frequent
        if (typeof frequent === 'number') return Number((frequent * SPREAD ** (2 * unit() - 1)).toPrecision(3))
        return frequent
      },
    ),
    constant: answering('always gives the first choice', ({ frequent }, { choices }) => choices?.[0] ?? frequent),
    frequency: answering('always the most frequent answer of the kind of question', ({ frequent }, { choices }) =>
      choices && !choices.includes(frequent) ? choices[0]! : frequent,
    ),
    blind: answering(
      'guesses from words alone: the option that is right most often in other scenes, or the typical answer',
      ({ blind, frequent }, { choices }) => blind ?? choices?.[0] ?? frequent,
    ),
    oracle: answering('knows the ground truth', ({ truth }) => truth),
  }
}
