import { distance } from 'fastest-levenshtein'

/** The name that the user most likely meant, or null if none is close. */
export function nearestName(word: string, names: Iterable<string>): string | null {
  let best: string | null = null
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const name of names) {
    const edits = distance(word.toLowerCase(), name.toLowerCase())
    if (edits < bestDistance) {
      best = name
      bestDistance = edits
    }
  }
  return best
}

/**
 * A hint for an unknown name: the likely one first, then all of them.
 *
 * @example
 * didYouMean('oracel', ['random', 'oracle'], 'Baselines') // 'Did you mean "oracle"? Baselines: random, oracle.'
 */
export function didYouMean(word: string, names: readonly string[], all: string): string {
  const guess = nearestName(word, names)
  return `${guess === null ? '' : `Did you mean "${guess}"? `}${all}: ${names.join(', ') || 'none'}.`
}
