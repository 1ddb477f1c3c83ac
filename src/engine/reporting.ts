/** The report of a run: read from its file if nothing has changed, otherwise built again. */
import { z } from 'zod'
import { buildReport, type Report, readReport } from '../report/report.ts'
import type { RunReader } from '../store/run-reader.ts'
import { headerForProfile } from './fingerprint.ts'
import { profileOf } from './plan.ts'
import { linesForProfile } from './rescore.ts'
import type { AnySuite } from './suite.ts'

/** Increase it whenever the same journal gives a different report; stored reports are then rebuilt. */
const REPORT_VERSION = 3

const keptSchema = z.object({
  version: z.literal(REPORT_VERSION),
  /** The inputs the report was built from. */
  journalBytes: z.number(),
  profile: z.string(),
  suiteVersion: z.number(),
  report: z.unknown(),
})

export async function makeReport(reader: RunReader, suite: AnySuite, profile?: string): Promise<Report> {
  const wanted = profileOf(suite, profile ?? reader.header.profile)
  const journalBytes = await reader.journalSize()
  const kept = keptSchema.safeParse(await reader.report())
  const asKept = { version: REPORT_VERSION, journalBytes, profile: wanted, suiteVersion: suite.version } as const
  if (kept.success && Object.entries(asKept).every(([key, value]) => kept.data[key as keyof typeof asKept] === value)) {
    const report = readKept(kept.data.report)
    if (report) return report
  }
  const rows = await linesForProfile(reader, suite, wanted)
  const report = buildReport({ header: headerForProfile(reader.header, wanted), rows, suite })
  if (wanted === reader.header.profile) await reader.keepReport(JSON.stringify({ ...asKept, report }))
  return report
}

function readKept(value: unknown): Report | null {
  try {
    return readReport(value)
  } catch {
    return null
  }
}
