import type { Moment } from './panel.ts'

/** The last moment that is not after `at`. */
export function placeOf(moments: readonly Moment[], at: number): number {
  let low = 0
  let high = moments.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (moments[middle]!.at <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}
