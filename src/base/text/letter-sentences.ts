/** What a sentence says of the letters of options: which it chooses, and which it rules out. */
import { type Reading, REFUSAL } from './statements.ts'

/** A letter stands alone; Chinese and Japanese put no space after it. */
export const ENDS =
  "(?!(?![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}])[\\p{L}\\p{N}_]|['’]\\p{L})"
const STARTS = "(?<!(?![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}])[\\p{L}\\p{N}_'’/-])"
export const NEXT_LETTER =
  /^["'”’)\]*.]{0,3}\s{0,2}(?:or|and|\/|,|&|\+|oder|und|ou|et|o|y|或|和)\s{0,2}["'“‘([*]{0,3}[A-HJ](?![\p{L}\p{N}'’])/u
/** After a lone A, these make it a letter; other words make it an article. */
export const AFTER_LETTER =
  /^(?:$|[^\p{L}\p{N}\s'’]|['’](?!\p{L})|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|\s+(?:$|[^\p{L}\p{N}]|(?:(?:or|and)\s+[B-J]|is|are|it|because|since|as|due|but|would|should|must|seems|fits|matches|has|with|for|based|instead|rather|was|might|looks|appears)(?!\p{L})))/iu
/** What pictures have letters for; small letters after these are words: "point a camera". */
const MARKED = 'point|box|image|picture|view|object|figure|region|marker|label|arrow|circle|dot'
const IS_MARKED = new RegExp(`^(?:${MARKED})$`, 'iu')
const LETTER_MENTION = new RegExp(
  `${STARTS}(?:(option|choice|answer|letter|选项|${MARKED})\\s{1,2})?[("'“‘[*]{0,3}([A-J])${ENDS}(?!/)`,
  'giu',
)

const DECISION = new RegExp(
  `${STARTS}([A-J])["'”’)\\]]{0,2} (?:is|would be|must be|seems) (?:the )?(?:most )?(?:clearly )?(?:correct|right|best|likely|answer|closest|nearest|one)(?!\\p{L})`,
  'gu',
)
const CONCLUDES =
  /^\W{0,3}(?:so|therefore|thus|hence|overall|finally|in (?:conclusion|summary)|based on (?:this|these|the|my))(?!\p{L})/iu
