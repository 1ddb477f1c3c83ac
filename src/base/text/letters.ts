/** Finds the option that a reply chooses, by its letter or its text. */
import { type AnswerReader, type Reading, REFUSAL, sentencesFromEnd } from './statements.ts'

export function lettersOf(options: readonly string[]): string[] {
  return options.map((_, i) => String.fromCharCode(65 + i))
}

/** An option without its letter. */
export function optionText(option: string): string {
  return option.replace(/^\s*[A-J]\s*[.):]\s*/, '')
}

/** Words between the parts of an option that do not change it: "turn left, then turn right". */
const FILLERS = new Set([
  'then',
  'and',
  'the',
  'a',
  'an',
  'finally',
  'first',
  'next',
  'by',
  'followed',
  'my',
  'your',
  'on',
  'in',
  'to',
  'blank',
  'step',
  'second',
  'third',
])
const NEGATIONS = new Set(['not', 'isn', 'wasn', 'than', 'neither', 'nor', 'unlike', 'never', 'except', 'instead'])
/** How many words before an option a negation may stand. */
const NEGATION_REACH = 3

/** A line of this length is an answer, not the beginning of an explanation. */
const SHORT = 24

/** How much of the end of a reply may hold a sequence of steps or objects. */
const MAX_LISTED = 2000

const WRAPPING = `[\\s"'“”‘’«»()[\\]{}*_:;,.…>✅☑✔️🎯👉=–—-]`
const LEAD_WORDS =
  "probably|likely|most likely|clearly|indeed|therefore|thus|then|option|choice|answer|letter|opción|opcion|réponse|antwort|the|la|el|le|die|der|das|it is|it’s|it's|that|选项|選項"
const LEAD = new RegExp(`^(?:${WRAPPING}|(?:${LEAD_WORDS})(?!\\p{L}))*`, 'iu')
const UNDECIDED = /^(?:not|neither|none|cannot|can't|either|unclear|unknown|impossible|undetermined)(?!\p{L})/iu
/** A letter stands alone; Chinese and Japanese put no space after it. */
const ENDS = "(?!(?![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}])[\\p{L}\\p{N}_'’])"
const STARTS = "(?<!(?![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}])[\\p{L}\\p{N}_'’/-])"
const NEXT_LETTER =
  /^["'”’)\]*.]{0,3}\s{0,2}(?:or|and|\/|,|&|\+|oder|und|ou|et|o|y|或|和)\s{0,2}["'“‘([*]{0,3}[A-J](?![\p{L}\p{N}'’])/u
