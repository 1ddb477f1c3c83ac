import type { EpisodeLine, RunHeader } from '../../store/records.ts'
import type { Report } from '../report.ts'

export const EXPORT_FORMATS = [
  'inspect',
  'lmms-eval',
  'csv',
  'every-eval-ever',
  'hf-eval-results',
  'trajectories',
] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** An episode in words. */
export interface Description {
  question?: string
  answer?: string | number | null
  truth?: string | number | null
  choices?: readonly string[]
}

export interface ExportInput {
  header: RunHeader
  rows: readonly EpisodeLine[]
  report: Report
  /** Reads the events of an episode; called one at a time, so only one episode is in memory. */
  eventsOf: (line: EpisodeLine) => Promise<readonly unknown[]>
  /** Question, answer and ground truth of an episode, from its events. */
  describe: (events: readonly unknown[]) => Description
  /** The metric of an episode that defines success; null if the suite has none. */
  success: string | null
  /** The dataset on the Hugging Face Hub that the samples come from. */
  dataset?: string
  /** Task of that dataset. */
  taskId?: string
  /** When it is exported. */
  exported: Date
}

/** A file to write: its name, with folders between slashes, and its text in chunks. */
export interface ExportedFile {
  name: string
  chunks: AsyncIterable<string>
}
