/** What is cleared away, or read in another way, where the plain reading of a reply would go wrong. */
import {
  amountReader,
  amountsIn,
  type AnswerReader,
  findAnswer,
  findStatedAnswer,
  lettersOf,
  numbersIn,
  REFUSAL,
  sentencesFromEnd,
  yesOrNo,
} from '../../suite.ts'

/** Shorter texts after a letter are answers. */
const MIN_DESCRIPTION = 20
/** What says of an option whether it is right. */
const VERDICT =
  /[✓✔✅☑✗✘❌✖×]|(?<!\p{L})(?:correct|right|wrong|incorrect|yes|no|not|best|most|likely|true|false|answer|eliminate\p{L}*|ruled?)(?!\p{L})/iu

const CHECKBOX = /^\s*(?:[-*+]\s+)?\[[ xX✓✔]\]\s*/

/** Wide and circled letters as plain ones, and no list that goes through all options: it says nothing about the answer. */
export function plainChoice(reply: string, options: readonly string[], reader: AnswerReader<string>): string {
  const text = reply.replaceAll(/[\uFF21-\uFF3A\uFF41-\uFF5A\u24B6-\u24E9]/g, (sign) => sign.normalize('NFKC'))
  const letters = lettersOf(options)
  const picked = tickedLetter(text, options, reader) ?? fittingLetter(text, letters, reader)
  if (picked !== null) return picked
  const optionIn = (line: string): number =>
    letters.findIndex((letter, i) => {
      if (line.trim() === letter) return true
      const rest = new RegExp(`^[\\s(*-]*${letter}[.:)]\\s*`, 'i').exec(line)?.[0]
      const text = rest === undefined ? '' : line.slice(rest.length).trim()
      return text !== '' && (text === options[i] || (text.length > MIN_DESCRIPTION && !VERDICT.test(text)))
    })
  const listed = new Set<number>()
  const left = text.split('\n').filter((line) => {
    const option = optionIn(line)
    // The second time, or out of turn, it is the answer.
    if (option !== listed.size) return true
    listed.add(option)
    return false
  })
  return options.length > 1 && listed.size === options.length ? left.join('\n') : text
}

/** "- [ ] A", "- [x] B": the only ticked box, where every box is another option and nothing else states an answer. */
function tickedLetter(text: string, options: readonly string[], reader: AnswerReader<string>): string | null {
  const lines = text.split('\n')
  const boxes = lines.filter((line) => CHECKBOX.test(line))
  const letters = lettersOf(options)
  const named = boxes.map((box) => {
    const label = box.replace(CHECKBOX, '')
    const lettered = /^(?:option )?[\s(*]*([A-J])(?=[\s*]*(?:$|[^\p{L}\p{N}\s]))/iu.exec(label)?.[1]!.toUpperCase()
    // "sofa: visible" may be a remark where some options have no box.
    const isText = (option: string): boolean =>
      boxes.length === options.length
        ? `${wordsOf(label)} `.startsWith(`${wordsOf(option)} `)
        : wordsOf(label) === wordsOf(option)
    const isOption = (option: string, i: number): boolean => isText(option) || isText(`${letters[i]!} ${option}`)
    return lettered ?? letters[options.findIndex(isOption)]
  })
  const ticked = named.filter((_, i) => /\[[xX✓✔]\]/.test(boxes[i]!))
  const areOptions = named.every((letter) => letter !== undefined && letters.includes(letter))
  if (boxes.length < 2 || new Set(named).size < boxes.length || !areOptions || ticked.length !== 1) return null
  const rest = lines.filter((line) => !CHECKBOX.test(line)).join('\n')
  return findStatedAnswer(rest, reader) === null ? ticked[0]! : null
}

/** What is said of an option begins or ends with a verdict: "yes, …", "a bed, so it fits"; not "fits the room". */
const FITS =
  /^[\s*]*(?:yes(?!\p{L})|correct(?=\s*[,;:–—-]))|(?:^|[,;:–—-]\s*)(?:(?:and|so|which|that|this|it|one) ){0,3}(?:is )?(?:the )?(?:fits|matches|correct|right one|best|yes)(?: (?:best|well|perfectly|exactly|one|match|fit|answer|choice|option|(?:the )?(?:description|question|images?|pictures?|criteria|clues?)))?[\s.;,!*)]*$|[✓✔✅☑]/iu