/** After a lone A, these make it a letter; other words make it an article. */
const AFTER_LETTER =
  /^(?:$|[^\p{L}\p{N}\s'’]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|\s+(?:$|[^\p{L}\p{N}]|(?:(?:or|and)\s+[B-J]|is|are|it|because|since|as|due|but|would|should|must|seems|fits|matches|has|with|for|based|instead|rather|was|might|looks|appears)(?!\p{L})))/iu
const FIRST_LETTER = new RegExp(`^[A-Ja-j]${ENDS}`, 'u')
const LETTER_MENTION = new RegExp(
  `${STARTS}(?:(option|choice|answer|letter|选项)\\s{1,2})?[("'“‘[*]{0,3}([A-J])${ENDS}(?!/)`,
  'giu',
)
/** A sentence that mentions an option decides for it only if it compares. */
const COMPARES =
  /\b(?:closer|closest|nearer|nearest|small(?:er|est)|short(?:er|est)|least|minim\w+|must be|leaves|it is|it's|so|therefore|thus|hence)\b/i

/** Reads the letter of an option; the options may begin with their letters. */
export function letterReader(options: readonly string[]): AnswerReader<string> {
  const letters = lettersOf(options)
  const texts = options.map((option) => words(optionText(option)))
  const numbered = texts.some((text) => text.some((word) => /^\d+$/.test(word)))
  const comparing = texts.every((text) => !DIRECTIONS.has(text[0] ?? ''))

  /** Options that a text mentions, in order, without those it rules out. */
  const mentioned = (text: string): { letter: string; at: number }[] => {
    const tokens = words(text, numbered)
    const found: { letter: string; at: number }[] = []
    for (let at = 0; at < tokens.length; at++) {
      let best = -1
      for (const [i, option] of texts.entries()) {
        if (
          option.length > 0 &&
          option.every((word, k) => tokens[at + k] === word) &&
          option.length > (texts[best]?.length ?? 0)
        )
          best = i
      }
      if (best < 0) continue
      if (!tokens.slice(Math.max(0, at - NEGATION_REACH), at).some((word) => NEGATIONS.has(word)))
        found.push({ letter: letters[best]!, at })
      at += texts[best]!.length - 1
    }
    return found
  }
  const onlyMention = (text: string): Reading<string> => {
    const found = new Set(mentioned(text).map(({ letter }) => letter))
    return found.size === 0 ? undefined : found.size === 1 ? [...found][0]! : null
  }

  /** The letter that a text begins with; undefined if it begins with a word. */
  const leading = (text: string): Reading<string> => {
    const rest = text.replace(LEAD, '')
    if (UNDECIDED.test(rest)) return null
    const letter = FIRST_LETTER.exec(rest)?.[0]
    if (letter === undefined) return undefined
    const after = rest.slice(1)
    if (NEXT_LETTER.test(after)) return null
    const upper = letter.toUpperCase()
    if (letter !== upper && !/^(?:$|\s*$|[).:,\]"'”’*]|\s+[—–-])/.test(after)) return undefined
    if (upper === 'A' && !AFTER_LETTER.test(after)) {
      // "A chair": an article, unless no option says so.
      const named = mentioned(after)[0]
      return named?.at === 0 ? named.letter : undefined
    }
    if (upper === 'I' && /^\s+\p{Ll}/u.test(after)) return undefined
    return letters.includes(upper) ? upper : null
  }

  const stated = (piece: string): Reading<string> => {
    const letter = leading(piece)
    if (letter !== undefined) return letter
    const rest = piece.replace(LEAD, '')
    if (REFUSAL.test(rest)) return null
    const found = mentioned(rest)
    if (found.length === 0) return onlyLetter(rest, letters)
    // An option right at the start counts, unless another one follows it with "or".
    const distinct = new Set(found.map(({ letter: each }) => each))
    if (distinct.size === 1) return found[0]!.letter
    return found[0]!.at === 0 && !/(?<!\p{L})(?:or|oder|ou|或)(?!\p{L})/iu.test(rest) ? found[0]!.letter : null
  }

  const alone = (line: string): Reading<string> => {
    const letter = leading(line)
    const rest = line.replace(LEAD, '')
    if (letter === null && rest.length <= SHORT) return null
    if (letter !== undefined && /^.(?:$|["'”’)\]*]*\s*(?:$|[.:,;)\]\n—–-]|\())/u.test(rest)) return letter
    // "sofa", "sofa (B)", "right side": the option with at most a word or its letter.
    const tokens = words(line, numbered)
    const found = mentioned(line)
    if (found.length !== 1 || found[0]!.at !== 0) return undefined
    const option = texts[letters.indexOf(found[0]!.letter)]!
    return tokens.length <= option.length + 1 ? found[0]!.letter : undefined
  }

  return {
    stated,
    alone,
    told: (text) => {
      const listed = onlyMention(text.slice(-MAX_LISTED).replaceAll(/^\s{0,4}\d{1,2}[.)]\s/gm, ' '))
      // A whole sequence cannot be mentioned by chance.
      if (listed && texts[letters.indexOf(listed)]!.length > 2) return listed
      for (const sentence of sentencesFromEnd(text)) {
        if (REFUSAL.test(sentence)) continue
        const letter = decidedLetter(sentence, letters) ?? onlyLetter(sentence, letters)
        if (letter !== undefined) return letter
        const option = onlyMention(sentence)
        if (option === undefined) continue
        if (option !== null && comparing && !COMPARES.test(sentence) && alone(sentence) !== option) continue
        return option
      }
      return undefined
    },
  }
}

const DIRECTIONS = new Set(['left', 'right', 'back', 'front', 'turn', 'behind'])

function words(text: string, numbers = true): string[] {
  return [...text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)]
    .map(([word]) => word)
    .filter((word) => !FILLERS.has(word) && (numbers || !/^\d+$/.test(word)))
}

const DECISION = new RegExp(
  `${STARTS}([A-J])["'”’)\\]]{0,2} (?:is|would be|must be|seems) (?:the )?(?:most )?(?:clearly )?(?:correct|right|best|likely|answer|closest|nearest|one)(?!\\p{L})`,
  'gu',
)

/** "B is correct, as A and C are farther away." */
function decidedLetter(sentence: string, letters: readonly string[]): string | undefined {
  const found = new Set([...sentence.matchAll(DECISION)].map((match) => match[1]!))
  const [letter] = found
  return found.size === 1 && letters.includes(letter!) ? letter : undefined
}

/** The only letter that a sentence mentions as one: "Option B is correct", "So B it is". */
function onlyLetter(sentence: string, letters: readonly string[]): Reading<string> {
  const found = new Set<string>()
  for (const { 1: named, 2: letter, 0: whole, index } of sentence.matchAll(LETTER_MENTION)) {
    const after = sentence.slice(index + whole.length, index + whole.length + 24)
    const before = sentence.slice(Math.max(0, index - 12), index)
    if (letter !== letter!.toUpperCase() && named === undefined) continue
    if (/\b(?:not|than|nor)\s+(?:option\s+)?$/i.test(before)) continue
    if (named === undefined && letter === 'A' && !whole.startsWith('(') && !AFTER_LETTER.test(after)) continue
    if (letters.includes(letter!.toUpperCase())) found.add(letter!.toUpperCase())
  }
  return found.size === 0 ? undefined : found.size === 1 ? [...found][0]! : null
}
