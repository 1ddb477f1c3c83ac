/**
 * Ray casts against boxes: each part of an object stands for itself as the box around it. A room has a few thousand
 * parts instead of a few hundred thousand triangles, and at the distance between two lit vertices the difference
 * cannot be seen. Rays are cast in WebAssembly (`kernels/light`).
 */
import type { Occluder } from '../objects/shapes.ts'
import { castRays, MAX_LEVELS, type Tree } from './light-kernel.ts'

const LEAF_SIZE = 3
/** Doubles per box: inverse rotation (9), center (3), half sizes (3), whether it is solid, whether it is turned. */
const STRIDE = 17
/** Children per node, which are compared at once. */
const WIDE = 4
/** Words per part of the scene: its bounds (6 doubles), its first box, its number of boxes, the part it is half of, its first group. */
const PART_WORDS = 16
/** Words per node: least x, y, z and greatest x, y, z of the children, the children, and for each octant their order. */
const NODE_WORDS = WIDE * 7 + 2
const OCTANTS = 8
/** Floats of a group, the bounds of four boxes of a leaf: least x, y, z and greatest x, y, z. */
const GROUP_FLOATS = WIDE * 6
/** Nodes are compared in single precision; this makes up for what it is off by. In meters. */
const MARGIN = 0.0001
/** Where a child is that is not there: no ray comes so far. */
const NOWHERE = 1e30

export class BoxCaster {
  readonly #tree: Tree | null = null

  constructor(occluders: readonly Occluder[]) {
    if (occluders.length === 0) return
    const order = occluders.map((_, i) => i)
    const parts: TreeNode[] = []
    const bounds = occluders.map(boundsOf)
    splitTree(bounds, order, 0, order.length, parts, -1)
    const boxes = new Float64Array(occluders.length * STRIDE)
    order.forEach((which, place) => writeBox(boxes, place * STRIDE, occluders[which]!))
    const ordered = order.map((which) => bounds[which]!)
    this.#tree = { nodes: wideNodes(parts[0]!), boxes, ...writtenParts(parts, ordered) }
  }

  /** Distance along the unit direction to the nearest box, or `far`. */
  distance(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, far: number): number {
    return this.#tree === null ? far : castRays(this.#tree).distance(ox, oy, oz, dx, dy, dz, far)
  }

  blocked(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, far: number): boolean {
    return this.#tree !== null && castRays(this.#tree).blocked(ox, oy, oz, dx, dy, dz, far)
  }

  /**
   * How open a place is: 1 where nothing is near, toward 0 in corners and under things.
   *
   * @param rays directions about +z, which are turned about the normal: x, y, z of each
   */
  openness(
    rays: Float64Array,
    ox: number,
    oy: number,
    oz: number,
    nx: number,
    ny: number,
    nz: number,
    reach: number,
  ): number {
    return this.#tree === null ? 1 : castRays(this.#tree).openness(rays, ox, oy, oz, nx, ny, nz, reach)
  }
}

interface TreeNode {
  /** Its number among all. */
  part: number
  parent: number
  bounds: Float64Array
  first: number
  count: number
  /** Along which axis it was split; the first half has the lower places. */
  axis: number
  /** None: a leaf, with `count` boxes from `first` on. */
  halves: readonly TreeNode[]
}

/**
 * Splits where the two halves' surfaces, each times its number of boxes, are smallest. Puts the boxes in order, and adds all
 * nodes to `parts`.
 */
function splitTree(
  bounds: readonly Float64Array[],
  order: number[],
  from: number,
  to: number,
  parts: TreeNode[],
  parent: number,
): TreeNode {
  const whole = emptyBounds()
  for (let i = from; i < to; i++) grow(whole, bounds[order[i]!]!)
  const count = to - from
  const node: TreeNode = { part: parts.length, parent, bounds: whole, first: from, count, axis: 0, halves: [] }
  parts.push(node)
  const split = count <= LEAF_SIZE ? null : bestSplit(bounds, order.slice(from, to), surface(whole))
  if (!split) return node
  for (let i = from; i < to; i++) order[i] = split.order[i - from]!
  const middle = from + split.left
  node.axis = split.axis
  node.halves = [
    splitTree(bounds, order, from, middle, parts, node.part),
    splitTree(bounds, order, middle, to, parts, node.part),
  ]
  return node
}

