/** How far a run is, for whoever watches it. */
import type { Status } from '../store/records.ts'

export interface Progress {
  planned: number
  /** Episodes in the journal, those of earlier starts of the same run included. */
  finished: number
  /** Episodes that were there already when this start began. */
  before: number
  byStatus: Readonly<Partial<Record<Status, number>>>
  usd: number | null
  tokens: number
  calls: number
  cachedCalls: number
  /** The suite's headline so far; null before the first score. */
  score: { title: string; value: number; unit: 'percent' | 'number' } | null
  connections: number
  /** What went wrong last, for people. */
  lastError: string | null
}
