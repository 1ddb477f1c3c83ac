/** What was answered in a run and what is true, from the logs of its episodes. */
import { UserError } from '../base/errors.ts'
import type { AnsweredEpisode } from '../report/figures/answers.ts'
import { counts, type EpisodeLine } from '../store/records.ts'
import type { RunReader } from '../store/run-reader.ts'
import { episodeDescriber } from './describe.ts'
import type { AnySuite } from './suite.ts'

export interface Answers {
  /** Scored episodes with a known truth. */
  episodes: Omit<AnsweredEpisode, 'run'>[]
  /** Number of scored episodes whose log is damaged. */
  unreadable: number
}

export async function answersIn(
  reader: Pick<RunReader, 'header' | 'events'>,
  suite: AnySuite | null,
  lines: readonly EpisodeLine[],
): Promise<Answers> {
  const describe = episodeDescriber(suite, reader.header)
  const found: Answers = { episodes: [], unreadable: 0 }
  for (const line of lines.filter(({ status }) => counts(status))) {
    const events = await readable(reader.events(line))
    if (events === null) {
      found.unreadable += 1
      continue
    }
    const { answer, truth, unit, choices } = describe(events)
    if (truth === undefined || truth === null) continue
    found.episodes.push({
      labels: line.labels,
      truth,
      ...(answer !== undefined && { answer }),
      ...(unit !== undefined && { unit }),
      ...(choices && { choices }),
    })
  }
  return found
}

/** Null if the log is damaged or missing. */
async function readable(events: Promise<unknown[]>): Promise<unknown[] | null> {
  try {
    return await events
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}
