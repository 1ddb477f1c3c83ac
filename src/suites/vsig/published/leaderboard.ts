/** Published results of VSIG-bench and of EcoG-Bench, and what makes a run comparable with them. */
import { optionOf, publishedFile, type PublishedResults } from '../../../suite.ts'
import results from './results.json' with { type: 'json' }
import ecog from './results-ecog.json' with { type: 'json' }

/** What the last generation counts is another table. */
export function publishedResults(profile = 'seed'): PublishedResults {
  return profile.endsWith('-v4') ? ecogResults(profile) : vsigResults()
}

function vsigResults(): PublishedResults {
  return {
    ...publishedFile.parse(results),
    data: ['vsig'],
    conditions: ({ facts }, run) => [
      { what: 'scoring', published: `upstream-v${facts['generation']}`, run: run.profile },
      { what: 'clips', published: facts['clips'] ?? null, run: String(run.counted) },
    ],
  }
}

function ecogResults(profile: string): PublishedResults {
  const file = publishedFile.parse(ecog)
  return {
    ...file,
    metrics: profile === 'ecog-v4' ? file.metrics.map((key) => key.replace('v4.', 'eco.')) : file.metrics,
    data: ['vsig'],
    conditions: ({ facts }, run) => [
      { what: 'scoring', published: 'upstream-v4', run: run.profile },
      { what: 'input', published: facts['input'] ?? null, run: inputOf(run) },
      { what: 'clips', published: facts['clips'] ?? null, run: String(run.counted) },
    ],
  }
}

/** Published runs see the clip with its sound, or two frames per second with their times and the transcript with its own. */
function inputOf(run: Parameters<PublishedResults['conditions']>[1]): string {
  const option = (name: string): string | null => optionOf(run, name)
  if (option('input') === 'video') return option('speech') === 'audio' ? 'video' : 'video and transcript'
  const isPublished =
    option('fps') === '2' &&
    option('timings') === 'true' &&
    option('frameTimes') !== 'false' &&
    option('speech') === 'text'
  return isPublished ? 'frames and transcript' : 'other frames'
}
