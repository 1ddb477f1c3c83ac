/** Boxes of detectors: which of many overlapping ones stay. In 32-bit floats, as in the published code. */

/** Left, top, right, bottom of each box, one after the other, and how sure the detector is of it. */
export interface ScoredBoxes {
  boxes: Float32Array
  scores: Float32Array
}

/** The boxes at these places, in this order. */
export function boxesAt({ boxes, scores }: ScoredBoxes, places: readonly number[]): ScoredBoxes {
  const chosen: ScoredBoxes = { boxes: new Float32Array(places.length * 4), scores: new Float32Array(places.length) }
  for (const [i, place] of places.entries()) {
    chosen.boxes.set(boxes.subarray(place * 4, place * 4 + 4), i * 4)
    chosen.scores[i] = scores[place]!
  }
  return chosen
}

export function joined(parts: readonly ScoredBoxes[]): ScoredBoxes {
  const count = parts.reduce((sum, { scores }) => sum + scores.length, 0)
  const all: ScoredBoxes = { boxes: new Float32Array(count * 4), scores: new Float32Array(count) }
  let at = 0
  for (const { boxes, scores } of parts) {
    all.boxes.set(boxes, at * 4)
    all.scores.set(scores, at)
    at += scores.length
  }
  return all
}

/** Places of the best, at most `count`, whose score is above `threshold`; in no order that would matter. */
export function best({ scores }: ScoredBoxes, count: number, threshold: number): number[] {
  const above = [...scores.keys()].filter((place) => scores[place]! > threshold)
  return above.length <= count ? above : byScore(above, scores).slice(0, count)
}

function byScore(places: readonly number[], scores: Float32Array): number[] {
  return places.toSorted((a, b) => scores[b]! - scores[a]! || a - b)
}

/** Non-maximum suppression: places of those that stay, the surest first. */
export function suppress({ boxes, scores }: ScoredBoxes, overlap: number): number[] {
  const { fround } = Math
  const order = byScore([...scores.keys()], scores)
  const area = Float32Array.from(
    scores,
    (_, i) => fround(boxes[i * 4 + 2]! - boxes[i * 4]!) * fround(boxes[i * 4 + 3]! - boxes[i * 4 + 1]!),
  )
  const gone = new Uint8Array(scores.length)
  const kept: number[] = []
  for (const [rank, a] of order.entries()) {
    if (gone[a]) continue
    kept.push(a)
    const [left, top, right, bottom] = boxes.subarray(a * 4, a * 4 + 4)
    for (let next = rank + 1; next < order.length; next++) {
      const b = order[next]! * 4
      const width = Math.max(0, fround(Math.min(right!, boxes[b + 2]!) - Math.max(left!, boxes[b]!)))
      const height = Math.max(0, fround(Math.min(bottom!, boxes[b + 3]!) - Math.max(top!, boxes[b + 1]!)))
      const shared = fround(width * height)
      const union = fround(fround(area[a]! + area[order[next]!]!) - shared)
      if (fround(shared / union) > overlap) gone[order[next]!] = 1
    }
  }
  return kept
}
