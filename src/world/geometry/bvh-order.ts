import { mortonOrder } from '../render/morton.ts'

/** Where the triangles of leaf `leaf` begin in the order, when `count` are shared out evenly among `leaves`. */
export function leafStart(leaf: number, leaves: number, count: number): number {
  return Math.floor((leaf * count) / leaves)
}

/**
 * The triangles in the order of the leaves of a full binary tree: every node is cut in two halves of equal number
 * across its longest side. `leaves` is a power of two.
 */
export function splitOrder(
  positions: Float32Array,
  indices: Uint32Array,
  leavesFor: (count: number) => number,
): { order: Uint32Array; leaves: number } {
  // Neighbors along a space-filling curve first: then the cuts move little, and memory is read nearly in order.
  const order = mortonOrder(positions, indices, () => false)
  const count = order.length
  const leaves = leavesFor(count)
  const centers = [0, 1, 2].map((axis) => {
    const values = new Float32Array(count)
    for (let i = 0; i < count; i++) {
      const first = order[i]! * 3
      let sum = 0
      for (let k = 0; k < 3; k++) sum += positions[indices[first + k]! * 3 + axis]!
      values[i] = sum
    }
    return values
  }) as [Float32Array, Float32Array, Float32Array]

  for (let width = leaves; width > 1; width /= 2) {
    for (let leaf = 0; leaf < leaves; leaf += width) {
      const start = leafStart(leaf, leaves, count)
      const end = leafStart(leaf + width, leaves, count)
      const middle = leafStart(leaf + width / 2, leaves, count)
      if (end - start > 1) split(order, centers, longestSide(centers, start, end), start, end - 1, middle)
    }
  }
  return { order, leaves }
}

/** About 256 triangles are looked at to choose a side. */
const SAMPLE_BITS = 8

type Centers = readonly [Float32Array, Float32Array, Float32Array]

function longestSide(centers: Centers, start: number, end: number): 0 | 1 | 2 {
  // Of many triangles some are enough to tell which side is long.
  const stride = Math.max(1, (end - start) >> SAMPLE_BITS)
  const spans = centers.map((values) => {
    let low = Infinity
    let high = -Infinity
    for (let i = start; i < end; i += stride) {
      const value = values[i]!
      if (value < low) low = value
      if (value > high) high = value
    }
    return high - low
  })
  if (spans[0]! >= spans[1]! && spans[0]! >= spans[2]!) return 0
  return spans[1]! >= spans[2]! ? 1 : 2
}

/** Hoare's selection: afterwards nothing before `middle` is larger on the axis than anything from it on. */
function split(
  order: Uint32Array,
  centers: Centers,
  axis: 0 | 1 | 2,
  left: number,
  right: number,
  middle: number,
): void {
  const keys = centers[axis]
  const [xs, ys, zs] = centers
  while (left < right) {
    const a = keys[left]!
    const b = keys[(left + right) >> 1]!
    const c = keys[right]!
    const pivot = a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b
    let i = left
    let j = right
    while (i <= j) {
      while (keys[i]! < pivot) i++
      while (keys[j]! > pivot) j--
      if (i > j) break
      const triangle = order[i]!
      const x = xs[i]!
      const y = ys[i]!
      const z = zs[i]!
      order[i] = order[j]!
      xs[i] = xs[j]!
      ys[i] = ys[j]!
      zs[i] = zs[j]!
      order[j] = triangle
      xs[j] = x
      ys[j] = y
      zs[j] = z
      i++
      j--
    }
    if (middle <= j) right = j
    else if (middle >= i) left = i
    else return
  }
}
