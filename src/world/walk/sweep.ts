/** A disc that moves on the floor among straight edges. */

/** Edges: x and y of one end, x and y of the other, one after the other. */
export interface Edges {
  ends: Float64Array
  /** What each edge belongs to. */
  owners: Uint16Array
  count: number
}

export interface Contact {
  /** How much of the way is free, 0…1. */
  fraction: number
  /** From the obstacle to the disc. */
  normalX: number
  normalY: number
  owner: number
}

/** Distances below this are none: a disc that rests against an edge does not overlap it. */
const TOUCH = 1e-9
/** An edge is only passed over without a closer look when it is out of reach by more than rounding could explain. */
const CERTAIN = 1e-6

/** The first edge that a disc of this radius runs into on its way from (x, y) by (dx, dy). */
export function sweepDisc(
  edges: Edges,
  x: number,
  y: number,
  dx: number,
  dy: number,
  radius: number,
): Contact | undefined {
  let best: Contact | undefined
  const offer = (fraction: number, normalX: number, normalY: number, owner: number) => {
    if (fraction < (best?.fraction ?? 1)) best = { fraction, normalX, normalY, owner }
  }
  const length2 = dx * dx + dy * dy
  const { ends, count } = edges
  // Most edges of a dense scan lie next to the way or beyond what was hit already: four products tell.
  const length = Math.sqrt(length2)
  const beside = (radius + CERTAIN) * length
  const behind = -beside
  for (let i = 0; i < count; i++) {
    const ax = ends[i * 4]!
    const ay = ends[i * 4 + 1]!
    const bx = ends[i * 4 + 2]!
    const by = ends[i * 4 + 3]!
    const sideA = (ay - y) * dx - (ax - x) * dy
    const sideB = (by - y) * dx - (bx - x) * dy
    if ((sideA > beside && sideB > beside) || (sideA < behind && sideB < behind)) continue
    const beyond = length2 * (best?.fraction ?? 1) + beside
    const alongA = (ax - x) * dx + (ay - y) * dy
    const alongB = (bx - x) * dx + (by - y) * dy
    if ((alongA > beyond && alongB > beyond) || (alongA < behind && alongB < behind)) continue
    const ex = bx - ax
    const ey = by - ay
    const owner = edges.owners[i]!
    const edge2 = ex * ex + ey * ey
    const along = edge2 === 0 ? 0 : clamp01(((x - ax) * ex + (y - ay) * ey) / edge2)
    const awayX = x - (ax + ex * along)
    const awayY = y - (ay + ey * along)
    const away = Math.sqrt(awayX * awayX + awayY * awayY)
    if (away < radius - TOUCH) {
      // Already overlapping, as bodies in noisy scans do: it may leave, but not go deeper.
      if (away > TOUCH && awayX * dx + awayY * dy < 0) offer(0, awayX / away, awayY / away, owner)
      continue
    }
    const edge = Math.sqrt(edge2)
    if (edge > 0) {
      // Against the straight side: when the center comes within a radius of the line, next to the edge.
      let nx = -ey / edge
      let ny = ex / edge
      let height = (x - ax) * nx + (y - ay) * ny
      if (height < 0) {
        nx = -nx
        ny = -ny
        height = -height
      }
      const approach = dx * nx + dy * ny
      if (approach < 0 && height >= radius - TOUCH) {
        const t = Math.max(0, (height - radius) / -approach)
        const at = ((x + dx * t - ax) * ex + (y + dy * t - ay) * ey) / edge2
        if (t <= 1 && at >= 0 && at <= 1) {
          offer(t, nx, ny, owner)
          continue
        }
      }
    }
    hitEnd(ax, ay, owner)
    hitEnd(ax + ex, ay + ey, owner)
  }
  return best

  /** Against an end: the center meets a circle around it. */
  function hitEnd(px: number, py: number, owner: number): void {
    const sx = x - px
    const sy = y - py
    const b = sx * dx + sy * dy
    if (b >= 0) return
    const c = sx * sx + sy * sy - radius * radius
    const root = b * b - length2 * c
    if (root < 0) return
    const t = Math.max(0, (-b - Math.sqrt(root)) / length2)
    if (t <= 1) offer(t, (sx + dx * t) / radius, (sy + dy * t) / radius, owner)
  }
}

/** Meters from a point to the nearest edge; infinity when there is none. */
export function distanceToEdges(edges: Edges, x: number, y: number): number {
  let least = Infinity
  for (let i = 0; i < edges.count; i++) {
    const ax = edges.ends[i * 4]!
    const ay = edges.ends[i * 4 + 1]!
    const ex = edges.ends[i * 4 + 2]! - ax
    const ey = edges.ends[i * 4 + 3]! - ay
    const edge2 = ex * ex + ey * ey
    const along = edge2 === 0 ? 0 : clamp01(((x - ax) * ex + (y - ay) * ey) / edge2)
    least = Math.min(least, Math.hypot(x - (ax + ex * along), y - (ay + ey * along)))
  }
  return least
}

function clamp01(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value
}
