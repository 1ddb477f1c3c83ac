/** What depth and ids of one picture tell: on which cell things stand, and how far the walls are. */
import { type DepthIdFrame, MIN_PIXELS, type Label } from '../../domain/vision/depth-id-frame.ts'

/** Something in a picture; `right` and `ahead` are whole cells from the viewer. */
export interface Glimpse {
  id: number
  label: Label
  right: number
  ahead: number
  pixels: number
  /** Metres that its surface extends to the right and ahead. A door is flat: the shorter of the two is across it. */
  spanRight: number
  spanAhead: number
}

export interface Reading {
  things: Glimpse[]
  /** Farthest depth of the room left of the view axis and right of it: the wall ahead. */
  wallLeft: number
  wallRight: number
}

/** Nearer to the view axis than this it is not clear on which side of a wall a point lies that one stands in. */
const AXIS = 0.2

/**
 * Every visible point of a thing lies over its own cell, because all things keep within theirs: rounding gives the cell,
 * and the cell with the most points is taken.
 */
export function readFrame(frame: DepthIdFrame): Reading {
  const { width, height, depth, ids, labels, focal } = frame
  const votes = labels.map(() => new Map<number, number>())
  const spans = labels.map(() => ({ pixels: 0, right: [Infinity, -Infinity], ahead: [Infinity, -Infinity] }))
  let wallLeft = 0
  let wallRight = 0
  for (let j = 0, i = 0; j < height; j++) {
    for (let k = 0; k < width; k++, i++) {
      const far = depth[i]!
      if (far === 0) continue
      const right = ((k + 0.5 - width / 2) / focal) * far
      const id = ids[i]!
      if (id === 0) {
        if (right < -AXIS && far > wallLeft) wallLeft = far
        if (right > AXIS && far > wallRight) wallRight = far
        continue
      }
      const span = spans[id - 1]!
      span.pixels += 1
      span.right[0] = Math.min(span.right[0]!, right)
      span.right[1] = Math.max(span.right[1]!, right)
      span.ahead[0] = Math.min(span.ahead[0]!, far)
      span.ahead[1] = Math.max(span.ahead[1]!, far)
      const cell = cellKey(Math.round(right), Math.round(far))
      const vote = votes[id - 1]!
      vote.set(cell, (vote.get(cell) ?? 0) + 1)
    }
  }
  const things = labels.flatMap((label, i): Glimpse[] => {
    const { pixels, right, ahead } = spans[i]!
    if (pixels < MIN_PIXELS) return []
    const [cell] = [...votes[i]!].reduce((best, vote) => (vote[1] > best[1] ? vote : best))
    return [
      {
        id: i + 1,
        label,
        ...cellOf(cell),
        pixels,
        spanRight: right[1]! - right[0]!,
        spanAhead: ahead[1]! - ahead[0]!,
      },
    ]
  })
  return { things, wallLeft, wallRight }
}

/** Cells ahead that a look can clear: two rooms of ten cells, seen from the doorway between them and beyond. */
const FARTHEST = 24
/** A thing this far above the floor would be in the picture: the lowest stand is as high. */
const PROBE_HEIGHT = 0.1
/** Everything keeps within this distance of the middle of its cell, metres. */
const HALF_A_THING = 0.45

/** Cells (right, ahead) over whose middle the view is free: what stands there is in the picture. */
export function clearCells({
  width,
  height,
  depth,
  focal,
  cameraHeight,
}: DepthIdFrame): [right: number, ahead: number][] {
  const cells: [number, number][] = []
  for (let ahead = 1; ahead <= FARTHEST; ahead++) {
    const row = Math.floor(height / 2 + (focal * (cameraHeight - PROBE_HEIGHT)) / ahead)
    if (row >= height) continue
    for (let right = -ahead; right <= ahead; right++) {
      const column = Math.floor(width / 2 + (focal * right) / ahead)
      const far = column < 0 || column >= width ? 0 : depth[row * width + column]!
      if (far > ahead - HALF_A_THING) cells.push([right, ahead])
    }
  }
  return cells
}

const STRIDE = 4096

function cellKey(right: number, ahead: number): number {
  return (right + STRIDE / 2) * STRIDE + ahead
}

function cellOf(key: number): { right: number; ahead: number } {
  return { right: Math.floor(key / STRIDE) - STRIDE / 2, ahead: key % STRIDE }
}
