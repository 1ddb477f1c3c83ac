/** The ids of VSI-Bench (tiny): 50 questions a task, by the data's own id column. */
import ids from './tiny-ids.json' with { type: 'json' }

export const TINY_IDS: readonly number[] = ids