/** A sentence that gives the reason for another. */
export const EXPLAINS =
  /^\W{0,3}(?:because|the reason|this (?:is|can be|was|matches|conclusion)(?: (?:clearly|best|most likely))?(?: (?:evident|because|due|indicated|shown|supported|seen|determined|based|suggested|inferred))|here['’]s why)(?!\p{L})/iu
/** A sentence that takes something back. */
const TURNS =
  /^\W{0,3}(?:but|however|wait|actually|yet|nevertheless|still|on (?:second|closer)|looking (?:closer|again))(?!\p{L})/iu
/** "More than 3 m" does not compare options. */
const BETTER =
  '(?:most|more(?! than (?:about |around |roughly )?(?:\\d|an? |half|one|two|three))|best|better|closest|closer|nearest|nearer)(?!\\p{L})'
/** "Box A more accurately …", "The second image (A) is most similar …". */
const COMPARISON = new RegExp(
  `${STARTS}([A-J])["'”’)\\]*]{0,3} (?:(?:is|appears|seems|looks)(?: to be)? )?(?:the |much |clearly |slightly )*${BETTER}`,
  'gu',
)
const CLAIMS = new RegExp(`(?<!\\p{L})(?:is|be|appears|seems|looks)(?: to be)? (?:the )?${BETTER}`, 'iu')
/** "A is closer to the wall, so it must be the lamp". */
export const LAST_CLAUSE = /.[,;] (?:and )?(?:so|therefore|thus|hence)(?!\p{L}) ([^;]*)$/iu
/** "The farther point is B". */
const SINGLED_OUT =
  /(?<!\p{L})the (?:most|least|(?:clos|near|far|farth|furth|small|larg|bigg|short|tall|high|low|deep|great|long|wid)(?:er|est))(?!\p{L})[^,;]{0,80} (?:is|are|would be|must be)(?!\p{L})/iu
const COMPARED = new RegExp(`(?<!\\p{L})(?:${BETTER}|(?:farther|farthest|further|furthest)(?!\\p{L}))`, 'iu')
/** Nothing but a letter. */
const BARE = /^[^\p{L}\p{N}]{0,4}(?:(?:option|choice|answer)[\s:]{1,2}[(*]{0,3})?[A-J][^\p{L}\p{N}]*$/iu
const NEAR = /(?<!\p{L})(?:clos|near)(?:er|est)(?!\p{L})/iu
const FAR = /(?<!\p{L})(?:farther|further|more distant)(?!\p{L})/iu
/** "so B", "which leaves C", "but it is C", and a letter after the last colon. */
const CONCLUSION = new RegExp(
  `(?:(?<!\\p{L})(?:(?:so|therefore|thus|hence),? the [^,.;:]{1,40} (?:is|would be|must be)|so|therefore|thus|hence|leav(?:es|ing)|(?:which|that) makes|lean(?:ing)? towards?|only|but(?= (?:it|the answer|option|choice|rather))|(?<=(?:not|n['’]t) [^.;]{0,40})but|rather|it(?:['’]s| is| must be| should be| has to be))(?:[\\s,:]{1,3}(?:it(?:['’]s| is| must be| should be| has to be)|the answer is|answer|option|choice|only|just|with))*[\\s,:(]{1,3}|[:：=→]\\s{0,2}\\(?(?=[A-J][).!]{0,2}\\s*$))([A-J])${ENDS}`,
  'gu',
)

const LISTED = `["'”’)\\]*]{0,3}(?:\\s{0,2}(?:,|and|or|&|/|,\\s?and|,\\s?or)\\s{0,2}(?:options?\\s)?["'“(]{0,2}[A-J]["'”)]{0,2}(?![\\p{L}\\p{N}'’]))`
export const MAX_VERDICT = 120
const MAX_BEFORE = 64
const OUT =
  '(?:wrong|incorrect|not|false|out|no|eliminated|excluded|ruled out|impossible|invalid|unlikely|implausible|discarded|rejected)'
export const OUT_WORD = new RegExp(`^${OUT}$`, 'u')
/** "If the camera faced north, which it does". */
const HOLDS =
  '[^.,;!?]{1,80}, (?:which|and|as)(?: indeed)?(?: it| they| this| that| we| you)? (?:indeed )?(?:does|do|did|is|are|was|were|has|have)(?=\\s*(?:$|[.,;!]))'
/** What follows a letter, or a list of letters, that a sentence rules out: "A and C are wrong", "A: no", "A ✗". */
export const RULED_OUT_AFTER = new RegExp(
  `^${LISTED}{0,8}["'”’)\\]*]{0,3}\\s{0,2}(?:` +
    `(?:(?:[-:–—.]\\s{0,2})?\\p{Ll}[\\p{L} ]{0,40}\\s?[-:–—(]\\s{0,2}|[-:–—]\\s{0,2})${OUT}(?=[\\s)*]*(?:$|[.,;]))` +
    `|(?:is|are|was|were|seems?|looks?|can be|could be)\\s(?:all |both |also |too |clearly |definitely |probably |certainly |obviously |therefore |then )*${OUT}(?!\\p{L})` +
    `|(?:wrong|incorrect|eliminated|excluded|ruled out)(?=\\s*(?:$|[.,;]))|would (?:require|need|mean|imply|suggest|put|place)(?!\\p{L})` +
    `|would (?:only )?(?:be|work|fit|hold|match|make sense)(?: [^.,;!?]{1,30})? (?:only )?if(?!\\p{L})(?!${HOLDS})` +
    `|(?:cannot|can['’]t|does(?: not|n['’]t)|do(?: not|n['’]t)|is(?: not|n['’]t)|are(?: not|n['’]t)|won['’]t|fails?)(?!\\p{L})|(?:[-:–—]\\s{0,2})?(?:\\p{Ll}[\\p{L} ]{0,40})?[✗✘❌×✖])`,
  'iu',
)
/** "All but B are wrong". */
const EXCEPT =
  /\b(?:all|everything|every (?:other )?option|any(?:thing)?) (?:except|but)(?: for)?(?: option)?\s{0,2}[("'“]{0,2}$/i
const RULED_OUT_BEFORE =
  /(?<!\p{L})(?:not|nor|neither|than|instead of|except|unlike|over|(?:is|was|are)n['’]t|(?:can['’]t|cannot) be|exclud\p{L}+|eliminat\p{L}+|reject\p{L}*|discard\p{L}*|rul(?:e|es|ed|ing)\sout|thought(?: it was)?|first glance)\s+(?:be\s+)?(?:(?:options?|choices?|answers?|letters?)\s+)?["'“(]{0,2}$|不是["“(]{0,2}$/iu
/** "Box A fits best. Box B, on the other hand, …", "A is closer, while point B …": the other option. */
const CONTRASTED_AFTER =
  /^["'”’)\]*]{0,3},? (?:on the other hand|however|by contrast|in contrast|meanwhile|conversely|by comparison)(?!\p{L})/iu
const CONTRASTED_BEFORE =
  /(?<!\p{L})(?:whereas|while|in contrast,?|by contrast,?|conversely,?|compared (?:to|with))(?: (?!is|are|it)\p{L}+){0,3} ["'“(*]{0,3}$/iu
const LIST_JOINT = /^["'”’)\]*]{0,3}\s{0,2}(?:,|and|or|nor|&|\/|,\s?and|,\s?or)\s{0,2}(?:options?\s)?["'“(]{0,2}$/iu

/** "B is correct, as A and C are farther away"; "A seemed right, but the lamp is closer, so B". */
export function decidedLetter(sentence: string, letters: readonly string[]): string | undefined {
  const concluded = [...sentence.matchAll(CONCLUSION)].findLast(({ 0: whole, 1: letter, index }) => {
    const after = sentence.slice(index + whole.length, index + whole.length + MAX_VERDICT)
    const isLetter = letter !== 'A' || AFTER_LETTER.test(after)
    return isLetter && !NEXT_LETTER.test(after) && !RULED_OUT_AFTER.test(after)
  })?.[1]
  if (concluded !== undefined && letters.includes(concluded)) return concluded
  return onlyMatch(sentence, DECISION, letters)
}

function onlyMatch(sentence: string, pattern: RegExp, letters: readonly string[]): string | undefined {
  const matches = [...sentence.matchAll(pattern)].filter(({ index }) => {
    const after = sentence.slice(index + 1, index + MAX_VERDICT)
    return !RULED_OUT_AFTER.test(after)
  })
  const found = new Set(matches.map((match) => match[1]!))
  const [letter] = found
  return found.size === 1 && letters.includes(letter!) ? letter : undefined
}

/**
 * What a reply says to be best in its first sentence, or in one that concludes, if it then goes on about the reasons and
 * the others without taking it back or comparing another one.
 */
export function claimed(
  sentences: readonly string[],
  letters: readonly string[],
  mention: (sentence: string) => Reading<string>,
): string | undefined {
  for (const [i, sentence] of sentences.entries()) {
    const decided = decidedLetter(sentence, letters)
    const concludes = CONCLUDES.test(sentence)
    const compared = onlyMatch(sentence, COMPARISON, letters)
    const claims = compared !== undefined || CLAIMS.test(sentence)
    if (claims && (concludes || i === sentences.length - 1)) {
      const concluded = mention(LAST_CLAUSE.exec(sentence)?.[1] ?? '')
      const letter = decided ?? concluded ?? compared ?? mention(sentence) ?? undefined
      const isRival = (later: string): boolean => {
        const other = competes(later, sentence) ? (onlyLetter(later, letters) ?? mention(later)) : null
        return typeof other === 'string' && other !== letter
      }
      return sentences.slice(0, i).some(isRival) ? undefined : letter
    }
    if (concludes || decided !== undefined || TURNS.test(sentence)) return undefined
  }
  return undefined
}

/** Whether a sentence after a claim may choose another; "The sofa is farther away" only confirms "The lamp is closest". */
function competes(later: string, claim: string): boolean {
  if (EXPLAINS.test(later)) return false
  const confirms = NEAR.test(claim) && FAR.test(later)
  return BARE.test(later) || SINGLED_OUT.test(later) || (COMPARED.test(later) && !confirms)
}

/** The only letter that a sentence mentions as one, and does not rule out: "Option B is correct", "So B it is". */
export function onlyLetter(sentence: string, letters: readonly string[]): Reading<string> {
  const { left } = sortedLetters(sentence, letters)
  return left.size === 0 ? undefined : left.size === 1 ? [...left][0]! : null
}

/** The letter that is left if a text rules out all others: "Not A, not B, not D." Not if it also says that it has no answer. */
export function remainingLetter(text: string, letters: readonly string[]): string | undefined {
  const { left, out } = sortedLetters(text, letters)
  const remaining = letters.filter((letter) => !out.has(letter))
  if (left.size > 0 || letters.length < 3 || remaining.length !== 1) return undefined
  return text.split(/(?<=[.!?;])\s+|\n/).some((part) => refuses(part, letters)) ? undefined : remaining[0]
}

/** "I cannot see the image", not "A cannot be seen". */
function refuses(sentence: string, letters: readonly string[]): boolean {
  return REFUSAL.test(sentence) && !letters.some((letter) => sortedLetters(sentence, letters).out.has(letter))
}

/** The letters that a text mentions: those that it rules out, and the others. */
function sortedLetters(sentence: string, letters: readonly string[]): { left: Set<string>; out: Set<string> } {
  const left = new Set<string>()
  const out = new Set<string>()
  let ruledOut = -1
  for (const { 1: named, 2: letter, 0: whole, index } of sentence.matchAll(LETTER_MENTION)) {
    const end = index + whole.length
    const after = sentence.slice(end, end + MAX_VERDICT)
    const before = sentence.slice(Math.max(0, index - MAX_BEFORE), index)
    if (letter !== letter!.toUpperCase() && (named === undefined || IS_MARKED.test(named))) continue
    const isListed = ruledOut >= 0 && LIST_JOINT.test(sentence.slice(ruledOut, index))
    if (isListed || RULED_OUT_BEFORE.test(before)) {
      out.add(letter!.toUpperCase())
      ruledOut = end
      continue
    }
    if (RULED_OUT_AFTER.test(after) && !EXCEPT.test(before)) {
      out.add(letter!.toUpperCase())
      continue
    }
    if (CONTRASTED_AFTER.test(after) || CONTRASTED_BEFORE.test(before)) continue
    if (named === undefined && letter === 'A' && !whole.startsWith('(') && !AFTER_LETTER.test(after)) continue
    if (letters.includes(letter!.toUpperCase())) left.add(letter!.toUpperCase())
  }
  return { left, out }
}
