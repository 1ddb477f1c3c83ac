/** Points, boxes and outlines, as flat lists of numbers. */

/** A box from four numbers: left, top, right, bottom. */
type Box = readonly [number, number, number, number]

/** The outline that a ground truth describes: a point, two corners of a box, or three and more corners. */
function outlineOf(numbers: readonly number[]): [number, number][] {
  if (numbers.length === 4) {
    const [left, top, right, bottom] = boxOf(numbers)
    return [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ]
  }
  return Array.from({ length: numbers.length >> 1 }, (_, i) => [numbers[2 * i]!, numbers[2 * i + 1]!])
}

export function boxOf([a = 0, b = 0, c = 0, d = 0]: readonly number[]): Box {
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]
}

/** Whether a point is in a region or on its edge. A region of one point holds only that point. */
export function isInside([x = Number.NaN, y = Number.NaN]: readonly number[], region: readonly number[]): boolean {
  const corners = outlineOf(region)
  let inside = false
  for (const [i, [ax, ay]] of corners.entries()) {
    const [bx, by] = corners[(i + 1) % corners.length]!
    const cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
    const onEdge =
      cross === 0 && x >= Math.min(ax, bx) && x <= Math.max(ax, bx) && y >= Math.min(ay, by) && y <= Math.max(ay, by)
    if (onEdge) return true
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside
  }
  return inside
}

/** Heights at which a point inside is looked for, if the middle of the corners is outside. */
const LINES = 63

/** A point of a region. */
export function pointInside(region: readonly number[]): [number, number] {
  const corners = outlineOf(region)
  const middle: [number, number] = [0, 0]
  for (const [x, y] of corners) {
    middle[0] += x / corners.length
    middle[1] += y / corners.length
  }
  if (corners.length < 3 || isInside(middle, region)) return middle
  const ys = corners.map(([, y]) => y)
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)]
  for (let line = 1; line <= LINES; line++) {
    const y = top + ((bottom - top) * line) / (LINES + 1)
    const crossings = corners
      .flatMap(([ax, ay], i) => {
        const [bx, by] = corners[(i + 1) % corners.length]!
        return ay > y !== by > y ? [ax + ((y - ay) / (by - ay)) * (bx - ax)] : []
      })
      .sort((a, b) => a - b)
    const [left, right] = crossings
    if (left !== undefined && right !== undefined && right > left) return [(left + right) / 2, y]
  }
  return corners[0]!
}

/** Overlap of two boxes: intersection over union. */
export function iou(first: readonly number[], second: readonly number[]): number {
  const [a, b] = [boxOf(first), boxOf(second)]
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0])
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1])
  const shared = Math.max(0, width) * Math.max(0, height)
  const area = ([left, top, right, bottom]: Box): number => (right - left) * (bottom - top)
  const all = area(a) + area(b) - shared
  // The same box in another scale is not the same to the last digit.
  return all > 0 ? (shared > all * (1 - 1e-9) ? 1 : shared / all) : 0
}
