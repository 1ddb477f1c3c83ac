/**
 * Any number of runs on the samples that all of them have, whatever their limits: each run is reported on these samples
 * alone, with its usual intervals. Runs that cannot take part are named with the reason.
 */
import { plural } from '../base/plural.ts'
import { UserError } from '../base/errors.ts'
import { counts, type EpisodeLine, type RunHeader } from '../store/records.ts'
import { brokenDown } from './by.ts'
import { differencesOf } from './comparability.ts'
import { LabelGroups } from './denominator.ts'
import { formatCount } from './format.ts'
import { buildReport, type Report, type ReportedSuite } from './report.ts'

export interface SharingRun {
  header: RunHeader
  rows: readonly EpisodeLine[]
  suite: ReportedSuite
}

export interface SharedSamples {
  /** Runs that take part, in the given order, with the episodes of the shared samples. */
  runs: readonly SharingRun[]
  leftOut: readonly LeftOut[]
  /** Number of shared samples. */
  samples: number
  /** Number of samples that any of these runs has. */
  all: number
}

export interface LeftOut {
  run: string
  /** Human-readable. */
  reason: string
}

export interface SharingOptions {
  /**
   * A run is left out if it would reduce the shared samples below this share of the largest run's. Default: 0; only runs
   * that would leave none.
   */
  least?: number
}

/** Finds the samples that all runs have, starting with the largest run. Samples count as in scores. */
export function shareSamples(given: readonly SharingRun[], { least = 0 }: SharingOptions = {}): SharedSamples {
  const leftOut: LeftOut[] = []
  const known = given.map((run) => {
    const rows = run.rows.filter(({ status }) => counts(status))
    return { run, rows, samples: new Set(rows.map(({ sample }) => sample)) }
  })
  const bySize = known.toSorted((a, b) => b.samples.size - a.samples.size)
  const [largest] = bySize
  let shared = largest?.samples ?? new Set<string>()
  const smallest = least * shared.size
  const sharing = new Set<SharingRun>()
  for (const { run, samples } of bySize) {
    const reason = unlikeSuites(largest!.run, run) ?? (samples.size === 0 ? 'no scored episodes' : null)
    const common = new Set([...shared].filter((sample) => samples.has(sample)))
    if (reason !== null) leftOut.push({ run: run.header.id, reason })
    else if (common.size === 0) leftOut.push({ run: run.header.id, reason: 'no samples in common with the other runs' })
    else if (common.size < smallest) {
      const reduced = `only ${formatCount(common.size)} of ${plural(shared.size, 'sample')} in common`
      leftOut.push({ run: run.header.id, reason: reduced })
    } else {
      shared = common
      sharing.add(run)
    }
  }
  const taking = known.filter(({ run }) => sharing.has(run))
  return {
    runs: taking.map(({ run, rows }) => ({ ...run, rows: rows.filter(({ sample }) => shared.has(sample)) })),
    leftOut,
    samples: taking.length === 0 ? 0 : shared.size,
    all: new Set(taking.flatMap(({ samples }) => [...samples])).size,
  }
}

function unlikeSuites({ header, suite }: SharingRun, { header: other }: SharingRun): string | null {
  if (other.suite === header.suite) {
    if (other.suiteVersion === header.suiteVersion) return null
    return `version ${other.suiteVersion} of the suite, the others have version ${header.suiteVersion}`
  }
  return suite.comparableWith?.includes(other.suite) === true
    ? null
    : `plays ${other.suite}, the others ${header.suite}`
}

/** What differs between the runs besides their players, limits and epochs: `profile`, `option.frames`. */
export function unlikeParts(runs: readonly Pick<SharingRun, 'header'>[]): string[] {
  const [first, ...others] = runs
  if (!first) return []
  const parts = others.flatMap(({ header }) => differencesOf(first.header, header))
  return [...new Set(parts.filter(({ kind }) => kind === 'unlike').map(({ part }) => part))]
}

/**
 * One report per run, on the shared samples. Which metrics a question type has comes from all runs: all of its episodes
 * may have failed in one.
 *
 * @example
 * const shared = shareSamples([a, b, c])
 * const reports = [...sharedReports(shared)]
 */
export function* sharedReports(
  { runs, samples, all, leftOut }: SharedSamples,
  by: readonly string[] = [],
  metrics: readonly string[] = [],
): Generator<Report> {
  const groups = new Map<ReportedSuite, LabelGroups>()
  for (const { suite, rows } of runs) {
    const known = groups.get(suite) ?? new LabelGroups(suite.metrics)
    groups.set(suite, known)
    for (const row of rows) known.add(row)
  }
  const unlike = unlikeParts(runs)
  const notes = [
    `Only samples that all ${plural(runs.length, 'run')} have: ${formatCount(samples)} of ${formatCount(all)}.`,
    ...(unlike.length === 0 ? [] : [`The runs also differ in ${unlike.join(', ')}.`]),
    ...leftOut.map(({ run, reason }) => `Left out: ${run} (${reason}).`),
  ]
  for (const { header, rows, suite } of runs) {
    const report = buildReport({
      header: { ...header, planned: rows.length, fingerprint: sharedFingerprint(header, rows.length) },
      rows,
      suite: brokenDown(suite, by, metrics),
      groups: groups.get(suite)!,
    })
    yield { ...report, notes: [...notes, ...report.notes] }
  }
}

/** A part of a run is not the set that it played. */
function sharedFingerprint({ fingerprint, planned }: RunHeader, shared: number): RunHeader['fingerprint'] {
  if (shared >= planned) return fingerprint
  return { ...fingerprint, parts: { ...fingerprint.parts, samples: `shared ${shared}/${planned}` } }
}

/** Throws if fewer than two runs are left. */
export function checkShared({ runs, leftOut }: SharedSamples): void {
  if (runs.length >= 2) return
  throw new UserError('These runs have no samples in common.', {
    hint: leftOut.map(({ run, reason }) => `${run}: ${reason}.`).join('\n'),
  })
}
