/** Converts a mask to scalable SVG paths: its filled area, and its edge along pixel borders. */
import { type Box, FOREGROUND_ABOVE, type Size, type Target, tightBox } from './mask.ts'
import { decodeGray } from './mask-png.ts'

export interface Outline {
  /** Size of the frame, in mask pixels. */
  frame: Size
  /** Position of the mask's first pixel in the frame. */
  offset: readonly [x: number, y: number]
  /** SVG path data of the filled area, in mask pixels. */
  fill: string
  /** SVG path data of the edge. */
  edge: string
}

/** Null for an unreadable mask. */
export function outlineOf(target: Target): Outline | null {
  if (target.kind === 'broken') return null
  const { png } = target
  const gray = decodeGray(png)
  if (!gray) return null
  const box: Box | null = target.kind === 'crop' ? target.box : null
  const { width, height } = target.kind === 'crop' ? target.frame : png
  const inside = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < png.width && y < png.height && gray[y * png.width + x]! > FOREGROUND_ABOVE
  // Skips the empty rest, which is most of a mask.
  const [left, top, right, bottom] = tightBox(gray, png) ?? [0, 0, -1, -1]
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
