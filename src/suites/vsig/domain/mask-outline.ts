/** A mask as paths that can be drawn at any size: filled, and its edge along the edges of pixels. */
import { type Box, FOREGROUND_ABOVE, type Size, type Target, tightBox } from './mask.ts'
import { decodeGray } from './mask-png.ts'

export interface Outline {
  /** Size of the frame that the mask is over, in the mask's own pixels. */
  frame: Size
  /** Where the mask's first pixel is in that frame. */
  offset: readonly [x: number, y: number]
  /** SVG path data in pixels of the mask: rows of the object. */
  fill: string
  /** The same for its edge. */
  edge: string
}

/** Null for a mask that cannot be read. */
export function outlineOf(target: Target): Outline | null {
  if (target.kind === 'broken') return null
  const { png } = target
  const grey = decodeGray(png)
  if (!grey) return null
  const box: Box | null = target.kind === 'crop' ? target.box : null
  const { width, height } = target.kind === 'crop' ? target.frame : png
  const inside = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < png.width && y < png.height && grey[y * png.width + x]! > FOREGROUND_ABOVE
  // Most of a mask is empty.
  const [left, top, right, bottom] = tightBox(grey, png) ?? [0, 0, -1, -1]
  let fill = ''
  let edge = ''
  for (let y = top; y <= bottom + 1; y++) {
    for (let x = left; x <= right; x++) {
      if (inside(x, y) === inside(x, y - 1)) continue
      const start = x
      while (x <= right && inside(x, y) !== inside(x, y - 1)) x++
      edge += `M${start} ${y}h${x - start}`
    }
  }
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      if (!inside(x, y)) continue
      let end = x
      while (inside(end, y)) end++
      fill += `M${x} ${y}h${end - x}v1h${x - end}z`
      edge += `M${x} ${y}v1M${end} ${y}v1`
      x = end
    }
  }
  return { frame: { width, height }, offset: box ? [box[0], box[1]] : [0, 0], fill, edge }
}
