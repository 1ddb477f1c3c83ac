/** Temporal flickering: how much neighbouring frames differ. Needs no network. */

/** Sum of absolute differences of two frames' samples. */
export function absoluteDifference(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  let sum = 0
  let i = 0
  // Four at a time: the sum of a block stays a small integer, which the engine keeps in a register.
  for (; i + 4 <= length; i += 4) {
    const d0 = a[i]! - b[i]!
    const d1 = a[i + 1]! - b[i + 1]!
    const d2 = a[i + 2]! - b[i + 2]!
    const d3 = a[i + 3]! - b[i + 3]!
    sum += (d0 < 0 ? -d0 : d0) + (d1 < 0 ? -d1 : d1) + (d2 < 0 ? -d2 : d2) + (d3 < 0 ? -d3 : d3)
  }
  for (; i < length; i++) sum += Math.abs(a[i]! - b[i]!)
  return sum
}

/** Score of a clip from the mean absolute differences (0…255) of its neighbouring frames; null with one frame. */
export function flickerScore(differences: readonly number[]): number | null {
  if (differences.length === 0) return null
  let sum = 0
  for (const difference of differences) sum += difference
  return (255 - sum / differences.length) / 255
}
