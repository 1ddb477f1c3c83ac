/** Scores a recorded run again, with any profile of its suite, without asking a model. */
import { UserError } from '../base/errors.ts'
import { episodeKey } from '../store/journal.ts'
import { type EpisodeLine, STATUSES } from '../store/records.ts'
import type { RunReader, ScoreRow } from '../store/run-reader.ts'
import type { RecordedEpisode } from './episode.ts'
import { measurementsIn, valuesByInstrument } from './measure.ts'
import { suiteOptions } from './options.ts'
import { profileOf } from './plan.ts'
import { RecordedSamples } from './recorded-samples.ts'
import { isEvent } from './recorder.ts'
import type { AnySuite, SampleBase } from './suite.ts'

/** Scores the recorded outcome of each episode, in the order of the samples. */
export async function* rescore(
  reader: RunReader,
  suite: AnySuite,
  profile: string,
  source?: string,
): AsyncGenerator<ScoreRow> {
  const samples = new RecordedSamples(reader, suite, source)
  const rules = { profile: profileOf(suite, profile), options: suiteOptions(suite, reader.header.options) }
  for (const line of await reader.episodes()) {
    const { sample, outcome, events } = await readEpisode(reader, samples, line)
    const measurements = valuesByInstrument(measurementsIn(events).values())
    const scores = outcome === null ? {} : await suite.score(sample, outcome, { ...rules, measurements })
    yield { sample: line.sample, epoch: line.epoch, scores }
  }
}

/** A recorded episode; its outcome is null if it failed before it had one. */
export async function readEpisode(
  reader: RunReader,
  samples: RecordedSamples,
  line: EpisodeLine,
): Promise<RecordedEpisode & { sample: SampleBase }> {
  const events = await reader.events(line)
  const ended = events.findLast((event) => isEvent(event, 'outcome') && 'outcome' in event)
  if (!isEvent(ended, 'outcome')) {
    throw new UserError(
      `Episode ${line.sample} (epoch ${line.epoch}) of run ${reader.header.id} has no outcome in its log.`,
      {
        hint: 'The log was edited or copied incompletely. Resume the run, or restore it from a backup.',
      },
    )
  }
  const sample = await samples.of(line, events)
  const { problem, outcome } = ended
  const status = STATUSES.find((each) => each === ended['status']) ?? line.status
  const played = { status, ...(typeof problem === 'string' ? { error: problem } : {}) }
  return { line, sample, played, outcome, events }
}

/** Scores a run and stores the result. `source` is where its samples are now, if they moved since it was played. */
export async function rescoreRun(
  reader: RunReader,
  suite: AnySuite,
  profile: string,
  source?: string,
): Promise<ScoreRow[]> {
  const from = { suiteVersion: suite.version, journalBytes: await reader.journalSize() }
  const rows: ScoreRow[] = []
  for await (const row of rescore(reader, suite, profile, source)) rows.push(row)
  await reader.writeScores(profile, from, rows)
  await reader.forgetReport()
  return rows
}

/**
 * The episodes of a run with the scores of a profile: from the scores file if it matches the journal and the suite
 * version, from the journal if the run was played with this profile, otherwise scored now.
 */
export async function linesForProfile(reader: RunReader, suite: AnySuite, profile: string): Promise<EpisodeLine[]> {
  const lines = await scoredLines(reader, suite, profile)
  return suite.combine?.(lines, { profile, options: reader.header.options }) ?? lines
}

async function scoredLines(reader: RunReader, suite: AnySuite, profile: string): Promise<EpisodeLine[]> {
  const lines = await reader.episodes()
  const kept = await reader.scores(profile)
  const isValid = kept?.from.suiteVersion === suite.version && kept.from.journalBytes === (await reader.journalSize())
  if (!isValid && profile === reader.header.profile) return lines
  const scores = isValid
    ? kept.scores
    : new Map((await rescoreRun(reader, suite, profile)).map((row) => [episodeKey(row), row.scores]))
  return lines.map((line) => ({ ...line, scores: scores.get(episodeKey(line)) ?? {} }))
}
