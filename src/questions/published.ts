/** Results of others that a suite's file lists, for `report --published`. */
import type { PublishedResults } from '../suite.ts'
import type { QuestionsFile } from './domain/format.ts'

export function publishedResults({ name, title = name, total, published }: QuestionsFile): PublishedResults {
  const { sources, rows } = published ?? { sources: {}, rows: [] }
  return {
    title: title.split(',')[0]!,
    metrics: [total === undefined ? 'correct' : 'total'],
    sources,
    rows: rows.map(({ score, harness = null, ...row }) => ({ ...row, facts: { harness }, scores: [score] })),
    data: ['data'],
    // A harness prompts, reads and scores in its way; a profile of its name does the same.
    conditions: ({ facts }, { profile }) => [
      { what: 'profile', published: facts['harness']?.toLowerCase() ?? null, run: profile },
    ],
  }
}
