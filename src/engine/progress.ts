import type { Status } from '../store/records.ts'

/** Progress of a run. */
export interface Progress {
  planned: number
  /** Episodes in the journal, including those from before a resume. */
  finished: number
  /** Episodes that were in the journal when this process started or resumed the run. */
  before: number
  byStatus: Readonly<Partial<Record<Status, number>>>
  /** Null if any reply has no known price. */
  usd: number | null
  tokens: number
  calls: number
  cachedCalls: number
  /** The headline metric so far; null before the first score. */
  score: { title: string; value: number; unit: 'percent' | 'number' } | null
  connections: number
  /** Seconds until a rate-limited provider takes requests again; 0 if none is waiting. */
  waitSeconds: number
  /** Human-readable message of the last model error. */
  lastError: string | null
}
