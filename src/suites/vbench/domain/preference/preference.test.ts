import { describe, expect, test } from 'vitest'
import { type BallotVideo, drawnQuestions, isAOnLeft, orderFor, questionsOf } from './ballot.ts'
import { correlations, raterAgreement, ranks, type Vote, winRatios } from './statistics.ts'

const video = (run: string, sample: string): BallotVideo => ({
  run,
  sample,
  prompt: sample,
  dimensions: ['color', 'scene'],
})
const videos = ['x', 'y', 'z'].flatMap((run) => ['p-0', 'p-1', 'q-0'].map((sample) => video(run, sample)))

describe('a ballot', () => {
  test('asks about every pair of models on every sample, once per dimension', () => {
    const questions = questionsOf(videos)
    expect(questions).toHaveLength(2 * 3 * 3)
    expect(new Set(questions.map(({ key }) => key)).size).toBe(18)
    expect(questionsOf([...videos, video('x', 'only-x')], ['scene'])).toHaveLength(9)
  })

  test('a shorter draw is the beginning of a longer one; order and sides are each person’s own', () => {
    const all = questionsOf(videos)
    expect(drawnQuestions(all, 3, 18).slice(0, 5)).toEqual(drawnQuestions(all, 3, 5))
    expect(drawnQuestions(all, 4, 5)).not.toEqual(drawnQuestions(all, 3, 5))
    const order = (rater: string) => orderFor(all, 3, rater).map(({ key }) => key)
    expect(order('ada')).toEqual(order('ada'))
    expect(order('ada')).not.toEqual(order('bob'))
    expect(new Set(order('ada'))).toEqual(new Set(order('bob')))
    const lefts = (rater: string) => all.filter((question) => isAOnLeft(question, 3, rater)).length
    expect(lefts('ada')).toBeGreaterThan(3)
    expect(lefts('ada')).toBeLessThan(15)
  })
})

const cast = (rater: string, key: string, [a, b]: readonly [string, string], choice: Vote['choice']): Vote => ({
  key,
  dimension: 'color',
  a,
  b,
  rater,
  choice,
})

describe('what votes say', () => {
  test('a win counts 1, a tie one half, a skip nothing', () => {
    const votes = [
      cast('ada', '1', ['x', 'y'], 'a'),
      cast('ada', '2', ['x', 'y'], 'tie'),
      cast('ada', '3', ['x', 'z'], 'b'),
      cast('ada', '4', ['y', 'z'], 'skip'),
    ]
    const found = new Map(winRatios(votes).map(({ run, ratio, votes: n }) => [run, [ratio, n]]))
    expect(found).toEqual(
      new Map([
        ['x', [0.5, 3]],
        ['y', [0.25, 2]],
        ['z', [1, 1]],
      ]),
    )
  })

  test('kappa takes out what chance explains', () => {
    const one = ['a', 'a', 'a', 'b', 'b', 'b', 'tie', 'tie', 'a', 'b'] as const
    const other = ['a', 'a', 'b', 'b', 'b', 'a', 'tie', 'tie', 'a', 'tie'] as const
    const votes = [...one.keys()].flatMap((i) => [
      cast('ada', String(i), ['x', 'y'], one[i]!),
      cast('bob', String(i), ['x', 'y'], other[i]!),
    ])
    const [agreement] = raterAgreement([...votes, cast('bob', 'other', ['x', 'y'], 'a')])
    // Chance: 0.4 · 0.4 + 0.4 · 0.3 + 0.2 · 0.3 = 0.34.
    expect(agreement).toMatchObject({ raters: ['ada', 'bob'], questions: 10, share: 0.7 })
    expect(agreement!.kappa).toBeCloseTo((0.7 - 0.34) / 0.66, 12)
    expect(raterAgreement([cast('ada', '1', ['x', 'y'], 'a'), cast('bob', '1', ['x', 'y'], 'a')])[0]).toMatchObject({
      share: 1,
      kappa: null,
    })
  })

  test('correlation over models, as scipy has it', () => {
    const ratios = [0.2, 0.5, 0.6, 0.9, 0.3].map((ratio, i) => ({
      run: String(i),
      dimension: 'color' as const,
      votes: 10,
      ratio,
    }))
    const scores = [0.71, 0.8, 0.78, 0.95, 0.7]
    const [found] = correlations(ratios, (run) => scores[Number(run)] ?? null)
    // scipy.stats.spearmanr and pearsonr of the same numbers.
    expect(found!.spearman).toBeCloseTo(0.8, 12)
    expect(found!.spearmanP).toBeCloseTo(0.10408803866182788, 6)
    expect(found!.pearson).toBeCloseTo(0.9551771855573892, 12)
    expect(found!.pearsonP).toBeCloseTo(0.01131464330093732, 6)
    expect(correlations(ratios.slice(0, 2), () => 1)[0]).toMatchObject({ models: 2, pearson: null, spearmanP: null })
    expect(ranks([3, 1, 3, 2])).toEqual([3.5, 1, 3.5, 2])
  })
})
