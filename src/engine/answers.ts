/** What was answered in a run and what is true, from the logs of its episodes. */
import type { AnsweredEpisode } from '../report/figures/answers.ts'
import type { EpisodeLine } from '../store/records.ts'
import type { RunReader } from '../store/run-reader.ts'
import { episodeDescriber } from './describe.ts'
import type { AnySuite } from './suite.ts'

/** Episodes with a known truth. */
export async function answeredEpisodes(
  reader: RunReader,
  suite: AnySuite | null,
  lines: readonly EpisodeLine[],
): Promise<Omit<AnsweredEpisode, 'run'>[]> {
  const describe = episodeDescriber(suite, reader.header)
  const found: Omit<AnsweredEpisode, 'run'>[] = []
  for (const line of lines) {
    const { answer, truth, unit, choices } = describe(await reader.events(line))
    if (truth === undefined || truth === null) continue
    found.push({
      labels: line.labels,
      truth,
      ...(answer !== undefined && { answer }),
      ...(unit !== undefined && { unit }),
      ...(choices && { choices }),
    })
  }
  return found
}