/** @param bounds of all boxes, in order */
function writtenParts(
  parts: readonly TreeNode[],
  bounds: readonly Float64Array[],
): { parts: Float64Array; groups: Float32Array } {
  const doubles = new Float64Array((parts.length * PART_WORDS) / 2)
  const words = new Int32Array(doubles.buffer)
  const groups: Float32Array[] = []
  for (const { part, bounds: whole, first, count, parent, halves } of parts) {
    doubles.set(whole, (part * PART_WORDS) / 2)
    words.set([first, count, parent, groups.length], part * PART_WORDS + 12)
    if (halves.length > 0) continue
    for (let from = 0; from < count; from += WIDE)
      groups.push(sideBySide(bounds.slice(first + from, first + Math.min(count, from + WIDE))))
  }
  const flat = new Float32Array(groups.length * GROUP_FLOATS)
  groups.forEach((group, i) => flat.set(group, i * GROUP_FLOATS))
  return { parts: doubles, groups: flat }
}

/** The bounds of up to four boxes as the kernel compares them at once. */
function sideBySide(bounds: readonly Float64Array[]): Float32Array {
  const floats = new Float32Array(GROUP_FLOATS).fill(NOWHERE)
  for (const [lane, box] of bounds.entries())
    for (let k = 0; k < 6; k++) floats[k * WIDE + lane] = box[k]! + (k < 3 ? -MARGIN : MARGIN)
  return floats
}

/** The tree with up to four children per node, as `kernels/light` reads it. */
function wideNodes(root: TreeNode): Uint32Array {
  const nodes = [root]
  const levels = [1]
  const words: number[] = []
  for (let i = 0; i < nodes.length; i++) {
    const children = widened(nodes[i]!)
    const floats = new Float32Array(NODE_WORDS)
    floats.set(sideBySide(children.map(({ bounds }) => bounds)))
    const links = new Int32Array(floats.buffer, 6 * WIDE * 4)
    for (const [lane, child] of children.entries()) {
      const { part, halves } = child
      links[lane] = halves.length > 0 ? nodes.length : -1 - part
      if (halves.length === 0) continue
      nodes.push(child)
      levels.push(levels[i]! + 1)
      if (levels[i]! >= MAX_LEVELS) throw new RangeError(`the tree of boxes has more than ${MAX_LEVELS} levels`)
    }
    const orders = new Uint8Array(floats.buffer, 7 * WIDE * 4)
    for (let octant = 0; octant < OCTANTS; octant++) orders[octant] = orderIn(octant, nodes[i]!, children)
    words.push(...new Uint32Array(floats.buffer))
  }
  return Uint32Array.from(words)
}

/** Up to four descendants that have all boxes of a node: the largest child is replaced by its own children. */
function widened(node: TreeNode): TreeNode[] {
  const children = [node]
  while (children.length < WIDE) {
    const inner = children.filter(({ halves }) => halves.length > 0)
    if (inner.length === 0) break
    const largest = inner.reduce((a, b) => (surface(b.bounds) > surface(a.bounds) ? b : a))
    children.splice(children.indexOf(largest), 1, ...largest.halves)
  }
  return children
}

/** In which order a ray comes to the children of a node, two bits each; bits of the octant say where it goes backwards. */
function orderIn(octant: number, node: TreeNode, children: readonly TreeNode[]): number {
  const lanes: number[] = []
  const visit = (each: TreeNode): void => {
    const lane = children.indexOf(each)
    if (lane >= 0) lanes.push(lane)
    else for (const half of (octant >> each.axis) & 1 ? each.halves.toReversed() : each.halves) visit(half)
  }
  visit(node)
  for (let lane = lanes.length; lane < WIDE; lane++) lanes.push(lane)
  return lanes.reduce((bits, lane, place) => bits | (lane << (2 * place)), 0)
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
