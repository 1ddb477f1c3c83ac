/** Sine and cosine from sums and products alone: `Math.sin` may differ in its last bit between engines. */

const RADIANS = Math.PI / 180

/** Sine and cosine of an angle in degrees. Exact at multiples of 90. */
export function sinCosDegrees(degrees: number): { sin: number; cos: number } {
  const turns = degrees / 90
  const quarter = Math.floor(turns + 0.5)
  const x = (turns - quarter) * 90 * RADIANS
  const x2 = x * x
  // Taylor series, |x| ≤ π/4: the next terms are below 1e-17.
  let sin = 0
  let cos = 0
  for (let n = 17; n >= 1; n -= 2) sin = 1 - (x2 / ((n + 1) * (n + 2))) * sin
  for (let n = 16; n >= 0; n -= 2) cos = 1 - (x2 / ((n + 1) * (n + 2))) * cos
  sin *= x
  switch (((quarter % 4) + 4) % 4) {
    case 0:
      return { sin, cos }
    case 1:
      return { sin: cos, cos: -sin }
    case 2:
      return { sin: -sin, cos: -cos }
    default:
      return { sin: -cos, cos: sin }
  }
}
