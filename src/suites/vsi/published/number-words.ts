/** English number words, as lmms-eval and VLMEvalKit read them. */

const ONES = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
]
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']

const VALUES: ReadonlyMap<string, number> = new Map([
  ...ONES.map((word, value) => [word, value] as const),
  ...TENS.map((word, i) => [word, (i + 2) * 10] as const),
  ['hundred', 100],
  ['thousand', 1000],
])

/** Zero to twenty, by word. */
export const SMALL_NUMBERS: ReadonlyMap<string, number> = new Map([...VALUES].filter(([, value]) => value <= 20))

/** Python has whole numbers of any size, but fails to convert one beyond the doubles. */
const LARGEST = 2n ** 1024n

/**
 * The first run of number words in a lowercase text and its position. Only another word ends a run: punctuation, digits
 * and "and" do not, so "five/six" is 11. The value is Infinity where Python's `float` overflows.
 */
export function firstNumberInWords(text: string): { value: number; start: number } | null {
  let start: number | null = null
  let total = 0n
  let group = 0n
  for (const { 0: word, index } of text.matchAll(/[a-z]+/g)) {
    const value = VALUES.get(word)
    if (value === undefined) {
      if (start === null || word === 'and') continue
      break
    }
    start ??= index
    if (value === 100) group = (group || 1n) * 100n
    else if (value === 1000) {
      total += (group || 1n) * 1000n
      group = 0n
    } else group += BigInt(value)
    // Values only grow, so the rest of a long run changes nothing.
    if (total + group >= LARGEST) break
  }
  return start === null ? null : { value: Number(total + group), start }
}
