/** The mean; `whenEmpty` (default: NaN) if there are no values. */
export function mean(values: readonly number[]): number
export function mean<T>(values: readonly number[], whenEmpty: T): number | T
export function mean(values: readonly number[], whenEmpty: unknown = Number.NaN): unknown {
  if (values.length === 0) return whenEmpty
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}

/**
 * The value at `rank` in sorted order. Reorders the values (Hoare's selection): nothing before `rank` is larger, and
 * nothing after it smaller.
 */
export function selectInPlace(values: Float32Array | Float64Array, rank: number): number {
  let left = 0
  let right = values.length - 1
  while (left < right) {
    const pivot = middleOfThree(values[left]!, values[(left + right) >> 1]!, values[right]!)
    let i = left
    let j = right
    while (i <= j) {
      while (values[i]! < pivot) i++
      while (values[j]! > pivot) j--
      if (i <= j) {
        const swapped = values[i]!
        values[i++] = values[j]!
        values[j--] = swapped
      }
    }
    if (rank <= j) right = j
    else if (rank >= i) left = i
    else break
  }
  return values[rank]!
}

function middleOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}
