/** The room's extent as the protocol has it: percentiles of all vertices, so that stray points do not count. */
import type { Vec3 } from '../../../world/render/index.ts'

export interface Bounds {
  min: Vec3
  max: Vec3
}

export const LOW_PERCENTILE = 2
export const HIGH_PERCENTILE = 98

/** 2nd and 98th percentile along each axis, interpolated between ranks as NumPy does. */
export function percentileBounds(positions: ArrayLike<number>): Bounds {
  const count = Math.floor(positions.length / 3)
  const values = new Float64Array(count)
  const low: number[] = []
  const high: number[] = []
  for (let axis = 0; axis < 3; axis++) {
    for (let i = 0; i < count; i++) values[i] = positions[i * 3 + axis]!
    low.push(percentile(values, LOW_PERCENTILE))
    high.push(percentile(values, HIGH_PERCENTILE))
  }
  return { min: [low[0]!, low[1]!, low[2]!], max: [high[0]!, high[1]!, high[2]!] }
}

/** Reorders `values`. Selection instead of sorting: a scan has millions of them. */
export function percentile(values: Float64Array, percent: number): number {
  if (values.length === 0) return Number.NaN
  const rank = (percent / 100) * (values.length - 1)
  const below = Math.floor(rank)
  const share = rank - below
  const a = select(values, below)
  if (share === 0) return a
  // All behind `below` are at least as large: the next in order is the least of them.
  let b = Infinity
  for (let i = below + 1; i < values.length; i++) if (values[i]! < b) b = values[i]!
  return share < 0.5 ? a + (b - a) * share : b - (b - a) * (1 - share)
}

/** The value of this rank (Hoare); afterwards everything before it is no larger, everything behind it no smaller. */
function select(values: Float64Array, rank: number): number {
  let from = 0
  let to = values.length - 1
  while (from < to) {
    const middle = (from + to) >> 1
    const pivot = Math.max(
      Math.min(values[from]!, values[middle]!),
      Math.min(Math.max(values[from]!, values[middle]!), values[to]!),
    )
    let i = from
    let j = to
    while (i <= j) {
      while (values[i]! < pivot) i++
      while (values[j]! > pivot) j--
      if (i <= j) {
        const swapped = values[i]!
        values[i] = values[j]!
        values[j] = swapped
        i++
        j--
      }
    }
    if (rank <= j) to = j
    else if (rank >= i) from = i
    else break
  }
  return values[rank]!
}
