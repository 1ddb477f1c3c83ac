import type { EpisodeLine, RunHeader } from '../../store/records.ts'
import type { Report } from '../report.ts'

export type ExportFormat = 'inspect' | 'lmms-eval' | 'csv'

export interface ExportInput {
  header: RunHeader
  rows: readonly EpisodeLine[]
  report: Report
  /** Reads the events of an episode; called one at a time, so only one episode is in memory. */
  eventsOf: (line: EpisodeLine) => Promise<readonly unknown[]>
  /** The ground truth of a sample as text, if known. */
  targetOf?: (line: EpisodeLine) => string | undefined
}

/** A file to write: its name without folders, and its text in chunks. */
export interface ExportedFile {
  name: string
  chunks: AsyncIterable<string>
}
