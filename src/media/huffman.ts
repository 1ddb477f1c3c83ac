/** Canonical Huffman codes for deflate. */

/**
 * Code lengths for symbols with these counts; 0 for unused symbols. To keep codes within `limit` bits, counts are
 * flattened until the tree is shallow enough. Ties go to the lower symbol, so the result is deterministic.
 */
export function huffmanLengths(counts: Uint32Array, limit: number): Uint8Array {
  const lengths = new Uint8Array(counts.length)
  // Weight and symbol packed into one number: sorts fast and breaks ties by symbol.
  const span = 2 ** Math.ceil(Math.log2(counts.length + 1))
  const all = new Float64Array(counts.length)
  let used = 0
  for (let symbol = 0; symbol < counts.length; symbol++) {
    if (counts[symbol]! > 0) all[used++] = counts[symbol]! * span + symbol
  }
  const keys = all.subarray(0, used)
  // A single code would otherwise have zero bits.
  if (used === 1) lengths[keys[0]! % span] = 1
  if (used < 2) return lengths
  const weights = new Float64Array(2 * used - 1)
  for (;;) {
    keys.sort()
    for (let i = 0; i < used; i++) weights[i] = Math.floor(keys[i]! / span)
    const depths = depthsOf(weights, used)
    // The rarest symbol is the deepest.
    if (depths[0]! <= limit) {
      for (let i = 0; i < used; i++) lengths[keys[i]! % span] = depths[i]!
      return lengths
    }
    for (let i = 0; i < used; i++) keys[i] = ((weights[i]! >>> 1) + 1) * span + (keys[i]! % span)
  }
}

/** Depths of `count` leaves with ascending weights (two-queue method); inner nodes are stored after the leaves. */
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

/** The canonical code of each symbol, bit-reversed because deflate writes codes from their highest bit. */
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
