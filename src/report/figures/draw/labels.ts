/** Places names next to points so that they cover neither each other nor a point. */

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface Labeled {
  x: number
  y: number
  width: number
}

/** Where a label goes relative to its point, in order of preference: −1 before, 0 centered, 1 after. */
const PLACES = [
  [1, 0],
  [-1, 0],
  [1, -1],
  [1, 1],
  [-1, -1],
  [-1, 1],
  [0, -1],
  [0, 1],
] as const
const DISTANCE = 5

/**
 * @param taken what labels must not cover
 * @param inside the space that labels must stay in
 * @returns a box per point; `clashes` counts those that cover something
 */
export function placeLabels(
  points: readonly Labeled[],
  height: number,
  taken: readonly Box[],
  inside: Box,
): { boxes: Box[]; clashes: number } {
  const occupied = [...taken]
  let clashes = 0
  const boxes = points.map(({ x, y, width }) => {
    const candidates = PLACES.map(([right, down]): Box => {
      const shift = down === 0 ? DISTANCE : DISTANCE * 0.6
      return {
        x: x + right * shift + (right - 1) * 0.5 * width,
        y: y + down * shift + (down - 1) * 0.5 * height,
        width,
        height,
      }
    })
    const covered = candidates.map((box) =>
      contains(inside, box) ? occupied.filter((b) => overlap(b, box)).length : 1000,
    )
    const best = covered.indexOf(Math.min(...covered))
    if (covered[best]! > 0) clashes += 1
    occupied.push(candidates[best]!)
    return candidates[best]!
  })
  return { boxes, clashes }
}

function contains(outer: Box, { x, y, width, height }: Box): boolean {
  return x >= outer.x && y >= outer.y && x + width <= outer.x + outer.width && y + height <= outer.y + outer.height
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}
