/**
 * Sine and cosine from + − × ÷ alone. The built-in ones may differ in their last bit between engines, and a scene's
 * hash must not.
 */

const TAU = 6.283185307179586

/** Sine of an angle in radians, within 1e-10. */
export function sine(radians: number): number {
  let turns = radians / TAU
  turns -= Math.floor(turns + 0.5)
  if (turns > 0.25) turns = 0.5 - turns
  else if (turns < -0.25) turns = -0.5 - turns
  const x = turns * TAU
  const s = x * x
  const high = 1 - (s / 110) * (1 - (s / 156) * (1 - s / 210))
  return x * (1 - (s / 6) * (1 - (s / 20) * (1 - (s / 42) * (1 - (s / 72) * high))))
}

export function cosine(radians: number): number {
  return sine(radians + TAU / 4)
}

/** Cosine and sine of degrees; exact for quarter turns, so that turned boxes stay on the grid. */
export function turnOf(degrees: number): readonly [number, number] {
  const quarter = degrees / 90
  if (quarter === Math.floor(quarter)) return QUARTERS[(((quarter % 4) + 4) % 4) as 0 | 1 | 2 | 3]
  const radians = (degrees * TAU) / 360
  return [cosine(radians), sine(radians)]
}

const QUARTERS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const

export { TAU }
