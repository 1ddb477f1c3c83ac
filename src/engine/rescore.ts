/** Scores a finished or running run again, under any profile of its suite, without asking a model. */
import { UserError } from '../base/errors.ts'
import type { EpisodeLine } from '../store/records.ts'
import type { RunReader, ScoreRow } from '../store/run-reader.ts'
import { profileOf, replan } from './plan.ts'
import { selectedCases } from './source.ts'
import type { AnySuite } from './suite.ts'

/** Reads each episode's outcome from the log and runs the suite's `score` on it, in the order of the cases. */
export async function* rescore(
  reader: RunReader,
  suite: AnySuite,
  profile: string,
  source?: string,
): AsyncGenerator<ScoreRow> {
  profileOf(suite, profile)
  const plan = await replan(suite, reader.header, 'score', source)
  const byCase = new Map<string, EpisodeLine[]>()
  for (const line of await reader.episodes()) byCase.set(line.case, [...(byCase.get(line.case) ?? []), line])
  for await (const { sample } of selectedCases(plan.source, plan.selection)) {
    for (const line of byCase.get(sample.id) ?? []) {
      const outcome = await outcomeOf(reader, line)
      const scores = outcome === null ? {} : await suite.score(sample, outcome, { profile, options: plan.options })
      yield { case: line.case, epoch: line.epoch, scores }
    }
  }
}

/** What the player did, as the suite wrote it down; null when the episode failed before it had an outcome. */
export async function outcomeOf(reader: RunReader, line: EpisodeLine): Promise<unknown> {
  for (const event of (await reader.events(line)).reverse()) {
    if (
      typeof event === 'object' &&
      event !== null &&
      'type' in event &&
      event.type === 'outcome' &&
      'outcome' in event
    ) {
      return event.outcome
    }
  }
  throw new UserError(
    `Episode ${line.case} (epoch ${line.epoch}) of run ${reader.header.id} has no outcome in its log.`,
    {
      hint: 'The log was changed by hand or copied in part; resume the run or take it from a backup.',
    },
  )
}

/** Scores a whole run and keeps the result beside it. `source`: where its cases are now, if not where they were. */
export async function scoreAgain(
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
 * The lines of a run with the scores of a profile: those that were made by scoring again, as long as they are of this
 * journal and this version of the suite; else those it was played with; else it is scored now.
 */
export async function linesUnder(reader: RunReader, suite: AnySuite, profile: string): Promise<EpisodeLine[]> {
  const lines = await scoredUnder(reader, suite, profile)
  return suite.together ? suite.together(lines) : lines
}

async function scoredUnder(reader: RunReader, suite: AnySuite, profile: string): Promise<EpisodeLine[]> {
  const lines = await reader.episodes()
  const kept = await reader.scores(profile)
  const isValid = kept?.from.suiteVersion === suite.version && kept.from.journalBytes === (await reader.journalSize())
  if (!isValid && profile === reader.header.profile) return lines
  const scores = isValid
    ? kept.scores
    : new Map((await scoreAgain(reader, suite, profile)).map((row) => [`${row.case}#${row.epoch}`, row.scores]))
  return lines.map((line) => ({ ...line, scores: scores.get(`${line.case}#${line.epoch}`) ?? {} }))
}
