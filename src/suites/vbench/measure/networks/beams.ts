/** Beam search as in transformers 4.33, which the published evaluator pins. */

export interface BeamSettings {
  beams: number
  /** In tokens, the given ones counted. */
  shortest: number
  longest: number
  end: number
}

interface Beam {
  tokens: readonly number[]
  /** Sum of the logarithms of what its tokens were given. */
  score: number
}

/** Logits of the next token after each of these texts, one row of the vocabulary after the other. */
export type NextToken = (texts: readonly (readonly number[])[]) => Promise<Float32Array>

/** The best text that begins with `given`, without its end. Scores are divided by the length of the whole text. */
export async function beamSearch(given: readonly number[], next: NextToken, settings: BeamSettings): Promise<number[]> {
  const { beams, shortest, longest, end } = settings
  let alive: Beam[] = [{ tokens: given, score: 0 }]
  let finished: Beam[] = []
  const perToken = (beam: Beam): number => beam.score / beam.tokens.length
  const finish = (beam: Beam): void => {
    const worst = finished.at(-1)
    if (finished.length === beams && worst !== undefined && perToken(beam) <= perToken(worst)) return
    // The later of two equals stands behind.
    const place = finished.findIndex((other) => perToken(other) < perToken(beam))
    finished.splice(place < 0 ? finished.length : place, 0, beam)
    finished = finished.slice(0, beams)
  }
  for (let length = given.length; length < longest; length++) {
    const logits = await next(alive.map(({ tokens }) => tokens))
    const words = logits.length / alive.length
    const candidates = alive.flatMap((beam, row) =>
      likeliest(logits.subarray(row * words, (row + 1) * words), 2 * beams, length < shortest ? end : null).map(
        ({ token, logProbability }) => ({ beam, token, score: Math.fround(logProbability + beam.score) }),
      ),
    )
    const sorted = candidates.toSorted((a, b) => b.score - a.score).slice(0, 2 * beams)
    alive = []
    for (const [rank, { beam, token, score }] of sorted.entries()) {
      if (token !== end) alive.push({ tokens: [...beam.tokens, token], score })
      else if (rank < beams) finish({ tokens: beam.tokens, score })
      if (alive.length === beams) break
    }
    const highest = sorted[0]?.score ?? -Infinity
    // Whether any text could still be better is asked as if all were one token longer.
    if (finished.length === beams && perToken(finished.at(-1)!) >= highest / (length + 1)) {
      return [...finished[0]!.tokens]
    }
  }
  for (const beam of alive) finish(beam)
  return [...(finished[0]?.tokens ?? given)]
}

/** The likeliest tokens with the logarithm of their probability, the likeliest first. */
function likeliest(
  logits: Float32Array,
  count: number,
  forbidden: number | null,
): { token: number; logProbability: number }[] {
  let highest = -Infinity
  for (const each of logits) highest = Math.max(highest, each)
  let total = 0
  for (const each of logits) total += Math.exp(each - highest)
  const shift = highest + Math.log(total)
  const best: number[] = []
  for (let token = 0; token < logits.length; token++) {
    if (token === forbidden || (best.length === count && logits[token]! <= logits[best.at(-1)!]!)) continue
    let place = best.length
    while (place > 0 && logits[best[place - 1]!]! < logits[token]!) place--
    best.splice(place, 0, token)
    if (best.length > count) best.pop()
  }
  return best.map((token) => ({ token, logProbability: Math.fround(logits[token]! - shift) }))
}
