/** Subject and background consistency: how like a frame's features are to the frame before and to the first. */

export function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0
  let aa = 0
  let bb = 0
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!
    aa += a[i]! * a[i]!
    bb += b[i]! * b[i]!
  }
  const norm = Math.sqrt(aa) * Math.sqrt(bb)
  return norm === 0 ? 0 : dot / norm
}

/** Takes the features of one frame after the other; keeps only the first and the last. */
export class ConsistencySum {
  #first: Float32Array | null = null
  #last: Float32Array | null = null
  sum = 0
  pairs = 0

  add(features: Float32Array): void {
    if (this.#first === null || this.#last === null) this.#first = features
    else {
      this.sum += (Math.max(0, cosine(this.#last, features)) + Math.max(0, cosine(this.#first, features))) / 2
      this.pairs++
    }
    this.#last = features
  }
}
