import type { TriangleMesh } from '../mesh.ts'
import { leafStart, splitOrder } from './bvh-order.ts'
import { closestOfTriangles, closestOnTriangle, type ClosestPoints, type Triangle } from './segments.ts'
import { distance, type Vec3 } from '../vector.ts'

export interface RayHit {
  /** Meters along the ray. */
  distance: number
  point: Vec3
  triangle: number
}

/** Triangles a leaf: few enough to test one by one, many enough to keep the tree small. */
const LEAF = 8
const STACK = 64
const TINY = 1e-12
/** Boxes are in single precision; a ray that only grazes one must not miss it. */
const ROUNDING = 1 + 1e-7
/** One ray at a time: origin and inverse direction, and the nodes still to be looked at. */
const scratchRay = new Float64Array(6)
const scratchNodes = new Uint32Array(STACK)
const scratchNear = new Float64Array(STACK)

/**
 * Finds triangles by place: a full binary tree of boxes over the triangles, every node cut in halves of equal number
 * across its longest side. It has no pointers: the children of node i are 2i and 2i + 1.
 */
export class TriangleTree {
  readonly positions: Float32Array
  readonly indices: Uint32Array
  readonly #order: Uint32Array
  /** min x y z, max x y z of each node; node 0 is not used. */
  readonly #boxes: Float32Array
  readonly #leaves: number

  constructor({ positions, indices }: Pick<TriangleMesh, 'positions' | 'indices'>) {
    this.positions = positions
    this.indices = indices
    const { order, leaves } = splitOrder(positions, indices, leavesFor)
    this.#order = order
    this.#leaves = leaves
    this.#boxes = new Float32Array(leaves * 2 * 6)
    this.#boundLeaves()
    this.#boundInner()
  }

