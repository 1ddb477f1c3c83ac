/** Numbers of recorded runs: scored again, reported, compared. No model is asked. */
import { UserError } from '../base/errors.ts'
import { headerUnder } from '../engine/fingerprint.ts'
import { IMPORTED_PREFIX } from '../engine/imported.ts'
import { profileOf } from '../engine/plan.ts'
import { makeReport } from '../engine/reporting.ts'
import { linesForProfile, scoreAgain } from '../engine/rescore.ts'
import { compare as compareSides, type ComparedRun, type Comparison } from '../report/compare.ts'
import type { Report } from '../report/report.ts'
import type { RunReader } from '../store/run-reader.ts'
import { Store } from '../store/store.ts'
import type { AnySuite } from '../engine/suite.ts'
import { DEFAULT_STORE, finderOf, type StoreOptions } from './run.ts'

export interface ResultOptions extends StoreOptions {
  /** Default: the profile that the run was played with. */
  profile?: string | undefined
}

/** Opens a store of runs. */
export function openStore(folder: string = DEFAULT_STORE): Promise<Store> {
  return Store.open(folder)
}

/** Scores a run again from its recorded outcomes. */
export async function score(
  id: string,
  options: ResultOptions & { source?: string | undefined } = {},
): Promise<{ episodes: number; report: Report }> {
  const { reader, suite } = await openRecorded(id, options)
  if (reader.header.suite.startsWith(IMPORTED_PREFIX)) {
    throw new UserError(`Run ${reader.header.id} was played by another tool; it keeps the scores of that tool.`, {
      hint: '`sightline report` and `sightline compare` take it as it is.',
    })
  }
  const profile = profileOf(suite, options.profile ?? reader.header.profile)
  const rows = await scoreAgain(reader, suite, profile, options.source)
  return { episodes: rows.length, report: await makeReport(reader, suite, profile) }
}

/** The table of a run, with intervals. */
export async function report(id: string, options: ResultOptions = {}): Promise<Report> {
  const { reader, suite } = await openRecorded(id, options)
  return makeReport(reader, suite, options.profile)
}

/** Two runs, paired on the samples that both have. */
export async function compare(a: string, b: string, options: ResultOptions = {}): Promise<Comparison> {
  const sides: ComparedRun[] = []
  const suites: AnySuite[] = []
  for (const id of [a, b]) {
    const { reader, suite } = await openRecorded(id, options)
    const profile = profileOf(suite, options.profile ?? reader.header.profile)
    sides.push({ header: headerUnder(reader.header, profile), rows: await linesForProfile(reader, suite, profile) })
    suites.push(suite)
  }
  return compareSides(sides[0]!, sides[1]!, suites[0]!)
}

/** A recorded run and its suite. */
export async function openRecorded(id: string, options: StoreOptions): Promise<{ reader: RunReader; suite: AnySuite }> {
  const store = typeof options.store === 'object' ? options.store : await openStore(options.store)
  const reader = await store.openRun(id)
  const given = options.suites?.find((each) => typeof each === 'object' && each.name === reader.header.suite)
  return { reader, suite: typeof given === 'object' ? given : await finderOf(options).ofRun(reader) }
}
