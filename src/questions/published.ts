/** Results of others that a suite's file lists, for `report --published`. */
import type { PublishedResults } from '../suite.ts'
import type { QuestionsFile } from './domain/format.ts'

export function publishedResults({ name, title = name, total, published }: QuestionsFile): PublishedResults {
  const { sources, rows } = published ?? { sources: {}, rows: [] }
  const parts = total?.mean ?? []
  const hasParts = rows.some((row) => row.parts !== undefined)
  return {
    title: title.split(',')[0]!,
    metrics: [total === undefined ? 'correct' : 'total', ...(hasParts ? parts.map((_, i) => `total.${i + 1}`) : [])],
    sources,
    rows: rows.map(({ score, parts: scores = [], harness = null, ...row }) => ({
      ...row,
      facts: { harness },
      scores: [score, ...(hasParts ? parts.map((_, i) => scores[i] ?? null) : [])],
    })),
    data: ['data'],
    total: (scores) => weightedMean(parts.map(({ weight }, i) => [scores[`total.${i + 1}`] ?? null, weight])),
    // A harness prompts, reads and scores in its way; a profile of its name does the same.
    conditions: ({ facts }, { profile }) => [
      { what: 'profile', published: facts['harness']?.toLowerCase() ?? null, run: profile },
    ],
  }
}

/** Null if a part is missing, or weighs as much as its questions, which nobody prints. */
function weightedMean(parts: readonly (readonly [number | null, number | 'count' | undefined])[]): number | null {
  let [sum, weights] = [0, 0]
  for (const [score, weight = 1] of parts) {
    if (score === null || weight === 'count') return null
    sum += weight * score
    weights += weight
  }
  return weights === 0 ? null : sum / weights
}
