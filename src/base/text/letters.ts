/** Finds the option that a reply chooses, by its letter or its text. */
import {
  AFTER_LETTER,
  claimed,
  decidedLetter,
  ENDS,
  EXPLAINS,
  LAST_CLAUSE,
  MAX_VERDICT,
  NEXT_LETTER,
  onlyLetter,
  OUT_WORD,
  remainingLetter,
  RULED_OUT_AFTER,
} from './letter-sentences.ts'
import { type AnswerReader, type Reading, REFUSAL, sentencesFromEnd } from './statements.ts'

export function lettersOf(options: readonly string[]): string[] {
  return options.map((_, i) => String.fromCharCode(65 + i))
}

/** An option without its letter. */
export function optionText(option: string): string {
  return option.replace(/^\s*[A-J]\s*[.):]\s*/, '')
}

/** Words between the parts of an option that do not change it: "turn left, then turn right". */
const FILLERS: ReadonlySet<string> = new Set([
  'the',
  'a',
  'an',
  'then',
  'and',
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
const NO_FILLERS: ReadonlySet<string> = new Set()
/** The largest that leaves the options apart is used. */
const FILLER_SETS = [FILLERS, new Set(['the', 'a', 'an']), new Set(['the', 'an']), NO_FILLERS]
const NEGATIONS = new Set('not isn wasn aren don doesn than neither nor unlike never except instead'.split(' '))
/** A negation does not reach beyond: "not the sofa; the lamp". */
const CLAUSE_END = /[;!?。；]|\.(?=\s)/
/** How many words before an option a negation may stand, and how many after it the word that rules it out. */
const NEGATION_REACH = 3
const VERDICT_REACH = 2
const VERDICTS = new Set(['wrong', 'incorrect', 'false', 'eliminated', 'excluded'])

/** A line of this length is an answer, not the beginning of an explanation. */
const SHORT = 24

/** How much of the end of a reply may hold a sequence of steps or objects. */
const MAX_LISTED = 2000

const WRAPPING = `[\\s"'“”‘’«»()[\\]{}*_:;,.…>✅☑✔️🎯👉=–—-]`
const LEAD_WORDS =
  "probably|likely|most likely|clearly|indeed|therefore|thus|then|option|choice|answer|letter|opción|opcion|réponse|antwort|the|la|el|le|die|der|das|it is|it’s|it's|that|选项|選項"
const LEAD = new RegExp(`^(?:${WRAPPING}|(?:${LEAD_WORDS})(?!\\p{L}))*`, 'iu')
const UNDECIDED = /^(?:not|neither|none|cannot|can't|either|unclear|unknown|impossible|undetermined)(?!\p{L})/iu
const FIRST_LETTER = new RegExp(`^[A-Ja-j]${ENDS}`, 'u')
/** A sentence that mentions an option decides for it only if it compares. */
const COMPARES =
  /\b(?:closer|closest|nearer|nearest|small(?:er|est)|short(?:er|est)|better|best|least|minim\w+|must be|leaves|it is|it's|so|therefore|thus|hence)\b|\bnot (?:the|an?) |\b(?:not|n't|n’t) [^.;]{1,60}\bbut (?:the|an?) /i

/** "Turn right to face east": where a turn ends. */
const OUTCOME =
  /.(?<!\p{L})(?:to face|(?:you|i|we|they) (?:now |then |will |would )?(?:face|end up)(?: facing| at| in)?|now facing|leav(?:es|ing) (?:you|me|us|them) facing)(?!\p{L})([^.;!?]{1,80})\W*$/iu

/** Reads the letter of an option; the options may begin with their letters. */
export function letterReader(options: readonly string[]): AnswerReader<string> {
  const letters = lettersOf(options)
  const fillers = FILLER_SETS.find((set) => !confuses(set, options.map(optionText))) ?? NO_FILLERS
  const texts = options.map((option) => words(optionText(option), { fillers }))
  const numbered = texts.some((text) => text.some((word) => /^\d+$/.test(word)))
  const wordsIn = (text: string): string[] => words(text, { numbers: numbered, fillers })
  const comparing = texts.every((text) => !DIRECTIONS.has(text[0] ?? ''))

  /** Options that a text mentions, in order, without those it rules out. */
  const mentioned = (text: string): { letter: string; at: number }[] => {
    const tokens: string[] = []
    /** By word, where its clause starts. */
    const starts: number[] = []
    for (const clause of text.split(CLAUSE_END)) {
      const start = tokens.length
      for (const word of wordsIn(clause)) starts[tokens.push(word) - 1] = start
    }
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
      const before = tokens.slice(Math.max(starts[at]!, at - NEGATION_REACH), at)
      const after = tokens.slice(at + texts[best]!.length, at + texts[best]!.length + VERDICT_REACH)
      const isRuledOut =
        before.slice(before.lastIndexOf('but') + 1).some((word) => NEGATIONS.has(word)) ||
        after.some((word) => VERDICTS.has(word)) ||
        /^(?:isn|wasn|(?:is|was) not)(?: |$)/.test(after.join(' '))
      if (!isRuledOut) found.push({ letter: letters[best]!, at })
      at += texts[best]!.length - 1
    }
    return found
  }
  const onlyMention = (text: string): Reading<string> => {
    const found = new Set(mentioned(text).map(({ letter }) => letter))
    return found.size === 0 ? undefined : found.size === 1 ? [...found][0]! : null
  }

  /** The only option in a text, if the text ends with it: not the back of "the back wall". */
  const lastMention = (text: string): Reading<string> => {
    const [only, ...others] = mentioned(text)
    if (only === undefined || others.length > 0) return undefined
    return only.at + texts[letters.indexOf(only.letter)]!.length === wordsIn(text).length ? only.letter : undefined
  }

  /** The letter that a text begins with; undefined if it begins with a word. */
  const leading = (text: string): Reading<string> => {
    const rest = text.replace(LEAD, '')
    // "Not A but D" decides, too.
    if (UNDECIDED.test(rest))
      return (
        decidedLetter(rest, letters) ??
        onlyLetter(rest, letters) ??
        remainingLetter(rest, letters) ??
        (/^not (?:(?:the|an?) |.{1,60} but )/iu.test(rest) ? onlyMention(rest) : null) ??
        null
      )
    const letter = FIRST_LETTER.exec(rest)?.[0]
    if (letter === undefined) return undefined
    const after = rest.slice(1)
    // A key of JSON, or a letter that is ruled out.
    // "B. No" names the option whose text is "No".
    const own = texts[letters.indexOf(letter.toUpperCase())] ?? []
    const said = words(after, { fillers })
    const isOwnText = OUT_WORD.test(own[0] ?? '') && own.every((word, i) => said[i] === word)
    if (/^"\s{0,2}:/.test(after) || (!isOwnText && RULED_OUT_AFTER.test(after.slice(0, MAX_VERDICT)))) return undefined
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
    if (letter === null) return rest.length <= SHORT ? null : undefined
    if (letter !== undefined && /^.(?:$|["'”’)\]*]*\s*(?:$|[.:,;)\]\n—–-]|\())/u.test(rest)) return letter
    // "sofa", "sofa (B)", "right side": the option with at most a word or its letter.
    const tokens = wordsIn(line)
    const found = /[✗✘❌✖]/u.test(line) ? [] : mentioned(line)
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
      const sentences = sentencesFromEnd(text)
      const best = claimed(sentences, letters, onlyMention)
      if (best !== undefined) return best
      const [claims, reasons] = [
        sentences.filter((each) => !EXPLAINS.test(each)),
        sentences.filter((each) => EXPLAINS.test(each)),
      ]
      for (const sentence of [...claims, ...reasons]) {
        const decided = decidedLetter(sentence, letters)
        if (decided !== undefined) return decided
        if (REFUSAL.test(sentence)) continue
        const letter = onlyLetter(sentence, letters)
        if (letter !== undefined) return letter
        const concluded = LAST_CLAUSE.exec(sentence)?.[1] ?? ''
        const option = lastMention(OUTCOME.exec(sentence)?.[1] ?? '') ?? onlyMention(concluded) ?? onlyMention(sentence)
        if (option === undefined) continue
        if (option !== null && comparing && !COMPARES.test(sentence) && alone(sentence) !== option) continue
        return option
      }
      return remainingLetter(text.slice(-MAX_LISTED), letters)
    },
  }
}

const DIRECTIONS = new Set('left right back front turn behind forward north south east west above below'.split(' '))

/** @param how without `numbers`, those in digits are left out */
function words(text: string, { numbers = true, fillers = FILLERS } = {}): string[] {
  return [
    ...text
      .toLowerCase()
      .replaceAll('°', ' degrees ')
      .matchAll(/[\p{L}\p{N}]+/gu),
  ]
    .map(([word]) => word)
    .filter((word) => !fillers.has(word) && (numbers || !/^\d+$/.test(word)))
}

/** Without "the first" and "the second", two images are the same; "Point A" is not the point of "Point B". */
function confuses(fillers: ReadonlySet<string>, options: readonly string[]): boolean {
  const written = (each: ReadonlySet<string>): string[] =>
    options.map((option) => ` ${words(option, { fillers: each }).join(' ')} `)
  const [left, whole] = [written(fillers), written(NO_FILLERS)]
  return left.some((text, i) =>
    left.some((other, j) => i !== j && other.includes(text) && !whole[j]!.includes(whole[i]!)),
  )
}
