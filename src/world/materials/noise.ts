/** Noise that tiles: pictures made of it meet themselves at their edges. */

/** A number in [0, 1) from whole numbers, the same everywhere. */
export function hash(x: number, y: number, seed: number): number {
  let h = Math.imul(x | 0, 0x27d4eb2d) ^ Math.imul(y | 0, 0x165667b1) ^ Math.imul(seed | 0, 0x9e3779b1)
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296
}

function wrap(n: number, period: number): number {
  return ((n % period) + period) % period
}

/** Smooth noise over u, v in [0, 1) with `cellsU` × `cellsV` cells a tile. */
export function noise(u: number, v: number, cellsU: number, cellsV: number, seed: number): number {
  const x = u * cellsU
  const y = v * cellsV
  const x0 = Math.floor(x)
  const y0 = Math.floor(y)
  const fx = x - x0
  const fy = y - y0
  const sx = fx * fx * (3 - 2 * fx)
  const sy = fy * fy * (3 - 2 * fy)
  const left = wrap(x0, cellsU)
  const right = wrap(x0 + 1, cellsU)
  const top = wrap(y0, cellsV)
  const bottom = wrap(y0 + 1, cellsV)
  const a = hash(left, top, seed)
  const b = hash(right, top, seed)
  const c = hash(left, bottom, seed)
  const d = hash(right, bottom, seed)
  return a + (b - a) * sx + (c - a) * sy + (a - b - c + d) * sx * sy
}

/** `fractal` for many places: the random numbers of each octave are drawn once. */
export function fractalField(
  cellsU: number,
  cellsV: number,
  octaves: number,
  seed: number,
): (u: number, v: number) => number {
  const layers = Array.from({ length: octaves }, (_, i) => {
    const [columns, rows] = [cellsU << i, cellsV << i]
    // One more column and row than there are cells: the first ones again.
    const across = columns + 1
    const corners = new Float64Array(across * (rows + 1))
    for (let row = 0; row <= rows; row++)
      for (let column = 0; column <= columns; column++)
        corners[row * across + column] = hash(column % columns, row % rows, seed + i * 101)
    return { columns, rows, across, corners }
  })
  return (u, v) => {
    let sum = 0
    let weight = 0.5
    let total = 0
    for (let i = 0; i < octaves; i++) {
      const { columns, rows, across, corners } = layers[i]!
      const x = u * columns
      const y = v * rows
      const x0 = Math.floor(x)
      const y0 = Math.floor(y)
      const fx = x - x0
      const fy = y - y0
      const sx = fx * fx * (3 - 2 * fx)
      const sy = fy * fy * (3 - 2 * fy)
      const at = y0 * across + x0
      const a = corners[at]!
      const b = corners[at + 1]!
      const c = corners[at + across]!
      const d = corners[at + across + 1]!
      sum += weight * (a + (b - a) * sx + (c - a) * sy + (a - b - c + d) * sx * sy)
      total += weight
      weight *= 0.5
    }
    return sum / total
  }
}

/** Several octaves of it, in [0, 1]. */
export function fractal(u: number, v: number, cellsU: number, cellsV: number, octaves: number, seed: number): number {
  let sum = 0
  let weight = 0.5
  let total = 0
  for (let i = 0; i < octaves; i++) {
    sum += weight * noise(u, v, cellsU << i, cellsV << i, seed + i * 101)
    total += weight
    weight *= 0.5
  }
  return sum / total
}
