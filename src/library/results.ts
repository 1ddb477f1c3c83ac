/** Scores, reports and comparisons of recorded runs, without calling a model. */
import { UserError } from '../base/errors.ts'
import { headerForProfile } from '../engine/fingerprint.ts'
import { IMPORTED_PREFIX } from '../engine/imported.ts'
import { profileOf } from '../engine/plan.ts'
import { makeReport } from '../engine/reporting.ts'
import { linesForProfile, rescoreRun } from '../engine/rescore.ts'
import { compare as compareSides, type Comparison } from '../report/compare.ts'
import type { Report } from '../report/report.ts'
import { checkShared, sharedReports as reportShared, shareSamples, type SharingRun } from '../report/shared.ts'
import type { RunReader } from '../store/run-reader.ts'
import { Store } from '../store/store.ts'
import type { AnySuite } from '../engine/suite.ts'
import { DEFAULT_STORE, finderOf, type StoreOptions } from './run.ts'

export interface ResultOptions extends StoreOptions {
  /** Default: the profile of the run. */
  profile?: string | undefined
}

/** Opens a store of runs. */
export function openStore(folder: string = DEFAULT_STORE): Promise<Store> {
  return Store.open(folder)
}

/** Rescores a run from its recorded outcomes. */
export async function score(
  id: string,
  options: ResultOptions & { source?: string | undefined } = {},
): Promise<{ episodes: number; report: Report }> {
  const { reader, suite } = await openRecorded(id, options)
  if (reader.header.suite.startsWith(IMPORTED_PREFIX)) {
    throw new UserError(`Run ${reader.header.id} was played by another tool and cannot be rescored.`, {
      hint: 'Use `sightline report` or `sightline compare`.',
    })
  }
  const profile = profileOf(suite, options.profile ?? reader.header.profile)
  const rows = await rescoreRun(reader, suite, profile, options.source)
  return { episodes: rows.length, report: await makeReport(reader, suite, profile) }
}

/** The report of a run, with confidence intervals. */
export async function report(id: string, options: ResultOptions = {}): Promise<Report> {
  const { reader, suite } = await openRecorded(id, options)
  return makeReport(reader, suite, options.profile)
}

/** Compares two runs, paired on the samples they share. */
export async function compare(a: string, b: string, options: ResultOptions = {}): Promise<Comparison> {
  const [left, right] = [await sharingRun(a, options), await sharingRun(b, options)]
  if (left.header.id === right.header.id) throw new UserError(`Both names refer to the same run: ${left.header.id}.`)
  return compareSides(left, right, left.suite)
}

/** Reports of several runs on the samples that all of them have. Runs that cannot take part are named in the notes. */
export async function sharedReports(ids: readonly string[], options: ResultOptions = {}): Promise<Report[]> {
  const runs: SharingRun[] = []
  for (const id of ids) runs.push(await sharingRun(id, options))
  const shared = shareSamples(
    runs.filter(({ header }, i) => runs.findIndex((run) => run.header.id === header.id) === i),
  )
  checkShared(shared)
  return [...reportShared(shared)]
}

async function sharingRun(id: string, options: ResultOptions): Promise<SharingRun> {
  const { reader, suite } = await openRecorded(id, options)
  const profile = profileOf(suite, options.profile ?? reader.header.profile)
  return {
    header: headerForProfile(reader.header, profile),
    rows: await linesForProfile(reader, suite, profile),
    suite,
  }
}

/** A recorded run and its suite. */
export async function openRecorded(id: string, options: StoreOptions): Promise<{ reader: RunReader; suite: AnySuite }> {
  const store = typeof options.store === 'object' ? options.store : await openStore(options.store)
  const reader = await store.openRun(id)
  const given = options.suites?.find((each) => typeof each === 'object' && each.name === reader.header.suite)
  return { reader, suite: typeof given === 'object' ? given : await finderOf(options).ofRun(reader) }
}
