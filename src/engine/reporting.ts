/** The report of a run: read from its file if nothing has changed, otherwise built again. */
import { z } from 'zod'
import { trimFullStop } from '../base/errors.ts'
import { type Breakdown, brokenDown } from '../report/by.ts'
import { errorTypeRows } from '../report/error-types.ts'
import { buildReport, type Report, readReport } from '../report/report.ts'
import { readErrorTypes } from '../store/error-types.ts'
import { plural } from '../base/plural.ts'
import type { EpisodeLine } from '../store/records.ts'
import type { RunReader } from '../store/run-reader.ts'
import { headerForProfile, shortHash } from './fingerprint.ts'
import { profileOf } from './plan.ts'
import { linesForProfile } from './rescore.ts'
import type { AnySuite } from './suite.ts'

/** Increase it whenever the same journal gives a different report; stored reports are then rebuilt. */
const REPORT_VERSION = 4

const keptSchema = z.object({
  version: z.literal(REPORT_VERSION),
  /** The inputs the report was built from. */
  journalBytes: z.number(),
  eventsModified: z.number(),
  profile: z.string(),
  suiteVersion: z.number(),
  audits: z.string(),
  report: z.unknown(),
})

/** With the reason first if the run has failed: a score without it would not tell the whole story. */
export async function makeReport(
  reader: RunReader,
  suite: AnySuite,
  profile?: string,
  by: Breakdown = {},
): Promise<Report> {
  const [found, { state, reason }, assigned] = await Promise.all([
    journalReport(reader, suite, profile, by),
    reader.status(),
    readErrorTypes(reader.dir),
  ])
  const report = { ...found, rows: [...found.rows, ...errorTypeRows(assigned, suite.viewer.errorTypes ?? {})] }
  if (state !== 'failed' || reason === null) return report
  return { ...report, warnings: [`The run failed: ${trimFullStop(reason)}.`, ...report.warnings] }
}

async function journalReport(
  reader: RunReader,
  suite: AnySuite,
  profile: string | undefined,
  { by = [], metrics }: Breakdown,
): Promise<Report> {
  const wanted = profileOf(suite, profile ?? reader.header.profile)
  const [journalBytes, eventsModified] = await Promise.all([reader.journalSize(), reader.eventsModified()])
  const kept = keptSchema.safeParse(await reader.report())
  const asKept = {
    version: REPORT_VERSION,
    journalBytes,
    eventsModified,
    profile: wanted,
    suiteVersion: suite.version,
    audits: shortHash(suite.audits?.() ?? []),
  } as const
  if (
    by.length === 0 &&
    kept.success &&
    Object.entries(asKept).every(([key, value]) => kept.data[key as keyof typeof asKept] === value)
  ) {
    const report = readKept(kept.data.report)
    if (report) return report
  }
  const rows = await linesForProfile(reader, suite, wanted)
  const report = buildReport({
    header: headerForProfile(reader.header, wanted),
    rows,
    suite: brokenDown(suite, by, metrics),
  })
  // Its events are being written, and their hashes are not all in the journal yet.
  if ((await reader.status()).state === 'running') return report
  const damaged = await reader.damaged()
  if (damaged.length > 0) report.warnings.push(damageWarning(damaged))
  if (by.length === 0 && wanted === reader.header.profile)
    await reader.keepReport(JSON.stringify({ ...asKept, report }))
  return report
}

function damageWarning(damaged: readonly EpisodeLine[]): string {
  const [first] = damaged
  return `The events of ${plural(damaged.length, 'episode')} were changed after they were recorded, first of ${first?.sample}. \`sightline verify\` lists them.`
}

function readKept(value: unknown): Report | null {
  try {
    return readReport(value)
  } catch {
    return null
  }
}
