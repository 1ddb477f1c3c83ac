/** Numbers spelled out in English. */

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
const SCALES: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, billion: 1e9 }

const VALUES: ReadonlyMap<string, number> = new Map([
  ...ONES.map((word, value) => [word, value] as const),
  ...TENS.map((word, i) => [word, (i + 2) * 10] as const),
])

/** Zero to twenty, by word. */
export const SMALL_NUMBERS: ReadonlyMap<string, number> = new Map([...VALUES].filter(([, value]) => value <= 20))

const WORD = [...VALUES.keys(), 'hundred', ...Object.keys(SCALES)].sort((a, b) => b.length - a.length).join('|')
const RUN = new RegExp(`\\b(?:${WORD})(?:(?:\\s+and\\s+|[\\s-]+)(?:${WORD}))*\\b`, 'i')

/** The first spelled-out number and its position. */
export function firstNumberInWords(text: string): { value: number; start: number } | null {
  const match = RUN.exec(text)
  return match === null ? null : { value: valueOf(match[0]), start: match.index }
}

function valueOf(words: string): number {
  let total = 0
  let group = 0
  for (const word of words.toLowerCase().split(/[\s-]+/)) {
    const value = VALUES.get(word)
    const scale = SCALES[word]
    if (value !== undefined) group += value
    else if (word === 'hundred') group = (group || 1) * 100
    else if (scale !== undefined) {
      total += (group || 1) * scale
      group = 0
    }
  }
  return total + group
}
