/** Amounts in free text: digits or words, with fractions, decimal commas and compound units. */
import { convert, numbersIn, unitAt, type Unit } from './numbers.ts'
import { type AnswerReader, type Reading, REFUSAL, sentencesFromEnd } from './statements.ts'

export interface Amount {
  value: number
  unit: Unit | null
  start: number
  end: number
  /** Written with a decimal comma: `2,4`. */
  comma: boolean
}

const FRACTIONS: Readonly<Record<string, number>> = { '½': 1 / 2, '¼': 1 / 4, '¾': 3 / 4, '⅓': 1 / 3, '⅔': 2 / 3 }

const ONES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const TEENS = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ')
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
/** From two: one is also an article in these languages. Spanish 11 is left out, as it is an English word. */
const FOREIGN = [
  'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
  'dos tres cuatro cinco seis siete ocho nueve diez',
  'deux trois quatre cinq six sept huit neuf dix onze douze',
].map((words) => words.split(' '))
const HAN = '一二三四五六七八九十'

const WORD_VALUES: ReadonlyMap<string, number> = new Map([
  ['zero', 0],
  ...FOREIGN.flatMap((words) => words.map((word, i) => [word, i + 2] as const)),
  ...ONES.map((word, i) => [word, i + 1] as const),
  ...TEENS.map((word, i) => [word, i + 10] as const),
  ...TENS.map((word, i) => [word, (i + 2) * 10] as const),
])

const one = ONES.join('|')
const small = `(?:(?:${TENS.join('|')})(?:[\\s-]{1,3}(?:${one}))?|${[...WORD_VALUES.keys()]
  .filter((word) => !TENS.includes(word))
  .toSorted((a, b) => b.length - a.length)
  .join('|')})`
