import type { EpisodeLine, RunHeader } from '../../store/records.ts'
import type { Report } from '../report.ts'

export type ExportFormat = 'inspect' | 'lmms-eval' | 'csv'

export interface ExportInput {
  header: RunHeader
  rows: readonly EpisodeLine[]
  report: Report
  /** Reads what happened in an episode; called for one episode after the other, so that no two are in memory. */
  eventsOf: (line: EpisodeLine) => Promise<readonly unknown[]>
  /** The right answer of a case in words, where it is known. */
  targetOf?: (line: EpisodeLine) => string | undefined
}

/** A file to be written: a name without folders, and its text piece by piece. */
export interface ExportedFile {
  name: string
  chunks: AsyncIterable<string>
}
