/** Rounds halves to the even neighbour, as Python's `round` does; `Math.round` rounds them up. */
export function roundHalfEven(value: number): number {
  const below = Math.floor(value)
  const rest = value - below
  if (rest < 0.5) return below
  if (rest > 0.5) return below + 1
  return below % 2 === 0 ? below : below + 1
}