  /** The first triangle that a ray meets, from either side. `direction` must have length 1. */
  raycast(origin: Vec3, direction: Vec3, maxDistance = Infinity): RayHit | undefined {
    const [ox, oy, oz] = origin
    const [dx, dy, dz] = direction
    // Division by zero gives infinities, with which the slab test still works.
    const ray = scratchRay
    ray[0] = ox
    ray[1] = oy
    ray[2] = oz
    ray[3] = 1 / dx
    ray[4] = 1 / dy
    ray[5] = 1 / dz
    const leaves = this.#leaves
    let top = 0
    let best = maxDistance
    let triangle = -1
    scratchNodes[0] = 1
    scratchNear[0] = this.#enter(6, best)
    if (scratchNear[0] !== Infinity) top = 1
    while (top > 0) {
      const node = scratchNodes[--top]!
      if (scratchNear[top]! > best) continue
      if (node >= leaves) {
        const start = leafStart(node - leaves, leaves, this.#order.length)
        const end = leafStart(node - leaves + 1, leaves, this.#order.length)
        for (let i = start; i < end; i++) {
          const t = this.#hit(this.#order[i]!, ox, oy, oz, dx, dy, dz)
          // Equally near triangles: the lower number wins, so that the answer does not depend on the tree.
          if (t < best || (t === best && triangle > this.#order[i]!)) {
            best = t
            triangle = this.#order[i]!
          }
        }
        continue
      }
      const left = this.#enter(node * 12, best)
      const right = this.#enter(node * 12 + 6, best)
      // The nearer child goes onto the stack last and is looked at first.
      const leftFirst = left <= right
      const far = leftFirst ? right : left
      if (far !== Infinity) {
        scratchNodes[top] = leftFirst ? node * 2 + 1 : node * 2
        scratchNear[top++] = far
        scratchNodes[top] = leftFirst ? node * 2 : node * 2 + 1
        scratchNear[top++] = leftFirst ? left : right
      } else if ((leftFirst ? left : right) !== Infinity) {
        scratchNodes[top] = leftFirst ? node * 2 : node * 2 + 1
        scratchNear[top++] = leftFirst ? left : right
      }
    }
    if (triangle === -1) return undefined
    return { distance: best, point: [ox + dx * best, oy + dy * best, oz + dz * best], triangle }
  }

  /** Whether nothing stands between two points; surfaces within `slack` meters of either end do not count. */
  sees(from: Vec3, to: Vec3, slack = 0.001): boolean {
    const length = distance(from, to)
    if (length <= 2 * slack) return true
    const direction: Vec3 = [(to[0] - from[0]) / length, (to[1] - from[1]) / length, (to[2] - from[2]) / length]
    const start: Vec3 = [from[0] + direction[0] * slack, from[1] + direction[1] * slack, from[2] + direction[2] * slack]
    return this.raycast(start, direction, length - 2 * slack) === undefined
  }

  /** The nearest point of any triangle, if one is nearer than `maxDistance`. */
  closestPoint(point: Vec3, maxDistance = Infinity): RayHit | undefined {
    let best: RayHit | undefined
    let reach = maxDistance
    this.#visitByDistance(
      (at) => this.#pointToBox(point, at),
      () => reach,
      (triangle) => {
        const found = closestOnTriangle(point, ...this.triangle(triangle))
        const away = distance(point, found)
        if (away < reach) {
          reach = away
          best = { distance: away, point: found, triangle }
        }
      },
    )
    return best
  }

  /** Closest points of the triangles of two trees; distance 0 where they touch or cross. */
  closestTo(other: TriangleTree): ClosestPoints {
    let best: ClosestPoints = { distance: Infinity, a: [0, 0, 0], b: [0, 0, 0] }
    const stack: [number, number, number][] = [[1, 1, 0]]
    for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
      const [mine, theirs, gap] = entry
      if (gap >= best.distance) continue
      const mineLeaf = mine >= this.#leaves
      const theirsLeaf = theirs >= other.#leaves
      if (mineLeaf && theirsLeaf) {
        for (const s of this.#leafTriangles(mine)) {
          for (const t of other.#leafTriangles(theirs)) {
            const found = closestOfTriangles(this.triangle(s), other.triangle(t))
            if (found.distance < best.distance) best = found
          }
        }
        if (best.distance === 0) return best
        continue
      }
      // The larger box is opened; the nearer half is looked at first, so it goes onto the stack last.
      const openMine = !mineLeaf && (theirsLeaf || this.#size(mine) >= other.#size(theirs))
      const halves = [0, 1].map((half): [number, number, number] => {
        const pair: [number, number] = openMine ? [mine * 2 + half, theirs] : [mine, theirs * 2 + half]
        return [...pair, this.#boxGap(pair[0], other, pair[1])]
      })
      halves.sort((a, b) => b[2] - a[2])
      for (const half of halves) if (half[2] < best.distance) stack.push(half)
    }
    return best
  }

  /** The corners of a triangle. */
  triangle(triangle: number): Triangle {
    const corner = (k: number): Vec3 => {
      const at = this.indices[triangle * 3 + k]! * 3
      return [this.positions[at]!, this.positions[at + 1]!, this.positions[at + 2]!]
    }
    return [corner(0), corner(1), corner(2)]
  }

  /** Meters to where the ray in `scratchRay` enters a box, infinity where it does not before `best`. */
  #enter(at: number, best: number): number {
    const boxes = this.#boxes
    const ray = scratchRay
    let a = (boxes[at]! - ray[0]!) * ray[3]!
    let b = (boxes[at + 3]! - ray[0]!) * ray[3]!
    let t0 = 0
    let t1 = best
    // Comparisons with NaN (a ray in the plane of a face) are false and leave the interval as it is.
    if (a > b) {
      if (b > t0) t0 = b
      if (a < t1) t1 = a
    } else {
      if (a > t0) t0 = a
      if (b < t1) t1 = b
    }
    a = (boxes[at + 1]! - ray[1]!) * ray[4]!
    b = (boxes[at + 4]! - ray[1]!) * ray[4]!
    if (a > b) {
      if (b > t0) t0 = b
      if (a < t1) t1 = a
    } else {
      if (a > t0) t0 = a
      if (b < t1) t1 = b
    }
    a = (boxes[at + 2]! - ray[2]!) * ray[5]!
    b = (boxes[at + 5]! - ray[2]!) * ray[5]!
    if (a > b) {
      if (b > t0) t0 = b
      if (a < t1) t1 = a
    } else {
      if (a > t0) t0 = a
      if (b < t1) t1 = b
    }
    return t0 <= t1 * ROUNDING ? t0 : Infinity
  }

  #boundLeaves(): void {
    const boxes = this.#boxes
    for (let leaf = 0; leaf < this.#leaves; leaf++) {
      const at = (this.#leaves + leaf) * 6
      boxes.fill(Infinity, at, at + 3)
      boxes.fill(-Infinity, at + 3, at + 6)
      const end = leafStart(leaf + 1, this.#leaves, this.#order.length)
      for (let i = leafStart(leaf, this.#leaves, this.#order.length); i < end; i++) {
        const first = this.#order[i]! * 3
        for (let k = 0; k < 3; k++) {
          const vertex = this.indices[first + k]! * 3
          for (let axis = 0; axis < 3; axis++) {
            const value = this.positions[vertex + axis]!
            if (value < boxes[at + axis]!) boxes[at + axis] = value
            if (value > boxes[at + 3 + axis]!) boxes[at + 3 + axis] = value
          }
        }
      }
    }
  }

  #boundInner(): void {
    const boxes = this.#boxes
    for (let node = this.#leaves - 1; node >= 1; node--) {
      for (let axis = 0; axis < 3; axis++) {
        const [left, right] = [node * 12 + axis, node * 12 + 6 + axis]
        boxes[node * 6 + axis] = Math.min(boxes[left]!, boxes[right]!)
        boxes[node * 6 + 3 + axis] = Math.max(boxes[left + 3]!, boxes[right + 3]!)
      }
    }
  }

  /** Möller–Trumbore, two-sided: meters to the triangle, infinity for a miss. */
  #hit(triangle: number, ox: number, oy: number, oz: number, dx: number, dy: number, dz: number): number {
    const { positions, indices } = this
    const a = indices[triangle * 3]! * 3
    const b = indices[triangle * 3 + 1]! * 3
    const c = indices[triangle * 3 + 2]! * 3
    const ax = positions[a]!
    const ay = positions[a + 1]!
    const az = positions[a + 2]!
    const e1x = positions[b]! - ax
    const e1y = positions[b + 1]! - ay
    const e1z = positions[b + 2]! - az
    const e2x = positions[c]! - ax
    const e2y = positions[c + 1]! - ay
    const e2z = positions[c + 2]! - az
    const hx = dy * e2z - dz * e2y
    const hy = dz * e2x - dx * e2z
    const hz = dx * e2y - dy * e2x
    const determinant = e1x * hx + e1y * hy + e1z * hz
    if (Math.abs(determinant) < TINY) return Infinity
    const inverse = 1 / determinant
    const sx = ox - ax
    const sy = oy - ay
    const sz = oz - az
    const u = (sx * hx + sy * hy + sz * hz) * inverse
    // A hair of overlap, so that no ray slips between neighbors.
    if (u < -1e-9 || u > 1 + 1e-9) return Infinity
    const qx = sy * e1z - sz * e1y
    const qy = sz * e1x - sx * e1z
    const qz = sx * e1y - sy * e1x
    const v = (dx * qx + dy * qy + dz * qz) * inverse
    if (v < -1e-9 || u + v > 1 + 1e-9) return Infinity
    const t = (e2x * qx + e2y * qy + e2z * qz) * inverse
    return t >= 0 ? t : Infinity
  }

  #leafTriangles(node: number): Uint32Array {
    const leaf = node - this.#leaves
    const count = this.#order.length
    return this.#order.subarray(leafStart(leaf, this.#leaves, count), leafStart(leaf + 1, this.#leaves, count))
  }

  #visitByDistance(gap: (at: number) => number, reach: () => number, visit: (triangle: number) => void): void {
    const stack: [number, number][] = [[1, gap(6)]]
    for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
      const [node, away] = entry
      if (away >= reach()) continue
      if (node >= this.#leaves) {
        for (const triangle of this.#leafTriangles(node)) visit(triangle)
        continue
      }
      const left: [number, number] = [node * 2, gap(node * 12)]
      const right: [number, number] = [node * 2 + 1, gap(node * 12 + 6)]
      if (left[1] <= right[1]) stack.push(right, left)
      else stack.push(left, right)
    }
  }

