/** What is cleared away, or read in another way, where the plain reading of a reply would go wrong. */
import { lettersOf, numbersIn } from '../../suite.ts'

/** Wide and circled letters as plain ones, and no list of all options: it says nothing about the answer. */
export function plainChoice(reply: string, options: readonly string[]): string {
  const text = reply.replaceAll(/[\uFF21-\uFF3A\uFF41-\uFF5A\u24B6-\u24E9]/g, (sign) => sign.normalize('NFKC'))
  const letters = lettersOf(options)
  const isOption = (line: string): boolean =>
    letters.some((letter, i) => {
      const rest = new RegExp(`^[\\s(*-]*${letter}[.:)]\\s*`, 'i').exec(line)?.[0]
      return rest !== undefined && options[i] !== '' && line.slice(rest.length).trim() === options[i]
    })
  const lines = text.split('\n')
  const left = lines.filter((line) => !isOption(line))
  return options.length > 1 && lines.length - left.length >= options.length ? left.join('\n') : text
}

/** The only option that has the words of a short reply in it: `to the right`. */
export function partOfOption(reply: string, options: readonly string[]): string | null {
  const words = wordsOf(reply)
  if (words.length < 3 || words.split(' ').length > 6) return null
  const found = options.flatMap((option, i) => (` ${wordsOf(option)} `.includes(` ${words} `) ? [i] : []))
  return found.length === 1 ? lettersOf(options)[found[0]!]! : null
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** `{"value": 250, "unit": "cm"}` as `"250 cm"`. */
export function joinedUnits(reply: string): string {
  return reply.replaceAll(
    /\{\s*"value"\s*:\s*"?(-?[\d.]{1,20})"?\s*,\s*"units?"\s*:\s*"([^"\\]{1,20})"\s*\}/g,
    (_, value: string, unit: string) => `"${value} ${unit}"`,
  )
}

const CORRECTION = /\b(?:correct(?:ed|ion)|final|actually|wait|instead|revised?)\b/gi

/** The numbers in the first brackets that have as many as wanted, or in the first after a correction; null if there are none. */
export function bracketed(piece: string, count: number): number[] | null {
  const groups = [...piece.matchAll(/[([{]([^()[\]{}]{1,200})[)\]}]/g)].flatMap(({ 1: inside, index }) => {
    const numbers = numbersIn(inside!).map(({ value }) => value)
    return numbers.length === count ? [{ index, numbers }] : []
  })
  const corrected = [...piece.matchAll(CORRECTION)].at(-1)?.index ?? -1
  return (groups.find(({ index }) => index > corrected) ?? groups[0])?.numbers ?? null
}
