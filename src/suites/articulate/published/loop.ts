/** The published loop of actor and critic, step by step. */
import { latestThenBest } from '../play/selection.ts'

export interface LoopConfig {
  max_iter: number
  num_seeds: number
  conservative: boolean
  cutoff: number
}

export type LoopRecord = Record<string, unknown> & { iteration: number; seed: number; feedback_score: number }

/**
 * `run` plays actor and critic once and gives their fields; it may throw, which scores −1. `retry` is the whole record
 * that counts so far, or null at first: after an error it has lost everything but numbers.
 */
export async function publishedLoop(
  { max_iter, num_seeds, conservative, cutoff }: LoopConfig,
  run: (
    iteration: number,
    seed: number,
    retry: LoopRecord | null,
  ) => Promise<Record<string, unknown> & { feedback_score: number }>,
): Promise<{ returned: LoopRecord | null; records: LoopRecord[] }> {
  const records: LoopRecord[] = []
  let retry: LoopRecord | null = null
  const best = (): LoopRecord | null =>
    latestThenBest(
      records.map((record) => ({
        iteration: record.iteration,
        seed: record.seed,
        score: record.feedback_score,
        record,
      })),
    )?.record ?? null
  for (let iteration = 0; iteration < max_iter; iteration++) {
    for (let seed = 0; seed < num_seeds; seed++) {
      let fields: Record<string, unknown> & { feedback_score: number }
      try {
        fields = await run(iteration, seed, retry)
      } catch {
        fields = { feedback_score: -1 }
      }
      const record: LoopRecord = { iteration, seed, ...fields }
      records.push(record)
      const current = best()!
      if (current.feedback_score > cutoff) return { returned: current, records }
      retry = current
      if (conservative && record.feedback_score >= 0) break
    }
  }
  return { returned: best(), records }
}
