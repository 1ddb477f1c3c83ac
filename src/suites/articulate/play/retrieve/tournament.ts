/** Chooses one of many candidates, a batch at a time. */

/** Batches in order; the winners meet again until one is left. Null if a batch has no winner, or there is none at all. */
export async function tournament(
  candidates: readonly number[],
  size: number,
  select: (batch: readonly number[]) => Promise<number | null> | number | null,
): Promise<number | null> {
  let left = candidates
  while (left.length > 1) {
    const winners: number[] = []
    for (let i = 0; i < left.length; i += size) {
      const winner = await select(left.slice(i, i + size))
      if (winner === null) return null
      winners.push(winner)
    }
    left = winners
  }
  return left[0] ?? null
}
