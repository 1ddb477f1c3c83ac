/** Reads one frame of depth and ids: the cell of each object, and the distance of the walls. */
import { type DepthIdFrame, MIN_PIXELS, type Label } from '../../domain/vision/depth-id-frame.ts'

/** An object or door in an image; `right` and `ahead` are whole cells from the viewer. */
export interface Detection {
  id: number
  label: Label
  right: number
  ahead: number
  pixels: number
  /** Extent of its surface to the right and ahead, in meters. A door is flat: the shorter one is across it. */
  spanRight: number
  spanAhead: number
}

export interface FrameReading {
  detections: Detection[]
  /** Maximum depth of the room left and right of the view axis, which is the wall ahead. */
  wallLeft: number
  wallRight: number
}

/** Closer to the view axis than this, the side of a point is ambiguous when standing in a wall, in meters. */
const AXIS_MARGIN = 0.2

/**
 * Objects stay within their cells, so rounding a visible point gives the object's cell; the cell with the most points
 * wins.
 */
export function readFrame(frame: DepthIdFrame): FrameReading {
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
        if (right < -AXIS_MARGIN && far > wallLeft) wallLeft = far
        if (right > AXIS_MARGIN && far > wallRight) wallRight = far
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
  const detections = labels.flatMap((label, i): Detection[] => {
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
  return { detections, wallLeft, wallRight }
}

/** Cells ahead that one look can clear. */
const MAX_CELLS_AHEAD = 24
/** Height at which any object would be visible, in meters. */
const PROBE_HEIGHT = 0.1
/** Objects stay within this distance of the center of their cell, in meters. */
const MAX_HALF_WIDTH = 0.5

/** Cells (right, ahead) with an unobstructed view of their center: an object there would be in the image. */
export function clearCells({
  width,
  height,
  depth,
  focal,
  cameraHeight,
}: DepthIdFrame): [right: number, ahead: number][] {
  const cells: [number, number][] = []
  for (let ahead = 1; ahead <= MAX_CELLS_AHEAD; ahead++) {
    const row = Math.floor(height / 2 + (focal * (cameraHeight - PROBE_HEIGHT)) / ahead)
    if (row >= height) continue
    for (let right = -ahead; right <= ahead; right++) {
      const column = Math.floor(width / 2 + (focal * right) / ahead)
      const far = column < 0 || column >= width ? 0 : depth[row * width + column]!
      if (far > ahead - MAX_HALF_WIDTH) cells.push([right, ahead])
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
