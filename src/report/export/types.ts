import type { EpisodeLine, RunHeader } from '../../store/records.ts'
import type { Report } from '../report.ts'

export const EXPORT_FORMATS = ['inspect', 'lmms-eval', 'csv'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export interface ExportInput {
  header: RunHeader
  rows: readonly EpisodeLine[]
  report: Report
  /** Reads what happened in an episode; called for one episode after the other, so that no two are in memory. */
  eventsOf: (line: EpisodeLine) => Promise<readonly unknown[]>
  /** The right answer of a case in words, where it is known. */
  targetOf?: (line: EpisodeLine) => string | undefined
  /** An address for a picture; default `sha256:<hash>`. Give a `data:` address to put the bytes into the file. */
  mediaAddress?: (media: { sha256: string; type: string }) => string | Promise<string>
}

/** A file to be written: a name without folders, and its text piece by piece. */
export interface ExportedFile {
  name: string
  chunks: AsyncIterable<string>
}
