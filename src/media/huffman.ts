/** Canonical Huffman codes as deflate has them. */

/**
 * Code lengths for symbols that occur this often; 0 for those that do not. No code is longer than `limit`: counts are
 * brought closer together until that holds. Ties go to the lower symbol, so lengths are the same on every machine.
 */
export function huffmanLengths(counts: Uint32Array, limit: number): Uint8Array {
  const lengths = new Uint8Array(counts.length)
  // Weight and symbol in one number: sorting numbers is quick, and ties are settled by the way.
  const span = 2 ** Math.ceil(Math.log2(counts.length + 1))
  const all = new Float64Array(counts.length)
  let used = 0
  for (let symbol = 0; symbol < counts.length; symbol++) {
    if (counts[symbol]! > 0) all[used++] = counts[symbol]! * span + symbol
  }
  const keys = all.subarray(0, used)
  // One code alone would have no bits.
  if (used === 1) lengths[keys[0]! % span] = 1
  if (used < 2) return lengths
  const weights = new Float64Array(2 * used - 1)
  for (;;) {
    keys.sort()
    for (let i = 0; i < used; i++) weights[i] = Math.floor(keys[i]! / span)
    const depths = depthsOf(weights, used)
    // The rarest symbol lies deepest.
    if (depths[0]! <= limit) {
      for (let i = 0; i < used; i++) lengths[keys[i]! % span] = depths[i]!
      return lengths
    }
    for (let i = 0; i < used; i++) keys[i] = ((weights[i]! >>> 1) + 1) * span + (keys[i]! % span)
  }
}

/** Depths of `count` leaves with ascending weights, by two queues; the sums of inner nodes are put behind the leaves. */
function depthsOf(weights: Float64Array, count: number): Uint16Array {
  const parents = new Uint16Array(weights.length)
  let leaf = 0
  let inner = count
  for (let next = count; next < weights.length; next++) {
    let sum = 0
    for (let k = 0; k < 2; k++) {
      const takeLeaf = leaf < count && (inner >= next || weights[leaf]! <= weights[inner]!)
      const taken = takeLeaf ? leaf++ : inner++
      parents[taken] = next
      sum += weights[taken]!
    }
    weights[next] = sum
  }
  const depths = new Uint16Array(weights.length)
  for (let node = weights.length - 2; node >= 0; node--) depths[node] = depths[parents[node]!]! + 1
  return depths
}

/** The canonical code of each symbol, its bits reversed: deflate writes the highest bit of a code first. */
export function reversedCodes(lengths: Uint8Array): Uint16Array {
  let longest = 0
  for (const length of lengths) longest = Math.max(longest, length)
  const codes = new Uint16Array(lengths.length)
  let code = 0
  for (let length = 1; length <= longest; length++) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue
      let mirrored = 0
      for (let bit = 0; bit < length; bit++) mirrored |= ((code >> bit) & 1) << (length - 1 - bit)
      codes[symbol] = mirrored
      code++
    }
    code <<= 1
  }
  return codes
}
