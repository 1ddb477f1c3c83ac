/** Points as annotators and models write them. */

export type Point = readonly [number, number]

/** Like the published scorers, which are in Python, treats booleans as numbers. */
export function asNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : null
}

/** Exactly two numbers; null for anything else. */
export function pairOf(value: unknown): Point | null {
  if (!Array.isArray(value) || value.length !== 2) return null
  const a = asNumber(value[0])
  const b = asNumber(value[1])
  return a === null || b === null ? null : [a, b]
}

/** All pairs in a list of points, or the single pair of a flat list. Null if any item is not a pair. */
export function pairsOf(value: unknown): Point[] | null {
  const single = pairOf(value)
  if (single) return [single]
  if (!Array.isArray(value) || value.length === 0) return null
  const pairs = value.map(pairOf)
  return pairs.every((pair) => pair !== null) ? pairs : null
}

export function meanOf(points: readonly Point[]): Point {
  let a = 0
  let b = 0
  for (const point of points) {
    a += point[0]
    b += point[1]
  }
  return [a / points.length, b / points.length]
}