const hundreds = `(?:(?:${small}|a)[\\s-]{1,3}hundred(?:\\s{1,3}(?:and\\s{1,3})?${small})?)`
const thousands = `(?:(?:${hundreds}|${small}|a)[\\s-]{1,3}thousand(?:\\s{1,3}(?:and\\s{1,3})?(?:${hundreds}|${small}))?)`
const WORDS = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(?:(half\\s{1,3}a|a|${small})[\\s-]{1,3}dozen|a\\s{1,3}(?:couple|pair)(?:\\s{1,3}of)?|(half|a\\s{1,3}quarter\\s{1,3}of)\\s{1,3}an?` +
    `|(${thousands}|${hundreds}|${small})((?:\\s{1,3}point(?:\\s{1,3}(?:zero|${one})){1,9})|(?:\\s{1,3}and\\s{1,3}(?:a\\s{1,3}half|a\\s{1,3}quarter|three\\s{1,3}quarters)))?)(?![\\p{L}\\p{N}_])`,
  'giu',
)
const HAN_NUMBER = new RegExp(
  `(?:(?<=[是有为:：]|^\\s{0,9})[${HAN}两兩]{1,3}(?=[。.!！]?\\s*$)|[${HAN}两兩]{1,3}(?=\\s?(?:个|個|把|张|張|米|厘米|公分|平方|つ|脚|台|盏|扇|件|本|盆)))`,
  'gu',
)

/** What looks like an amount, but names something or says how sure the model is. */
const LABEL =
  /(?:(?<!\p{L})(?:images?|pictures?|frames?|views?|steps?|figures?|fig|questions?|options?|scenes?|points?|lines?|pages?|parts?|no|bild(?:er)?|imagen|confidence(?: score| level)?(?: is| of)?|probability(?: is| of)?|certainty(?: of)?|(?:uncertainty|margin|tolerance|deviation|error)(?: is| of)?(?: about| around| at most| up to)?|give or take|plus or minus|(?<=\d[^.;]{1,40})within)[.:=]?\s{0,2}[#(]?|#|第|[±√^_]|\+\/-|图片?|图像|画像)\s{0,2}$/iu
const LABELED =
  /^\s{0,2}(?:(?!(?:in|on|of|at|from|per)\s)\p{L}{1,12}\s{1,2})?(?:frames?|images?|views?|steps?|angles?|viewpoints?)(?!\p{L})/iu
/** "Image 1 and 2 more": what is counted on does not belong to the list of labels. */
const COUNTED_ON = /^\s{1,2}(?:more|others?|additional|further|another)(?!\p{L})/iu
const JOINED = /^\s{0,3}(?:,|and|&|or|to|through|[-–—~]|\/|,\s{0,2}and)\s{0,3}$/i
/** What follows an amount, as far as it says what the amount is. */
const MAX_AFTER = 80
/** `3D`, `2nd`, `640x480`. */
const GLUED = /^(?:[a-zA-Z_]|[²³]\s?[+)]|:\d|\/\d)/

/** Every amount in a text. Numbers that name an image or a step are left out. */
export function amountsIn(text: string): Amount[] {
  const found = [...digitsIn(text), ...wordsIn(text)].toSorted((a, b) => a.start - b.start)
  const amounts: Amount[] = []
  let labeled: Amount | null = null
  let free = 0
  for (const amount of found) {
    if (amount.start < free) continue
    free = amount.end
    const before = text.slice(Math.max(0, amount.start - 32), amount.start)
    const after = text.slice(amount.end, amount.end + MAX_AFTER)
    const listed: boolean =
      labeled !== null &&
      amount.start - labeled.end < 12 &&
      JOINED.test(text.slice(labeled.end, amount.start)) &&
      !COUNTED_ON.test(after) &&
      !TOTAL_AFTER.test(after)
    if (LABEL.test(before) || listed || LABELED.test(after.slice(0, 32))) labeled = amount
    else amounts.push(amount)
  }
  return compound(amounts, text)
}

function digitsIn(text: string): Amount[] {
  const numbers = numbersIn(text)
  const amounts: Amount[] = []
  for (let i = 0; i < numbers.length; i++) {
    const { value, unit, start, end, text: digits } = numbers[i]!
    const next = numbers[i + 1]
    const after = start + digits.length
    const fraction = FRACTIONS[text[after] ?? '']
    if (fraction !== undefined) {
      const given = unitAt(text, after + 1)
      amounts.push({
        value: value + fraction,
        unit: given?.unit ?? null,
        start,
        end: given?.end ?? after + 1,
        comma: false,
      })
    } else if (unit === null && next !== undefined && decimalComma(text, digits, after, next)) {
      amounts.push({ ...next, value: Number(`${digits}.${next.text}`), start, comma: true })
      i++
    } else if (
      unit === null &&
      next !== undefined &&
      /^\d{1,3}$/.test(next.text) &&
      next.value > 0 &&
      text.slice(after, next.start) === '/'
    ) {
      // `2 1/2`: the whole number before a fraction belongs to it.
      const last = amounts.at(-1)
      const whole =
        last !== undefined && last.unit === null && /^ {1,2}$/.test(text.slice(last.end, start)) ? amounts.pop()! : null
      amounts.push({
        ...next,
        value: (whole?.value ?? 0) + value / next.value,
        start: whole?.start ?? start,
        comma: false,
      })
      i++
    } else if (unit !== null || !GLUED.test(text.slice(after, after + 4)))
      amounts.push({ value, unit, start, end, comma: false })
  }
  for (const { 0: sign, index } of text.matchAll(/(?<![\p{N}])[½¼¾⅓⅔]/gu)) {
    const given = unitAt(text, index + 1)
    amounts.push({
      value: FRACTIONS[sign]!,
      unit: given?.unit ?? null,
      start: index,
      end: given?.end ?? index + 1,
      comma: false,
    })
  }
  return amounts
}

/** `2,4` and `0,85`, but not `1,200`, `1,2,3` or `(3,4)`. */
function decimalComma(text: string, digits: string, at: number, next: { start: number; text: string }): boolean {
  if (text[at] !== ',' || next.start !== at + 1 || !/^\d+$/.test(digits) || !/^\d+$/.test(next.text)) return false
  const end = next.start + next.text.length
  const before = text[at - digits.length - 1]
  return (
    next.text.length !== 3 &&
    before !== ',' &&
    !/^,\d/.test(text.slice(end, end + 2)) &&
    !(/[([]/.test(before ?? '') && /[)\]]/.test(text[end] ?? ''))
  )
}

/** "The one", "one of": a pronoun. */
const PRONOUN_BEFORE =
  /\b(?:the|this|that|no|any|each|which|every|another|last|first|second|other|correct|right|closest|nearest)\s{1,2}$/i
const PRONOUN_AFTER = /^\s{1,2}(?:of|by|that|which|can|could|would|might|should|may|another|thing|side|must|more)\b/i
/** "2 chairs in frame 3 and one more in frame 9": counted on, not a remark such as "there is one more chair". */
const COUNTS_ON = /(?<!\p{L})(?:and|plus)\s{1,2}$/iu
const MORE_THERE = /^\s{1,2}more\s{1,2}(?:in|on|at|by|near|behind|beside|next)(?!\p{L})/iu

function wordsIn(text: string): Amount[] {
  const amounts: Amount[] = []
  for (const { 0: words, 1: dozens, 2: part, 3: whole, 4: fraction, index } of text.matchAll(WORDS)) {
    const end = index + words.length
    const given = unitAt(text, end)
    const lower = words.toLowerCase()
    const [before, after] = [text.slice(Math.max(0, index - MAX_AFTER), index), text.slice(end, end + 16)]
    // "half a chair" says nothing about a size.
    if (part !== undefined && given === null) continue
    if (
      lower === 'one' &&
      given === null &&
      (PRONOUN_BEFORE.test(before.slice(-12)) || PRONOUN_AFTER.test(after)) &&
      !(MORE_THERE.test(after) && COUNTS_ON.test(before) && (amounts.length > 0 || /\d/.test(before)))
    )
      continue
    const value =
      dozens !== undefined
        ? 12 * (/^half/i.test(dozens) ? 0.5 : /^a$/i.test(dozens) ? 1 : valueOf(dozens))
        : part !== undefined
          ? /^half/i.test(part)
            ? 0.5
            : 0.25
          : whole === undefined
            ? 2
            : valueOf(whole) + fractionOf(fraction?.toLowerCase())
    amounts.push({ value, unit: given?.unit ?? null, start: index, end: given?.end ?? end, comma: false })
  }
  for (const { 0: article, index } of text.matchAll(
    /(?<!\p{L}|than )an?(?=\s{1,3}(?:meters?|metres?|foot|yard|inch|centimeters?)(?!\p{L}))/giu,
  )) {
    const given = unitAt(text, index + article.length)
    if (given === null) continue
    // "A meter and a half"
    const half = /^\s{1,3}and a half(?!\p{L})/iu.exec(text.slice(given.end))?.[0] ?? ''
    const value = half === '' ? 1 : 1.5
    amounts.push({ value, unit: given.unit, start: index, end: given.end + half.length, comma: false })
  }
  for (const { 0: signs, index } of text.matchAll(HAN_NUMBER)) {
    const end = index + signs.length
    const given = unitAt(text, end)
    amounts.push({
      value: hanValue(signs),
      unit: given?.unit ?? null,
      start: index,
      end: given?.end ?? end,
      comma: false,
    })
  }
  return amounts
}

function valueOf(words: string): number {
  let total = 0
  let group = 0
  for (const word of words.toLowerCase().split(/[\s-]+/)) {
    if (word === 'hundred') group = (group || 1) * 100
    else if (word === 'thousand') {
      total += (group || 1) * 1000
      group = 0
    } else group += WORD_VALUES.get(word) ?? 0
  }
  return total + group
}

function fractionOf(words: string | undefined): number {
  if (words === undefined) return 0
  if (words.includes('point'))
    return Number(
      `0.${words
        .trim()
        .split(/\s+/)
        .slice(1)
        .map((word) => WORD_VALUES.get(word))
        .join('')}`,
    )
  return words.includes('half') ? 0.5 : words.includes('three') ? 0.75 : 0.25
}

function hanValue(signs: string): number {
  const digit = (sign: string): number => (sign === '两' || sign === '兩' ? 2 : HAN.indexOf(sign) + 1)
  const ten = signs.indexOf('十')
  if (ten < 0) return Number(Array.from(signs, digit).join(''))
  return (ten === 0 ? 1 : digit(signs[ten - 1]!)) * 10 + (ten + 1 < signs.length ? digit(signs[ten + 1]!) : 0)
}

const SMALLER: Readonly<Partial<Record<Unit, Unit>>> = { m: 'cm', ft: 'in' }

/** "1 m 80", "1 m 80 wide", but not "1 m 80 chairs". */
const AFTER_HUNDREDTHS = /^\s{0,2}(?:$|[^\p{L}\p{N}\s]|(?:wide|long|high|tall|deep|away|apart)(?!\p{L}))/u

/** `3 m 20 cm` is one amount, as are `5 feet 6 inches` and `1 m 80`. */
function compound(amounts: readonly Amount[], text: string): Amount[] {
  const joined: Amount[] = []
  for (const amount of amounts) {
    const last = joined.at(-1)
    const between = last === undefined ? null : text.slice(last.end, amount.start)
    const smaller = last?.unit ? SMALLER[last.unit] : undefined
    const isHundredths =
      smaller === 'cm' &&
      Number.isInteger(last!.value) &&
      amount.unit === null &&
      /^\s?\d\d$/.test(text.slice(last!.end, amount.end)) &&
      AFTER_HUNDREDTHS.test(text.slice(amount.end, amount.end + MAX_AFTER))
    const isSmaller = smaller !== undefined && amount.unit === smaller && /^,?\s{0,2}(?:and\s)?$/.test(between!)
    if (last?.unit && smaller !== undefined && (isSmaller || isHundredths)) {
      joined[joined.length - 1] = {
        ...last,
        value: last.value + convert(amount.value, smaller, last.unit)!,
        end: amount.end,
      }
    } else joined.push(amount)
  }
  return joined
}

export interface AmountRead {
  value: number
  repairs: string[]
}

/**
 * Reads an amount in a unit; null asks for a count, `any` for a number with or without a unit. Amounts of other quantities
 * are passed over, ranges decide nothing, and other units are converted, which is a repair.
 */
export function amountReader(unit: Unit | 'any' | null): AnswerReader<AmountRead> {
  const usable = (text: string): { amounts: (Amount & { read: AmountRead })[]; ranged: boolean } => {
    const fitting = amountsIn(text).flatMap((amount) => {
      const read = inUnit(amount, unit)
      return read === null ? [] : [{ ...amount, read }]
    })
    const distinct = withoutRestated(fitting, unit)
    const amounts = distinct.filter(
      (each, i) => !inRange(text, distinct[i - 1], each) && !inRange(text, each, distinct[i + 1]),
    )
    return { amounts, ranged: amounts.length < distinct.length }
  }
  const stated = (piece: string): Reading<AmountRead> => {
    const { amounts, ranged } = usable(piece)
    if (amounts.length === 0) return ranged || REFUSAL.test(piece) ? null : undefined
    const sentence = piece.split(/(?<=[.!?])\s/, 1)[0]!
    const counted = amounts.filter(({ end }) => end <= sentence.length)
    const total = explains(sentence, counted) ? undefined : sumOf(sentence, counted)
    return (afterEquals(piece, amounts) ?? total ?? amounts[0]!).read
  }
  return {
    stated,
    alone: (line) => {
      const { amounts, ranged } = usable(line)
      const [first] = amounts
      if (first === undefined) return ranged && /^\D{0,12}\d[^.!?]{0,24}[.!]?$/.test(line) ? null : undefined
      // Nothing before the amount but a word such as "about", nothing after it but what is counted.
      const whole =
        /^[^\p{L}\p{N}]*(?:(?:about|approximately|approx|around|roughly|ca|circa|about|at least|probably|maybe|estimated|nearly|almost|over|more than|some)\b[^\p{L}\p{N}]*){0,2}$/iu.test(
          line.slice(0, first.start),
        ) && /^[^\p{L}\p{N}]*(?:\p{L}+[^\p{L}\p{N}]*){0,2}$/u.test(line.slice(first.end))
      return whole && amounts.length === 1 ? first.read : undefined
    },
    told: (text) => {
      for (const sentence of sentencesFromEnd(text)) {
        if (REFUSAL.test(sentence)) continue
        const { amounts, ranged } = usable(sentence)
        if (amounts.length === 0) {
          if (ranged) return null
          continue
        }
        return toldIn(sentence, amounts)?.read ?? null
      }
      return undefined
    },
  }
}

function inUnit({ value, unit, comma }: Amount, wanted: Unit | 'any' | null): AmountRead | null {
  const repairs = comma ? ['decimal comma'] : []
  if (wanted === 'any') return { value, repairs }
  // A count is a whole number of things without a unit.
  if (wanted === null) return unit === null && !comma ? { value, repairs } : null
  if (unit === null || unit === wanted) return { value, repairs }
  const converted = convert(value, unit, wanted)
  return converted === null ? null : { value: converted, repairs: [...repairs, `converted ${unit} to ${wanted}`] }
}

/** How far a number may be off in another unit: "2.8 m (9 feet)". */
const RESTATED_WITHIN = 0.04
const RESTATED_REACH = 24

/** "2.8 m, or 9.2 feet" is one amount: the one in the wanted unit, or the first. */
function withoutRestated<A extends Amount>(amounts: readonly A[], wanted: Unit | 'any' | null): A[] {
  const kept: A[] = []
  for (const amount of amounts) {
    const last = kept.at(-1)
    const value =
      last?.unit && amount.unit && last.unit !== amount.unit ? convert(amount.value, amount.unit, last.unit) : null
    const isRestated =
      last !== undefined &&
      value !== null &&
      amount.start - last.end <= RESTATED_REACH &&
      Math.abs(value - last.value) <= RESTATED_WITHIN * Math.abs(last.value)
    if (!isRestated) kept.push(amount)
    else if (amount.unit === wanted) kept[kept.length - 1] = amount
  }
  return kept
}

const BETWEEN = /^\s{0,3}(?:to|or|through|bis|à|a|oder|ou|[-–—~])\s{0,3}(?:about\s|maybe\s|even\s)?$/i

function inRange(text: string, first: Amount | undefined, second: Amount | undefined): boolean {
  if (first === undefined || second === undefined || second.start - first.end > 16) return false
  const joint = text.slice(first.end, second.start)
  if (BETWEEN.test(joint)) return true
  return (
    /^\s{0,3}(?:and|y|et|und)\s{0,3}$/i.test(joint) &&
    /\b(?:between|entre|zwischen)\b[^.]{0,24}$/i.test(text.slice(Math.max(0, first.start - 40), first.start))
  )
}

function afterEquals<A extends Amount>(text: string, amounts: readonly A[]): A | undefined {
  const equals = Math.max(text.lastIndexOf('='), text.lastIndexOf('≈'))
  return equals < 0 ? undefined : amounts.find(({ start }) => start > equals)
}

const TOTAL_AFTER = /^\s{0,2}(?:\p{L}{1,20}\s{1,2}){0,3}(?:in total|altogether|in all|overall|total)\b/iu
const TOTAL_BEFORE = /(?<!\p{L})(?:a |the )?total(?: number)? of (?:about |roughly )?$/iu
const CONCLUSION =
  /(?<!\p{L})(?:so|therefore|thus|hence|giving|gives|makes|making|totals?|total of|in total|i\.e\.|that is|which is|estimated?)(?!\p{L})/giu

/** "4 chairs: 1 by the door …", "2.5 m (8 feet)": what follows explains the first. */
function explains(sentence: string, [head, second]: readonly Amount[]): boolean {
  return second !== undefined && /[:(]/.test(sentence.slice(head!.end, second.start))
}

function totalOf<A extends Amount>(sentence: string, amounts: readonly A[]): A | undefined {
  return amounts.find(
    ({ start, end }) =>
      TOTAL_AFTER.test(sentence.slice(end, end + MAX_AFTER)) ||
      TOTAL_BEFORE.test(sentence.slice(Math.max(0, start - 20), start)),
  )
}

/** Those after the last word that draws a conclusion. */
function concludedIn<A extends Amount>(sentence: string, amounts: readonly A[]): A[] {
  const last = [...sentence.matchAll(CONCLUSION)].at(-1)
  return last === undefined ? [] : amounts.filter(({ start }) => start > last.index)
}

/** The total, if what stands before it adds up to it: not in "4 out of 10 in total". */
function sumOf<A extends Amount & { read: AmountRead }>(sentence: string, amounts: readonly A[]): A | undefined {
  const total = totalOf(sentence, amounts) ?? concludedIn(sentence, amounts)[0]
  if (total === undefined || total === amounts[0]) return undefined
  const parts = amounts.slice(0, amounts.indexOf(total)).map(({ read }) => read.value)
  const sum = parts.reduce((left, right) => left + right, 0)
  return Math.abs(sum - total.read.value) <= 1e-9 * Math.abs(sum) ? total : undefined
}

/** "…, based on the 0.8 m door": what an amount is measured by, up to the next comma. */
const REFERENCE =
  /(?<!\p{L})(?:based on|using|assuming|given|relative to|compared (?:to|with)|considering)(?!\p{L})[^,;]*$/iu
/** "Four monitors on 2 desks": what counted things are on. */
const PLACE = /(?<!\p{L})(?:on|in|at|around|across|behind|under|beside) (?:the |these |those |all )?$/iu

/** All of them, if none is left. */
function withoutReferences<A extends Amount>(sentence: string, amounts: readonly A[]): readonly A[] {
  if (amounts.length < 2) return amounts
  const left = amounts.filter(({ start, unit }) => {
    const before = sentence.slice(0, start)
    return !REFERENCE.test(before) && (unit !== null || !PLACE.test(before))
  })
  return left.length > 0 ? left : amounts
}

/** The amount that a sentence with several comes to. */
function toldIn<A extends Amount>(sentence: string, all: readonly A[]): A | null {
  // "The area of the two rooms is 35 m²": with a unit it is certain what is meant.
  const measured = all.filter(({ unit }) => unit !== null)
  const amounts = withoutReferences(sentence, measured.length > 0 ? measured : all)
  const equal = afterEquals(sentence, amounts)
  if (equal !== undefined) return equal
  if (explains(sentence, amounts)) return amounts[0]!
  const total = totalOf(sentence, amounts)
  if (total !== undefined) return total
  const concluded = concludedIn(sentence, amounts)
  for (const candidates of [concluded, amounts]) {
    const first = candidates[0]
    if (first !== undefined && candidates.every(({ value, unit }) => same(first, value, unit))) return first
  }
  return concluded[0] ?? null
}

function same(first: Amount, value: number, unit: Unit | null): boolean {
  const other = unit !== null && first.unit !== null ? convert(value, unit, first.unit) : value
  return other !== null && Math.abs(other - first.value) <= 1e-9 * Math.abs(first.value)
}