const DOES_NOT = /(?<!\p{L})(?:not|no|cannot|never|incorrect|wrong)(?!\p{L})|n['’]t(?!\p{L})/iu

/** The only letter that fits where a reply goes through all of them in a line and states no other: "A: no oven. B: no shower. C: a bed, so it fits." */
function fittingLetter(text: string, letters: readonly string[], reader: AnswerReader<string>): string | null {
  if (letters.length < 2 || text.trim().includes('\n')) return null
  const parts = text.trim().split(/(?<=[.;,!] )\(?(?=[A-J][:)] )/)
  if (parts.length !== letters.length || !parts.every((part, i) => part.replace('(', '').startsWith(letters[i]!)))
    return null
  const verdicts = parts.map((part) => part.replace(/^\(?[A-J][:)]\s*/, ''))
  const fitting = letters.filter((_, i) => FITS.test(verdicts[i]!) && !DOES_NOT.test(verdicts[i]!))
  return fitting.length === 1 && findStatedAnswer(text, reader) === null ? fitting[0]! : null
}

const NEGATION = /\b(?:not|no|cannot|none|never|neither)\b/

/** The only option that has the words of a short reply in it: `to the right`. */
export function partOfOption(reply: string, options: readonly string[]): string | null {
  const words = wordsOf(reply).replace(/^(?:it|they)(?: is| are)? /, '')
  // A part of a number is another number.
  if (words.length < 3 || words.split(' ').length > 6 || /\d/.test(words)) return null
  const found = options.flatMap((option, i) => {
    const whole = wordsOf(option)
    const isPart = ` ${whole} `.includes(` ${words} `) && NEGATION.test(whole) === NEGATION.test(words)
    return isPart ? [i] : []
  })
  return found.length === 1 ? lettersOf(options)[found[0]!]! : null
}

/** Not "all I can see". */
const QUANTIFIER = /^(?:both|neither|none|all)(?= (?!(?:i|we|you|it|that|this)(?: |$)))/
/** What is said of images that cannot be used, not of what they show. */
const UNUSABLE =
  /(?<!\p{L})(?:images?|pictures?|photos?|frames?|videos?|views?) (?:[^.,;]{0,20} )?(?:fail(?:ed|s)?|load(?:ed|s)?|(?:provid|attach|upload|receiv)ed|available|corrupted|sorry)(?!\p{L})|(?<!\p{L})too \p{L}+ to (?:tell|see|say|judge|determine|know|identify|decide|recognize|make out)(?!\p{L})/iu
const MAX_WORDS = 10

/** "Both images failed to load", and nothing else: that names no option, even where `Both images` is one. */
export function isUnusable(reply: string): boolean {
  const [, ...others] = sentencesFromEnd(reply)
  return others.length === 0 && QUANTIFIER.test(wordsOf(reply)) && isUnknown(reply)
}

function isUnknown(reply: string): boolean {
  return UNUSABLE.test(reply) || REFUSAL.test(reply)
}

/** The only option that begins with the quantifier that a short reply begins with: "Both images show it" for `Both`. */
export function quantifiedOption(reply: string, options: readonly string[]): string | null {
  const words = wordsOf(reply)
  const quantifier = QUANTIFIER.exec(words)?.[0]
  if (quantifier === undefined || words.split(' ').length > MAX_WORDS || isUnknown(reply)) return null
  const found = options.flatMap((option, i) => (`${wordsOf(option)} `.startsWith(`${quantifier} `) ? [i] : []))
  return found.length === 1 ? lettersOf(options)[found[0]!]! : null
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']

/** "Image 2" as "the second image", where the options say it so. */
export function withOrdinals(reply: string, options: readonly string[]): string {
  if (!options.some((option) => ORDINALS.some((ordinal) => wordsOf(option).split(' ').includes(ordinal)))) return reply
  return reply.replaceAll(
    /(?<!\p{L})(image|picture|photo|view|frame|video|clip) #?([1-6])(?![\p{L}\p{N}])/giu,
    (_, noun: string, number: string) => `the ${ORDINALS[Number(number) - 1]!} ${noun}`,
  )
}

/** Options such as "more than 4". */
const BOUND = /(?<!\p{L})(?:more|less|fewer|over|under|above|below|least|most|beyond)(?!\p{L})/iu

/** The only option with the amount that a reply comes to: "about 150 cm" for `1.5 meters`. */
export function amountOption(reply: string, options: readonly string[]): string | null {
  const amounts = options.map((option) => (BOUND.test(option) ? [] : amountsIn(option)))
  const named = amounts.flatMap(([amount], i) =>
    amount === undefined ? [] : [{ ...amount, letter: lettersOf(options)[i]!, option: options[i]! }],
  )
  const [first] = named
  // Nothing else may tell them apart: not "1 m to the left" from "2 m to the right".
  const kinds = new Set(
    named.map(({ option, start, end, unit }) => `${wordsOf(option.slice(0, start) + option.slice(end))}/${unit}`),
  )
  if (first === undefined || named.length < 2 || kinds.size > 1 || amounts.some(({ length }) => length > 1)) return null
  const answer = findAnswer(reply, amountReader(first.unit))?.value
  const found = named.filter(({ value }) => isClose(value, answer))
  return found.length === 1 ? found[0]!.letter : null
}

/** Where yes and no are options, the one that a reply says in other words: "Yes, it fits". */
export function yesNoOption(reply: string, options: readonly string[]): string | null {
  const words = options.map(wordsOf)
  if (!words.includes('yes') || !words.includes('no')) return null
  const answer = yesOrNo().read(reply)
  return answer === null ? null : lettersOf(options)[words.indexOf(answer ? 'yes' : 'no')]!
}

/** Equal but for what converting a unit rounds. */
function isClose(value: number, other: number | undefined): boolean {
  return other !== undefined && Math.abs(value - other) <= 1e-9 * Math.abs(value)
}

/** What a sentence without a number may say "no" of, or "but", without counting anything. */
const NOT_COUNTED =
  /(?<!\p{L})(?:no (?:more|other|others|further|additional|way|answer|information|clear|evidence|reliable|reference|indication|idea|scale|means|doubt|need)|but|however|although|though|except|yet|several|few|many|some)(?!\p{L})/iu
/** Beside several things, those may be what is asked for. */
const SEEN =
  '(?: (?:that )?(?:are |is )?(?:clearly )?(?:visible|present|shown|seen|there|here|(?:in|on|at|within) [^,;]{1,60}|(?:near|by|beside|next to|behind|under) (?:the|an?) (?:\\p{L}+ )?\\p{L}+(?<!s)(?!\\p{L}))){0,3}'
const NOTHING = new RegExp(
  `^(?:none|(?:there (?:is|are|was|were)|(?:i|we) (?:can )?(?:see|count|find|spot|observe)) (?:no|not any)(?: \\p{L}+){1,3}?${SEEN}|no(?: \\p{L}+){1,3}? (?:is|are|was|were|can be)${SEEN}|(?:图中|视频中|画面中|房间里)?没有\\p{Script=Han}{1,8})[.!。]?$`,
  'iu',
)
/** A row, or the like, says nothing of how many are in it. */
const SINGLE = new RegExp(
  `^there(?:['’]s| is)(?: only| just| exactly)? a single (?!(?:\\p{L}+ )?(?:row|line|set|pair|group|stack|cluster|pile|column)(?!\\p{L}))\\p{L}+(?: \\p{L}+){0,2}?${SEEN}[.!]?$`,
  'iu',
)

/** A count without a number: "No chairs are visible", "There is a single table". Null if it is none, or says more. */
export function countInWords(reply: string): number | null {
  if (NOT_COUNTED.test(reply) || REFUSAL.test(reply) || amountsIn(reply).length > 0) return null
  const [sentence, ...others] = sentencesFromEnd(reply)
  if (sentence === undefined || others.length > 0) return null
  return NOTHING.test(sentence.trim()) ? 0 : SINGLE.test(sentence.trim()) ? 1 : null
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
