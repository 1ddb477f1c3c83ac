import type { Moment } from './panel.ts'

/** Index of the last moment at or before `at`; −1 if there is none. */
export function indexAt(moments: readonly Moment[], at: number): number {
  let low = 0
  let high = moments.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (moments[middle]!.at <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}
