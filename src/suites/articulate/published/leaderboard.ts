/** Published results of Articulate-Anything and of what it was compared with, and what makes a run comparable with them. */
import { optionOf, publishedFile, type PublishedResults } from '../../../suite.ts'
import file from './results.json' with { type: 'json' }

/** What the player is given in each suite; published runs also start from one image or from words. */
const INPUT = 'video'

export function publishedResults(suite: 'joint' | 'place' | 'critic'): PublishedResults {
  const { sources } = file
  return {
    ...publishedFile.parse({ sources, ...file[suite] }),
    data: ['partnet'],
    conditions: ({ facts }, run) => [
      { what: 'scoring', published: 'upstream', run: run.profile },
      ...(suite === 'joint' ? [{ what: 'input', published: facts['input'] ?? null, run: INPUT }] : []),
      ...(suite === 'place'
        ? [{ what: 'answers', published: facts['iterations'] ?? null, run: optionOf(run, 'iterations') }]
        : []),
      ...(suite === 'critic'
        ? [{ what: 'critic', published: facts['critic'] ?? null, run: optionOf(run, 'critics') }]
        : []),
    ],
  }
}
