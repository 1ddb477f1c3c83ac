/** What is cleared away, or read in another way, where the plain reading of a reply would go wrong. */
import { lettersOf, numbersIn } from '../../suite.ts'

/** Wide and circled letters as plain ones, and no list of all options: it says nothing about the answer. */
export function plainChoice(reply: string, options: readonly string[]): string {
  const text = reply.replaceAll(/[\uFF21-\uFF3A\uFF41-\uFF5A\u24B6-\u24E9]/g, (sign) => sign.normalize('NFKC'))
  const letters = lettersOf(options)
  const optionIn = (line: string): number =>
    letters.findIndex((letter, i) => {
      const rest = new RegExp(`^[\\s(*-]*${letter}[.:)]\\s*`, 'i').exec(line)?.[0]
      return rest !== undefined && options[i] !== '' && line.slice(rest.length).trim() === options[i]
    })
  const listed = new Set<number>()
  const left = text.split('\n').filter((line) => {
    const option = optionIn(line)
    // The second time, it is the answer.
    if (option < 0 || listed.has(option)) return true
    listed.add(option)
    return false
  })
  return options.length > 1 && listed.size === options.length ? left.join('\n') : text
}

const NEGATION = /\b(?:not|no|cannot|none|never|neither)\b/

/** The only option that has the words of a short reply in it: `to the right`. */
export function partOfOption(reply: string, options: readonly string[]): string | null {
  const words = wordsOf(reply)
  // A part of a number is another number.
  if (words.length < 3 || words.split(' ').length > 6 || /\d/.test(words)) return null
  const found = options.flatMap((option, i) => {
    const whole = wordsOf(option)
    const isPart = ` ${whole} `.includes(` ${words} `) && NEGATION.test(whole) === NEGATION.test(words)
    return isPart ? [i] : []
  })
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

/** At the start of a sentence or of a part of one. */
const CORRECTION =
  /(?:^|[.!?;:,\n—–])[\s*]*(?:no,?\s+)?(?:correct(?:ed|ion)|final|actually|wait|instead(?!\s+of)|revised?)\b/gi

/** Numbers alone, or after x and y: no size of the image, nor a remark. */
const COORDINATES =
  /^\s*(?:["']?[xy]\d?["']?\s*[:=]\s*)?-?[\d.]+(?:(?:\s*[,;]\s*|\s+)(?:["']?[xy]\d?["']?\s*[:=]\s*)?-?[\d.]+)*\s*$/i

/** The numbers in the first brackets that hold as many as wanted and nothing else, or in the first after a correction; null if there are none. */
export function bracketed(piece: string, count: number): number[] | null {
  const groups = [...piece.matchAll(/[([{]([^()[\]{}]{1,200})[)\]}]/g)].flatMap(({ 1: inside, index }) => {
    const numbers = numbersIn(inside!).map(({ value }) => value)
    return numbers.length === count && COORDINATES.test(inside!) ? [{ index, numbers }] : []
  })
  const corrected = [...piece.matchAll(CORRECTION)].at(-1)?.index ?? -1
  return (groups.find(({ index }) => index > corrected) ?? groups[0])?.numbers ?? null
}
