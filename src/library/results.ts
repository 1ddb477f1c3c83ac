/** Scores, reports and comparisons of recorded runs, without calling a model. */
import { UserError } from '../base/errors.ts'
import { headerForProfile } from '../engine/fingerprint.ts'
import { IMPORTED_PREFIX } from '../engine/imported.ts'
import { profileOf } from '../engine/plan.ts'
import { makeReport } from '../engine/reporting.ts'
import { linesForProfile, rescoreRun } from '../engine/rescore.ts'
import { findMedia } from '../media/find-media.ts'
import { compare as compareSides, type Comparison } from '../report/compare.ts'
import type { PublishedResults } from '../report/published.ts'
import type { Report } from '../report/report.ts'
import { checkShared, sharedReports as reportShared, shareSamples, type SharingRun } from '../report/shared.ts'
import type { RunReader } from '../store/run-reader.ts'
import { episodeKey } from '../store/journal.ts'
import { Store } from '../store/store.ts'
import type { AnySuite } from '../engine/suite.ts'
import { DEFAULT_STORE, finderOf, type StoreOptions } from './run.ts'

export interface ResultOptions extends StoreOptions {
  /** Default: the profile of the run. */
  profile?: string | undefined
}

export interface ReportOptions extends ResultOptions {
  /** Labels of samples, such as `type` or `level`: the table gets the headline for each of their values. */
  by?: readonly string[] | undefined
  /** With `by`: these metrics instead of the headline, by key, title or section heading. */
  metrics?: readonly string[] | undefined
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
export async function report(id: string, options: ReportOptions = {}): Promise<Report> {
  const { reader, suite } = await openRecorded(id, options)
  return makeReport(reader, suite, options.profile, options)
}

/** What `verify` found. */
export interface Verification {
  run: string
  events: { intact: number; unknown: number; damaged: string[] }
  media: { intact: number; missing: string[]; damaged: string[] }
}

/** Compares the recorded events and media of a run with their hashes. Needs no suite and changes nothing. */
export async function verify(id: string, options: StoreOptions = {}): Promise<Verification> {
  const store = typeof options.store === 'object' ? options.store : await openStore(options.store)
  const reader = await store.openRun(id)
  const { damaged, ...counts } = await reader.verify()
  const media: Verification['media'] = { intact: 0, missing: [], damaged: [] }
  const seen = new Set<string>()
  const names = new Set(damaged.map(episodeKey))
  for (const line of await reader.episodes()) {
    if (names.has(episodeKey(line))) continue
    for (const [hash, type] of findMedia(await reader.events(line))) {
      // A hash without a type may be that of something else.
      if (type === null || seen.has(hash)) continue
      seen.add(hash)
      if (await store.media.isIntact(hash)) media.intact += 1
      else if (await store.media.has(hash)) media.damaged.push(hash)
      else media.missing.push(hash)
    }
  }
  return { run: reader.header.id, events: { ...counts, damaged: [...names] }, media }
}

/** The published results of the benchmarks of these runs, by suite, for `renderReports`. */
export async function publishedResults(
  ids: readonly string[],
  options: ResultOptions = {},
): Promise<Record<string, PublishedResults>> {
  const found: Record<string, PublishedResults> = {}
  const names = new Set<string>()
  for (const id of ids) {
    const { reader, suite } = await openRecorded(id, options)
    names.add(suite.name)
    const published = suite.published?.(options.profile ?? reader.header.profile)
    if (published) found[suite.name] = published
  }
  if (Object.keys(found).length > 0) return found
  throw new UserError(`There are no published results for ${[...names].join(', ')}.`, {
    hint: 'Leave out --published. A suite declares them with `published`.',
  })
}

/** Compares two runs, paired on the samples they share. */
export async function compare(a: string, b: string, options: ResultOptions = {}): Promise<Comparison> {
  const [left, right] = [await sharingRun(a, options), await sharingRun(b, options)]
  if (left.header.id === right.header.id) throw new UserError(`Both names refer to the same run: ${left.header.id}.`)
  return compareSides(left, right, left.suite)
}

/** Reports of several runs on the samples that all of them have. Runs that cannot take part are named in the notes. */
export async function sharedReports(ids: readonly string[], options: ReportOptions = {}): Promise<Report[]> {
  const runs: SharingRun[] = []
  for (const id of ids) runs.push(await sharingRun(id, options))
  const shared = shareSamples(
    runs.filter(({ header }, i) => runs.findIndex((run) => run.header.id === header.id) === i),
  )
  checkShared(shared)
  return [...reportShared(shared, options.by, options.metrics)]
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
