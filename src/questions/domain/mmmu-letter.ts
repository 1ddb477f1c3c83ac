/** The reader of MMMU's evaluation, which many benchmarks copied. */

/**
 * The first form in which letters occur counts: `(A)`, ` A `, `A.`, `A:`. Of several letters, the one that stands last
 * between spaces, or else the first of the alphabet. Null if there is none; the published code then draws a letter.
 */
export function mmmuLetter(reply: string, letters: readonly string[]): string | null {
  const text = ` ${reply} `
  const forms: ((letter: string) => boolean)[] = [
    (letter) => text.includes(`(${letter})`),
    (letter) => text.includes(` ${letter} `),
    (letter) => text.includes(`${letter}.`),
    (letter) => text.includes(`${letter}:`) || text.includes(`:${letter}`) || text.includes(`: ${letter}`),
  ]
  for (const form of forms) {
    const found = letters.filter(form)
    if (found.length === 0) continue
    const lastAt = (letter: string): number => text.lastIndexOf(` ${letter} `)
    return found.reduce((best, letter) => (lastAt(letter) > lastAt(best) ? letter : best))
  }
  return null
}
