/** Lines and dots on a bitmap of r, g, b. */
import type { Bitmap } from '../../../../suite.ts'

type Color = readonly [number, number, number]
interface Point {
  x: number
  y: number
}

const LINE_WIDTH = 3
const DOT_RADIUS = 4
/** Points far outside are cut: a projection may put them anywhere. */
const FARTHEST = 4000

/** From cyan to magenta over time. */
export function traceColor(t: number): Color {
  return [Math.round(255 * t), Math.round(255 * (1 - t)), 255]
}

export function drawLine(bitmap: Bitmap, from: Point, to: Point, color: Color): void {
  if (![from.x, from.y, to.x, to.y].every((value) => Math.abs(value) < FARTHEST)) return
  const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y)))
  for (let i = 0; i <= steps; i++) {
    const t = i / steps
    fillCircle(bitmap, from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t, LINE_WIDTH / 2, color)
  }
}

export function drawDot(bitmap: Bitmap, at: Point, color: Color): void {
  if (Math.abs(at.x) < FARTHEST && Math.abs(at.y) < FARTHEST) fillCircle(bitmap, at.x, at.y, DOT_RADIUS, color)
}

function fillCircle({ width, height, data }: Bitmap, cx: number, cy: number, radius: number, color: Color): void {
  for (let y = Math.max(0, Math.floor(cy - radius)); y <= Math.min(height - 1, Math.ceil(cy + radius)); y++) {
    for (let x = Math.max(0, Math.floor(cx - radius)); x <= Math.min(width - 1, Math.ceil(cx + radius)); x++) {
      if ((x + 0.5 - cx) ** 2 + (y + 0.5 - cy) ** 2 > radius * radius) continue
      const at = (y * width + x) * 3
      data[at] = color[0]
      data[at + 1] = color[1]
      data[at + 2] = color[2]
    }
  }
}
