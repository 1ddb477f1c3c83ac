/**
 * Ray casts against boxes: each part of an object stands for itself as the box around it. A room has a few thousand
 * parts instead of a few hundred thousand triangles, and at the distance between two lit vertices the difference
 * cannot be seen.
 */
import type { Occluder } from '../objects/shapes.ts'

const LEAF_SIZE = 4
/** Floats a box: inverse rotation (9), centre (3), half sizes (3), whether it is solid, whether it is turned. */
const STRIDE = 17
/** A ray never meets a box that it starts in: a part does not shade its own rounded edges. */
const OWN_PART = 0.004
/** How deep a ray must run in a wall to be stopped by it. */
const SKIN = 0.02

export class BoxCaster {
  readonly #boxes: Float64Array
  readonly #nodes: Float64Array
  /** Right child of an inner node, or −1 − first box of a leaf. */
  readonly #links: Int32Array
  readonly #counts: Int32Array
  readonly #stack = new Int32Array(64)
  #nodeCount = 0

  constructor(occluders: readonly Occluder[]) {
    const bounds = occluders.map(boundsOf)
    const order = occluders.map((_, i) => i)
    const most = Math.max(1, occluders.length * 2)
    this.#nodes = new Float64Array(most * 6)
    this.#links = new Int32Array(most)
    this.#counts = new Int32Array(most)
    if (occluders.length > 0) this.#build(bounds, order, 0, order.length)
    this.#boxes = new Float64Array(occluders.length * STRIDE)
    order.forEach((which, place) => writeBox(this.#boxes, place * STRIDE, occluders[which]!))
  }

  /** Distance along the unit direction to the nearest box, or `far`. */
  distance(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, far: number): number {
    return this.#cast(ox, oy, oz, dx, dy, dz, far, false)
  }

  blocked(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, far: number): boolean {
    return this.#cast(ox, oy, oz, dx, dy, dz, far, true) < far
  }

  #cast(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, far: number, any: boolean): number {
    if (this.#nodeCount === 0) return far
    const nodes = this.#nodes
    const stack = this.#stack
    const ix = 1 / dx
    const iy = 1 / dy
    const iz = 1 / dz
    let best = far
    let depth = 0
    stack[depth++] = 0
    while (depth > 0) {
      const node = stack[--depth]!
      const at = node * 6
      const tx0 = (nodes[at]! - ox) * ix
      const tx1 = (nodes[at + 3]! - ox) * ix
      const ty0 = (nodes[at + 1]! - oy) * iy
      const ty1 = (nodes[at + 4]! - oy) * iy
      const tz0 = (nodes[at + 2]! - oz) * iz
      const tz1 = (nodes[at + 5]! - oz) * iz
      let near = tx0 < tx1 ? tx0 : tx1
      let away = tx0 < tx1 ? tx1 : tx0
      const ny = ty0 < ty1 ? ty0 : ty1
      const fy = ty0 < ty1 ? ty1 : ty0
      if (ny > near) near = ny
      if (fy < away) away = fy
      const nz = tz0 < tz1 ? tz0 : tz1
      const fz = tz0 < tz1 ? tz1 : tz0
      if (nz > near) near = nz
      if (fz < away) away = fz
      if (near > away || away < 0 || near > best) continue
      const link = this.#links[node]!
      if (link >= 0) {
        stack[depth++] = link
        stack[depth++] = node + 1
        continue
      }
      const first = -1 - link
      for (let i = first, end = first + this.#counts[node]!; i < end; i++) {
        const t = this.#box(i * STRIDE, ox, oy, oz, dx, dy, dz)
        if (t < best) {
          best = t
          if (any) return best
        }
      }
    }
    return best
  }

  #box(at: number, ox: number, oy: number, oz: number, dx: number, dy: number, dz: number): number {
    const b = this.#boxes
    const px = ox - b[at + 9]!
    const py = oy - b[at + 10]!
    const pz = oz - b[at + 11]!
    const turned = b[at + 16]! !== 0
    let near = -Infinity
    let away = Infinity
    let inside = true
    for (let k = 0; k < 3; k++) {
      let o = k === 0 ? px : k === 1 ? py : pz
      let d = k === 0 ? dx : k === 1 ? dy : dz
      if (turned) {
        const rx = b[at + k * 3]!
        const ry = b[at + k * 3 + 1]!
        const rz = b[at + k * 3 + 2]!
        o = rx * px + ry * py + rz * pz
        d = rx * dx + ry * dy + rz * dz
      }
      const half = b[at + 12 + k]!
      if (o > half + OWN_PART || o < -half - OWN_PART) inside = false
      if (d > -1e-9 && d < 1e-9) {
        if (o > half || o < -half) return Infinity
        continue
      }
      const i = 1 / d
      const t0 = (-half - o) * i
      const t1 = (half - o) * i
      if (t0 < t1) {
        if (t0 > near) near = t0
        if (t1 < away) away = t1
      } else {
        if (t1 > near) near = t1
        if (t0 < away) away = t0
      }
    }
    if (near > away) return Infinity
    // In the corner of a room a vertex lies on the face of the next wall: rays into that wall are stopped.
    if (b[at + 15]! !== 0) return away > SKIN ? (near > 0 ? near : 0) : Infinity
    return inside || near < 0 ? Infinity : near
  }

  /** Splits at the middle of the longest side of the centres. */
  #build(bounds: readonly Float64Array[], order: number[], from: number, to: number): number {
    const node = this.#nodeCount++
    const low = [Infinity, Infinity, Infinity]
    const high = [-Infinity, -Infinity, -Infinity]
    const first = [Infinity, Infinity, Infinity]
    const last = [-Infinity, -Infinity, -Infinity]
    for (let i = from; i < to; i++) {
      const box = bounds[order[i]!]!
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k]!, box[k]!)
        high[k] = Math.max(high[k]!, box[k + 3]!)
        const middle = box[k]! + box[k + 3]!
        first[k] = Math.min(first[k]!, middle)
        last[k] = Math.max(last[k]!, middle)
      }
    }
    for (let k = 0; k < 3; k++) {
      this.#nodes[node * 6 + k] = low[k]!
      this.#nodes[node * 6 + 3 + k] = high[k]!
    }
    const spans = [0, 1, 2].map((k) => last[k]! - first[k]!)
    const axis = spans[0]! >= spans[1]! && spans[0]! >= spans[2]! ? 0 : spans[1]! >= spans[2]! ? 1 : 2
    if (to - from <= LEAF_SIZE || spans[axis]! <= 0) {
      this.#links[node] = -1 - from
      this.#counts[node] = to - from
      return node
    }
    const sorted = order.slice(from, to).toSorted((a, b) => {
      const da = bounds[a]![axis]! + bounds[a]![axis + 3]!
      const db = bounds[b]![axis]! + bounds[b]![axis + 3]!
      return da - db || a - b
    })
    for (let i = from; i < to; i++) order[i] = sorted[i - from]!
    const middle = (from + to) >> 1
    this.#build(bounds, order, from, middle)
    this.#links[node] = this.#build(bounds, order, middle, to)
    return node
  }
}

function boundsOf({ frame, half }: Occluder): Float64Array {
  const bounds = new Float64Array(6)
  for (let k = 0; k < 3; k++) {
    let reach = 0
    for (let j = 0; j < 3; j++) reach += Math.abs(frame[k * 4 + j]!) * half[j]!
    bounds[k] = frame[k * 4 + 3]! - reach
    bounds[k + 3] = frame[k * 4 + 3]! + reach
  }
  return bounds
}

function writeBox(into: Float64Array, at: number, { frame, half, solid = false }: Occluder): void {
  for (let k = 0; k < 3; k++) {
    for (let j = 0; j < 3; j++) into[at + k * 3 + j] = frame[j * 4 + k]!
    into[at + 9 + k] = frame[k * 4 + 3]!
    into[at + 12 + k] = half[k]!
  }
  into[at + 15] = solid ? 1 : 0
  const [a, , , , , b] = frame
  into[at + 16] = a === 1 && b === 1 && frame[10] === 1 ? 0 : 1
}
