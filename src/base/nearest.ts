import { distance } from 'fastest-levenshtein'

/** The name that the user most likely meant, or null when nothing is close. */
export function nearest(word: string, names: Iterable<string>): string | null {
  let best: string | null = null
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const name of names) {
    const apart = distance(word.toLowerCase(), name.toLowerCase())
    if (apart < bestDistance) {
      best = name
      bestDistance = apart
    }
  }
  return best ?? familyOf(word, names)
}

/** `space` is no suite, but `space/text` is one of its family. */
function familyOf(word: string, names: Iterable<string>): string | null {
  for (const name of names) if (name.toLowerCase().startsWith(`${word.toLowerCase()}/`)) return name
  return null
}

/**
 * A hint for a name that is not there: the likely one first, then all of them.
 *
 * @example
 * didYouMean('oracel', ['random', 'oracle'], 'Players') // 'Did you mean "oracle"? Players: random, oracle.'
 */
export function didYouMean(word: string, names: readonly string[], all: string): string {
  const guess = nearest(word, names)
  return `${guess === null ? '' : `Did you mean "${guess}"? `}${all}: ${names.join(', ') || 'none'}.`
}
