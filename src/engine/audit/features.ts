/** Texts as features for the learner: hashed words and pairs of neighboring words, counts and numbers. */

/** Long texts (programs, transcripts) keep this many features: the first ones. */
const MAX_FEATURES = 600
/** Numbers of a text that become features, in order. */
export const MAX_NUMBERS = 12

/** Words and numbers; a Chinese character is a word of its own. */
export function tokensOf(text: string): string[] {
  return text.toLowerCase().match(/\p{Script=Han}|(?:(?!\p{Script=Han})\p{L})+|\d+(?:\.\d+)?/gu) ?? []
}

/** FNV-1a. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** The hash of two features that occur together. */
export function pairHash(a: number, b: number): number {
  let hash = Math.imul(a ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Distinct words and pairs of words. */
export function wordFeatures(text: string): Uint32Array {
  const tokens = tokensOf(text)
  const found = new Set<number>()
  for (let i = 0; i < tokens.length && found.size < MAX_FEATURES; i++) {
    found.add(hashText(tokens[i]!))
    if (i > 0) found.add(hashText(`${tokens[i - 1]} ${tokens[i]}`))
  }
  return Uint32Array.from(found)
}

/** How long a text is, and its first numbers; NaN where it has fewer. */
export function countFeatures(text: string): number[] {
  const tokens = tokensOf(text)
  const numbers = tokens.filter((token) => /^\d/.test(token)).map(Number)
  return [
    text.length,
    tokens.length,
    ...Array.from({ length: MAX_NUMBERS }, (_, i) => numbers[i] ?? Number.NaN),
    // The end of a text often has the total: the last word of a transcript, the length of a clip.
    numbers.at(-1) ?? Number.NaN,
  ]
}

/**
 * An option as the reader of a quiz sees it, without understanding the question: its text, its place in the list, and how
 * it differs from the other options.
 */
export function optionFeatures(options: readonly string[], words: string): Uint32Array[] {
  const tokens = options.map(tokensOf)
  const heard = tokensOf(words)
  const lengths = options.map(({ length }) => length)
  const numbers = tokens.map((own) => Number(own.find((token) => /^\d/.test(token)) ?? Number.NaN))
  const mentions = tokens.map(([first = '']) => heard.indexOf(first))
  return options.map((option, i) => {
    const own = tokens[i]!
    const names = [
      `text ${option}`,
      `place ${i} of ${options.length}`,
      `length ${rankOf(lengths, i)}`,
      `mention ${rankOf(mentions, i)}`,
      ...(Number.isNaN(numbers[i]) ? [] : [`number ${rankOf(numbers, i)}`]),
      `first ${own[0]}`,
      `last ${own.at(-1)}`,
    ]
    // Which word comes before which other: an order of things is told by it.
    for (let a = 0; a < Math.min(own.length, 8); a++) {
      names.push(`word ${own[a]}`)
      for (let b = a + 1; b < Math.min(own.length, 8); b++) names.push(`${own[a]} before ${own[b]}`)
    }
    return Uint32Array.from(new Set(names.map(hashText)))
  })
}

/** `0 of 4`: the place of a value among the others, smallest first; equal values share a place. */
function rankOf(values: readonly number[], i: number): string {
  const below = values.filter((value) => value < values[i]!).length
  const equal = values.filter((value) => value === values[i]).length
  return `${below}+${equal} of ${values.length}`
}
