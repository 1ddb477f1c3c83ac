/** Which pixels a triangle covers, and how near it is there. */
import * as at from '../../../../../src/world/render/layout.ts'
import { f, type ScreenVertex } from './vertex.ts'

/** Says what becomes of a pixel that the triangle covers. */
export type Fragment = (pixel: number, closeness: number) => void

/**
 * Calls `fragment` for each pixel whose center is inside. Pixels on an edge between two triangles go to exactly one of
 * them: edges are whole numbers (1/256 pixel), and only top and left edges count as inside.
 */
export function rasterize(
  view: Float32Array,
  [a, b, c]: readonly [ScreenVertex, ScreenVertex, ScreenVertex],
  clipped: boolean,
  fragment: Fragment,
): void {
  const words = new Int32Array(view.buffer)
  const stride = words[at.V_STRIDE]!
  const area =
    (b.snappedX - a.snappedX) * (c.snappedY - a.snappedY) - (c.snappedX - a.snappedX) * (b.snappedY - a.snappedY)
  if (area === 0) return
  // On the screen y runs down: corners that run counterclockwise as seen have a negative area.
  if (area > 0 && (words[at.V_FLAGS]! & at.VIEW_HIDE_BACK_FACES) !== 0) return
  const [second, third] = area > 0 ? [b, c] : [c, b]

  const xs = [a.snappedX, b.snappedX, c.snappedX]
  const ys = [a.snappedY, b.snappedY, c.snappedY]
  const wide = Math.max(...xs) - Math.min(...xs)
  const high = Math.max(...ys) - Math.min(...ys)
  const left = Math.max(0, (Math.min(...xs) + 127) >> at.SUBPIXEL_BITS)
  const right = Math.min(words[at.V_WIDTH]! - 1, (Math.max(...xs) - 128) >> at.SUBPIXEL_BITS)
  const top = Math.max(0, (Math.min(...ys) + 127) >> at.SUBPIXEL_BITS)
  const bottom = Math.min(words[at.V_HEIGHT]! - 1, (Math.max(...ys) - 128) >> at.SUBPIXEL_BITS)

  const large = clipped || wide > at.SMALL_EXTENT || high > at.SMALL_EXTENT
  const plane = large ? largePlane(a, second, third) : smallPlane(a, second, third)
  for (let y = top; y <= bottom; y++) {
    const rowCloseness = f(plane.at + f(plane.perY * f(f(y + 0.5) - plane.y)))
    for (let x = left; x <= right; x++) {
      if (!inside(a, second, x, y) || !inside(second, third, x, y) || !inside(third, a, x, y)) continue
      const closeness = f(rowCloseness + f(plane.perX * f(f(x + 0.5) - plane.x)))
      fragment(y * stride + x, Math.min(Math.max(closeness, plane.least), plane.greatest))
    }
  }
}

function inside(from: ScreenVertex, to: ScreenVertex, x: number, y: number): boolean {
  const dx = to.snappedX - from.snappedX
  const dy = to.snappedY - from.snappedY
  const edge = dx * (y * 256 + 128 - from.snappedY) - dy * (x * 256 + 128 - from.snappedX)
  const topOrLeft = dy < 0 || (dy === 0 && dx > 0)
  return edge > 0 || (edge === 0 && topOrLeft)
}

/** Closeness over the screen: its value at (x, y), its slopes, and what it may not leave. */
interface Plane {
  x: number
  y: number
  at: number
  perX: number
  perY: number
  least: number
  greatest: number
}

/** From the positions before snapping, so that a steep surface keeps its exact depth. */
function smallPlane(a: ScreenVertex, b: ScreenVertex, c: ScreenVertex): Plane {
  const [bx, by, bk] = [f(b.x - a.x), f(b.y - a.y), f(b.closeness - a.closeness)]
  const [cx, cy, ck] = [f(c.x - a.x), f(c.y - a.y), f(c.closeness - a.closeness)]
  const area = f(f(bx * cy) - f(cx * by))
  const inverse = area === 0 ? 0 : f(1 / area)
  return {
    x: a.x,
    y: a.y,
    at: a.closeness,
    perX: f(f(f(bk * cy) - f(ck * by)) * inverse),
    perY: f(f(f(bx * ck) - f(cx * bk)) * inverse),
    least: Math.min(a.closeness, b.closeness, c.closeness),
    greatest: Math.max(a.closeness, b.closeness, c.closeness),
  }
}

/** A large triangle may reach far out of the picture: double precision, and counted from its farthest corner. */
function largePlane(a: ScreenVertex, b: ScreenVertex, c: ScreenVertex): Plane {
  const [bx, by, bk] = [b.x - a.x, b.y - a.y, b.closeness - a.closeness]
  const [cx, cy, ck] = [c.x - a.x, c.y - a.y, c.closeness - a.closeness]
  const area = bx * cy - cx * by
  const inverse = area === 0 ? 0 : 1 / area
  let farthest = a
  if (b.closeness < farthest.closeness) farthest = b
  if (c.closeness < farthest.closeness) farthest = c
  return {
    x: farthest.x,
    y: farthest.y,
    at: farthest.closeness,
    perX: f((bk * cy - ck * by) * inverse),
    perY: f((bx * ck - cx * bk) * inverse),
    least: farthest.closeness,
    greatest: Math.max(a.closeness, b.closeness, c.closeness),
  }
}
