/** Triangles in the order of a curve that fills space: neighbors in the list are neighbors in the room. */

/** Bits an axis. 10 bits over a flat of 20 m are cells of 2 cm. */
const BITS = 10
const RADIX_BITS = 11
const RADIX = 1 << RADIX_BITS

/** Spreads 10 bits so that two zeros stand between each. */
const SPREAD = Uint32Array.from({ length: 1 << BITS }, (_, value) => {
  let spread = 0
  for (let bit = 0; bit < BITS; bit++) spread |= ((value >> bit) & 1) << (3 * bit)
  return spread
})

/**
 * The triangles `0 … indices.length / 3 − 1` sorted along the curve by their center; those marked in `last` come
 * after all others. Triangles with a corner that is not finite are left out.
 */
export function mortonOrder(positions: Float32Array, indices: Uint32Array, last: (triangle: number) => boolean) {
  const count = indices.length / 3
  const { min, max } = extent(positions)
  const span = Math.max(max[0]! - min[0]!, max[1]! - min[1]!, max[2]! - min[2]!)
  const scale = span > 0 ? ((1 << BITS) - 1) / (span * 3) : 0
  const [x0, y0, z0] = [min[0]! * 3, min[1]! * 3, min[2]! * 3]
  const keys = new Uint32Array(count)
  const order = new Uint32Array(count)
  let kept = 0
  for (let t = 0; t < count; t++) {
    const a = indices[t * 3]! * 3
    const b = indices[t * 3 + 1]! * 3
    const c = indices[t * 3 + 2]! * 3
    const x = positions[a]! + positions[b]! + positions[c]!
    const y = positions[a + 1]! + positions[b + 1]! + positions[c + 1]!
    const z = positions[a + 2]! + positions[b + 2]! + positions[c + 2]!
    // A sum is finite only if all its terms are.
    if (!Number.isFinite(x + y + z)) continue
    const key =
      SPREAD[Math.floor((x - x0) * scale)]! |
      (SPREAD[Math.floor((y - y0) * scale)]! << 1) |
      (SPREAD[Math.floor((z - z0) * scale)]! << 2)
    keys[kept] = last(t) ? key | (1 << (3 * BITS)) : key
    order[kept++] = t
  }
  return radixSort(keys.subarray(0, kept), order.subarray(0, kept))
}

/** Stable: equal keys keep the order of the file, so the result does not depend on the machine. */
function radixSort(keys: Uint32Array, order: Uint32Array): Uint32Array {
  let fromKeys = keys
  let fromOrder = order
  let toKeys: Uint32Array = new Uint32Array(keys.length)
  let toOrder: Uint32Array = new Uint32Array(keys.length)
  const starts = new Uint32Array(RADIX)
  for (let shift = 0; shift <= 3 * BITS; shift += RADIX_BITS) {
    starts.fill(0)
    for (let i = 0; i < fromKeys.length; i++) starts[(fromKeys[i]! >>> shift) & (RADIX - 1)]!++
    let sum = 0
    for (let digit = 0; digit < RADIX; digit++) {
      const size = starts[digit]!
      starts[digit] = sum
      sum += size
    }
    for (let i = 0; i < fromKeys.length; i++) {
      const key = fromKeys[i]!
      const place = starts[(key >>> shift) & (RADIX - 1)]!++
      toKeys[place] = key
      toOrder[place] = fromOrder[i]!
    }
    ;[fromKeys, toKeys] = [toKeys, fromKeys]
    ;[fromOrder, toOrder] = [toOrder, fromOrder]
  }
  return fromOrder
}

function extent(positions: Float32Array): { min: Float64Array; max: Float64Array } {
  const min = new Float64Array(3).fill(Infinity)
  const max = new Float64Array(3).fill(-Infinity)
  for (let i = 0; i + 2 < positions.length; i += 3) {
    for (let axis = 0; axis < 3; axis++) {
      const value = positions[i + axis]!
      if (value < min[axis]! && value !== -Infinity) min[axis] = value
      if (value > max[axis]! && value !== Infinity) max[axis] = value
    }
  }
  return { min, max }
}
