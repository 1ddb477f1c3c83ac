/** The report of a run: read back when nothing has changed since it was made, made again otherwise. */
import { buildReport, type Report } from '../report/report.ts'
import type { RunReader } from '../store/run-reader.ts'
import { linesUnder } from './rescore.ts'
import { profileOf } from './plan.ts'
import type { AnySuite } from './suite.ts'

export async function makeReport(reader: RunReader, suite: AnySuite, profile?: string): Promise<Report> {
  const wanted = profileOf(suite, profile ?? reader.header.profile)
  const rows = await linesUnder(reader, suite, wanted)
  return buildReport({ header: { ...reader.header, profile: wanted }, rows, suite })
}
