/** Canonical Huffman codes as deflate has them. */

/**
 * Code lengths for symbols that occur this often; 0 for those that do not. No code is longer than `limit`: counts are
 * brought closer together until that holds. Ties go to the lower symbol, so lengths are the same on every machine.
 */
export function huffmanLengths(counts: Uint32Array, limit: number): Uint8Array {
  const lengths = new Uint8Array(counts.length)
  const used = [...counts.keys()].filter((symbol) => counts[symbol]! > 0)
  // One code alone would have no bits.
  if (used.length === 1) lengths[used[0]!] = 1
  if (used.length < 2) return lengths
  const weights = counts.slice()
  for (;;) {
    used.sort((a, b) => weights[a]! - weights[b]! || a - b)
    const depths = depthsOf(used.map((symbol) => weights[symbol]!))
    if (depths.every((depth) => depth <= limit)) {
      used.forEach((symbol, i) => (lengths[symbol] = depths[i]!))
      return lengths
    }
    for (const symbol of used) weights[symbol] = (weights[symbol]! >>> 1) + 1
  }
}

/** Depths of leaves with ascending weights, by two queues. */
function depthsOf(weights: readonly number[]): number[] {
  const count = weights.length
  const all = [...weights]
  const parents: number[] = []
  let leaf = 0
  let inner = count
  while (all.length < 2 * count - 1) {
    const next = all.length
    let sum = 0
    for (let k = 0; k < 2; k++) {
      const takeLeaf = leaf < count && (inner >= next || weights[leaf]! <= all[inner]!)
      const taken = takeLeaf ? leaf++ : inner++
      parents[taken] = next
      sum += all[taken]!
    }
    all.push(sum)
  }
  const depths = all.map(() => 0)
  for (let node = all.length - 2; node >= 0; node--) depths[node] = depths[parents[node]!]! + 1
  return depths.slice(0, count)
}

/** The canonical code of each symbol, its bits reversed: deflate writes the highest bit of a code first. */
export function reversedCodes(lengths: Uint8Array): Uint16Array {
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0)
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
