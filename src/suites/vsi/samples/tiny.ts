/** The ids of VSI-Bench (tiny): 50 questions per task, by the `id` column. */
import ids from './tiny-ids.json' with { type: 'json' }

export const TINY_IDS: readonly number[] = ids
