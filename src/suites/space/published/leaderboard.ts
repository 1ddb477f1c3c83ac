/** Published results of Theory of Space, and what makes a run comparable with them. */
import { mean, optionOf, publishedFile, type PublishedResults } from '../../../suite.ts'
import file from './results.json' with { type: 'json' }

/** Only rows of the same world. */
export function publishedResults(world: 'text' | 'vision'): PublishedResults {
  const { title, rows, ...table } = publishedFile.parse(file)
  return {
    ...table,
    title: `${title}, ${world}`,
    rows: rows.filter(({ facts }) => facts['world'] === world),
    // The scenes of the text tables are not published as a source.
    data: ['published'],
    total: (scores) => {
      const tasks = Object.values(scores)
      return tasks.some((score) => score === null) ? null : mean(tasks.map((score) => score!))
    },
    conditions: ({ facts }, run) => [
      { what: 'scoring', published: 'upstream', run: run.profile },
      { what: 'rooms', published: facts['rooms'] ?? null, run: optionOf(run, 'rooms') },
      { what: 'exploration', published: facts['exploration'] ?? null, run: optionOf(run, 'explore') },
    ],
  }
}
