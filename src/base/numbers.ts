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

/**
 * Two-sided p-value of Pearson's r over n pairs, by Student's t: the regularized incomplete beta function
 * I(1 − r²; (n − 2)/2, 1/2). Null for fewer than three pairs.
 */
export function correlationP(r: number, n: number): number | null {
  if (n < 3) return null
  const x = Math.min(1, Math.max(0, 1 - r * r))
  const steps = 256
  // Substituting sin² removes the singularity at 1: Simpson's rule on a smooth integrand.
  const density = (angle: number): number => Math.sin(angle) ** (n - 3)
  const integral = (to: number): number => {
    const h = to / steps
    let sum = density(0) + density(to)
    for (let i = 1; i < steps; i++) sum += (i % 2 === 1 ? 4 : 2) * density(i * h)
    return (sum * h) / 3
  }
  return integral(Math.asin(Math.sqrt(x))) / integral(Math.PI / 2)
}
