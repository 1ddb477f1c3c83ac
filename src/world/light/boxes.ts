/**
 * Ray casts against boxes: each part of an object stands for itself as the box around it. A room has a few thousand
 * parts instead of a few hundred thousand triangles, and at the distance between two lit vertices the difference
 * cannot be seen.
 */
import type { Occluder } from '../objects/shapes.ts'

const LEAF_SIZE = 3
/** Floats a box: inverse rotation (9), center (3), half sizes (3), whether it is solid, whether it is turned. */
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
  /** Along which axis an inner node was split; its left child has the lower places. */
  readonly #axes: Uint8Array
  /** What stopped a ray last stops the next one, too, more often than not. */
  #lastBlocker = 0
  readonly #stack = new Int32Array(64)
  #nodeCount = 0

  constructor(occluders: readonly Occluder[]) {
    const bounds = occluders.map(boundsOf)
    const order = occluders.map((_, i) => i)
    const most = Math.max(1, occluders.length * 2)
    this.#nodes = new Float64Array(most * 6)
    this.#links = new Int32Array(most)
    this.#counts = new Int32Array(most)
    this.#axes = new Uint8Array(most)
    if (occluders.length > 0) this.#build(bounds, order, 0, order.length)
    this.#boxes = new Float64Array(occluders.length * STRIDE)
    order.forEach((which, place) => writeBox(this.#boxes, place * STRIDE, occluders[which]!))
  }

  /** Distance along the unit direction to the nearest box, or `far`. */
  distance(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, far: number): number {
    return this.#cast(ox, oy, oz, dx, dy, dz, far, false)
  }

  blocked(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, far: number): boolean {
    if (this.#nodeCount === 0) return false
    if (this.#box(this.#lastBlocker * STRIDE, ox, oy, oz, dx, dy, dz) < far) return true
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
        // The child that the ray comes to first is looked at first: what it hits there spares the other.
        const axis = this.#axes[node]!
        const backwards = (axis === 0 ? dx : axis === 1 ? dy : dz) < 0
        stack[depth++] = backwards ? node + 1 : link
        stack[depth++] = backwards ? link : node + 1
        continue
      }
      const first = -1 - link
      for (let i = first, end = first + this.#counts[node]!; i < end; i++) {
        const t = this.#box(i * STRIDE, ox, oy, oz, dx, dy, dz)
        if (t < best) {
          best = t
          if (any) {
            this.#lastBlocker = i
            return best
          }
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

  /** Splits where the two halves' surfaces, each times its number of boxes, are smallest. */
  #build(bounds: readonly Float64Array[], order: number[], from: number, to: number): void {
    const node = this.#nodeCount++
    const whole = emptyBounds()
    for (let i = from; i < to; i++) grow(whole, bounds[order[i]!]!)
    this.#nodes.set(whole, node * 6)
    const split = to - from <= LEAF_SIZE ? null : bestSplit(bounds, order.slice(from, to), surface(whole))
    if (!split) {
      this.#links[node] = -1 - from
      this.#counts[node] = to - from
      return
    }
    for (let i = from; i < to; i++) order[i] = split.order[i - from]!
    this.#axes[node] = split.axis
    const middle = from + split.left
    this.#build(bounds, order, from, middle)
    this.#links[node] = this.#nodeCount
    this.#build(bounds, order, middle, to)
  }
}

function emptyBounds(): Float64Array {
  return Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity)
}

function grow(bounds: Float64Array, box: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    if (box[k]! < bounds[k]!) bounds[k] = box[k]!
    if (box[k + 3]! > bounds[k + 3]!) bounds[k + 3] = box[k + 3]!
  }
}

function surface(b: Float64Array): number {
  const [x, y, z] = [b[3]! - b[0]!, b[4]! - b[1]!, b[5]! - b[2]!]
  return x * y + y * z + z * x
}

interface Split {
  order: number[]
  left: number
  axis: number
}

function bestSplit(bounds: readonly Float64Array[], boxes: readonly number[], whole: number): Split | null {
  let best = boxes.length * whole
  let found: Split | null = null
  const after = new Float64Array(boxes.length)
  for (let axis = 0; axis < 3; axis++) {
    const order = boxes.toSorted(
      (a, b) => bounds[a]![axis]! + bounds[a]![axis + 3]! - bounds[b]![axis]! - bounds[b]![axis + 3]! || a - b,
    )
    const right = emptyBounds()
    for (let i = order.length - 1; i > 0; i--) {
      grow(right, bounds[order[i]!]!)
      after[i] = surface(right)
    }
    const left = emptyBounds()
    for (let i = 1; i < order.length; i++) {
      grow(left, bounds[order[i - 1]!]!)
      const cost = surface(left) * i + after[i]! * (order.length - i)
      if (cost < best) {
        best = cost
        found = { order, left: i, axis }
      }
    }
  }
  return found
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
