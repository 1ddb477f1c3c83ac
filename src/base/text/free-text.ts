/** Free text as an answer: what it says, without the words around it. */
import { plainText } from './plain.ts'

/** A sentence of so many words is an answer and not the beginning of an explanation. */
const SHORT = 3
const MAX_TEXT = 2000

const FIRSTLY = '(?:(?:so|thus|hence|therefore|well|probably|most likely|likely|clearly)[,\\s]{1,3})?'
const OPINION = "(?:(?:i|we)(?: would|'d|’d)? (?:think|believe|guess|say|assume)(?: that)?[,\\s]{1,3})?"
const VERB =
  "(?:['’]s|['’]re| (?:is|are|was|were|seems?|appears?|looks?)(?: like| to be)?| (?:would|must|should|could|might|may) be)"
/** "I think it is", "So this looks like", "Probably". */
const PRONOUN_LEAD = new RegExp(
  `^${FIRSTLY}${OPINION}(?:(?:it|this|that|these|those|they|he|she|there)${VERB}(?: likely| probably| most likely)?\\s{1,3}(?!not\\b))?`,
  'iu',
)
/** "The room that is shown is". */
const NOUN_LEAD = new RegExp(
  `^the (?:\\p{L}[\\p{L}-]{0,30} ){0,5}?\\p{L}[\\p{L}-]{0,30}${VERB}\\s{1,3}(?!not\\b)`,
  'iu',
)
const PLACE_LEAD = /^(?:located |placed |found |situated )?(?:in|at|on|inside|into|to)\s{1,3}/iu
const REASON = /[,;]?\s(?:because|since|due to|given that|as (?:i|there|we|it|the))\s.*$|\s[—–-]\s.*$/isu

/** The answer in a piece of text: its first sentence if that is one, or else its last. */
export function statedText(piece: string): string {
  const plain = plainText(piece.slice(0, MAX_TEXT))
    .replaceAll(/^\s{0,8}[-*•]\s/gm, '')
    .trim()
  const sentences = plain.split(/(?<=\p{L}{2}[.!?]["'”’)]?)\s+|\n+/u).filter((each) => each.trim() !== '')
  const [first = ''] = sentences
  const chosen = sentences.find((each) => (each === first || each === sentences.at(-1) ? isAnswer(each) : false))
  return unwrapped(withoutLead(unwrapped(chosen ?? plain)))
}

function isAnswer(sentence: string): boolean {
  const said = unwrapped(sentence)
  return withoutLead(said) !== said || said.split(/\s+/).length <= SHORT
}

function withoutLead(said: string): string {
  const rest = said.slice(PRONOUN_LEAD.exec(said)?.[0].length ?? 0).replace(REASON, '')
  return rest === '' ? said : rest
}

/** Signs that make another answer of the same words: -5, C++, $5. */
const SIGNS = /[+#$€£<>=]|^\s*[-−]\s*\d/u

/** Whether an answer says what the ground truth does, without case, punctuation, articles and the words around it. */
export function sameText(answer: string, truth: string): boolean {
  const said = statedText(answer)
  const bare = said.replace(NOUN_LEAD, '')
  const ways = [answer, said, bare, bare.replace(PLACE_LEAD, '')]
  const wanted = contentWords(truth).join(' ')
  const isOfSigns = wanted === '' || SIGNS.test(truth)
  if (isOfSigns) return ways.some((each) => unwrapped(each).toLowerCase() === unwrapped(truth).toLowerCase())
  return ways.some((each) => contentWords(each).join(' ') === wanted)
}

/** Without case, punctuation and articles, as in the evaluation of SQuAD. */
export function contentWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.filter((word) => !['a', 'an', 'the'].includes(word))
}

/** Without the marks around an answer. A loop: a pattern would try every run of marks to the end. */
function unwrapped(answer: string): string {
  let from = 0
  let to = answer.length
  while (from < to && /[\s:*"'“‘`]/.test(answer[from]!)) from++
  while (to > from && /[\s.!"'”’*`]/.test(answer[to - 1]!)) to--
  return answer.slice(from, to)
}