  #pointToBox(point: Vec3, at: number): number {
    let sum = 0
    for (let axis = 0; axis < 3; axis++) {
      const value = point[axis]!
      const outside = Math.max(this.#boxes[at + axis]! - value, 0, value - this.#boxes[at + 3 + axis]!)
      sum += outside * outside
    }
    return Math.sqrt(sum)
  }

  #boxGap(mine: number, other: TriangleTree, theirs: number): number {
    let sum = 0
    for (let axis = 0; axis < 3; axis++) {
      const a = mine * 6 + axis
      const b = theirs * 6 + axis
      const gap = Math.max(this.#boxes[a]! - other.#boxes[b + 3]!, 0, other.#boxes[b]! - this.#boxes[a + 3]!)
      sum += gap * gap
    }
    return Math.sqrt(sum)
  }

  #size(node: number): number {
    const at = node * 6
    const boxes = this.#boxes
    return Math.max(boxes[at + 3]! - boxes[at]!, boxes[at + 4]! - boxes[at + 1]!, boxes[at + 5]! - boxes[at + 2]!)
  }
}

function leavesFor(count: number): number {
  let leaves = 1
  while (leaves * LEAF < count) leaves *= 2
  return leaves
}

/** Closest points of two clouds of points, x y z after x y z. */
export function closestOfPoints(a: Float32Array, b: Float32Array): ClosestPoints {
  return pointTree(a).closestTo(pointTree(b))
}

/** Points as triangles without extent. */
function pointTree(positions: Float32Array): TriangleTree {
  const count = positions.length / 3
  return new TriangleTree({ positions, indices: Uint32Array.from({ length: count * 3 }, (_, i) => Math.floor(i / 3)) })
}

/** The triangles of one thing in a scene. */
export function instanceTree(mesh: TriangleMesh, instance: number): TriangleTree {
  const { indices, triangleInstances } = mesh
  const chosen: number[] = []
  for (let triangle = 0; triangle < indices.length / 3; triangle++) {
    if ((triangleInstances?.[triangle] ?? 0) !== instance) continue
    chosen.push(indices[triangle * 3]!, indices[triangle * 3 + 1]!, indices[triangle * 3 + 2]!)
  }
  return new TriangleTree({ positions: mesh.positions, indices: Uint32Array.from(chosen) })
}
