/** Reads yes or no, in the words that models use for them. */
import { type AnswerReader, type Reading, REFUSAL, sentencesFromEnd, SUPPOSITION } from './statements.ts'

const YES = 'yes|yeah|yep|yup|true|ja|oui|sí|да|是的|是|对|對|可以|はい|네|예'
const NO = 'nope|no|nah|false|nein|non|нет|否|不是|不对|不對|不可以|不能|不|没有|いいえ|아니요|아니오'
const WORD = `(?:(${YES})|(${NO}))`

const MARKS = `[\\s"'“”‘’«»()[\\]{}*_:：;,，.…>=–—-]`
const LEAD_WORDS =
  "so|well|therefore|thus|hence|in short|overall|clearly|probably|likely|most likely|i think|i believe|i would say|i'd say|the answer is|answer|final answer|it is|it's|based on (?:the|this|these) (?:images?|pictures?|photos?|video|frames?)"
const LEAD = new RegExp(`^(?:${MARKS}|(?:${LEAD_WORDS})(?!\\p{L}))*`, 'iu')

/** What makes a word an answer: the end, a sign, or the reason for it. The no of "no table" is none, nor is that of "no-one". */
const ENDS_ANSWER =
  /^(?:\s*(?:$|[^\p{L}\p{N}\s-]|-(?!\p{L}))|\s+(?:because|since|as|it|the|this|that|there|they|he|she|we|you|i|its|if|but|based|due|given|although|though|cabe)(?!\p{L}))/iu
const FIRST = new RegExp(`^${WORD}(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{N}_'’])`, 'iu')
const MENTION = new RegExp(
  `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{N}_'’-])(?:(yes|yeah|yep|yup)|(nope|no|nah)|(?<=(?:is|is not|isn't|:|be|=)\\s{0,2}["'“*(]{0,3})(?:(true|是的?)|(false|否))|(true)(?=[.!"'*)]*\\s*$)|(false)(?=[.!"'*)]*\\s*$))(?![\\p{L}\\p{N}_'’])`,
  'giu',
)
const BOTH = /(?<!\p{L})(?:yes|no)["'”’]?[\s-]{0,2}(?:and|or|nor|\/|&)[\s-]{0,2}["'“‘]?(?:yes|no)(?!\p{L})/iu

/** Words that mean yes or no as a whole sentence only. */
const AGREES =
  /^(?:y|correct|right|affirmative|absolutely|definitely|certainly|indeed|sure|of course|i (?:think|believe) so|(?:that|this|it|the (?:statement|claim|description))(?:'s|’s| is| seems| would be) (?:correct|right|true|the case)|(?:it|that|this|they)(?:'s|’s| is| are| does| do| can| will| would| has)(?: indeed| definitely| certainly)?)$/iu
const DENIES =
  /^(?:n|incorrect|wrong|negative|not (?:really|at all|quite|exactly)|(?:absolutely|definitely|certainly|probably|most likely|of course|clearly|apparently) not|i (?:don't|don’t|do not) (?:think|believe) so|(?:that|this|it|the (?:statement|claim|description))(?:'s|’s| is| seems| would be) (?:incorrect|wrong|false|not (?:correct|right|true|the case|so))|(?:that|this|it) (?:isn't|isn’t) (?:correct|right|true|the case|so)|(?:it|that|this|they) ?(?:(?:'s|’s|is|are|does|do|can|will|would|has) not|(?:is|are|does|do|ca|would|has)n['’]t|cannot|won['’]t)(?: indeed| definitely| certainly)?)$/iu

const MAX_SUPPOSED = 150
const CONCLUDES = /^\W{0,3}(?:so|therefore|thus|hence|overall|in conclusion|the answer is|final answer)\b/i
/** "If the camera turned, the answer would be yes." */
const SUPPOSES = /^\W{0,3}if\b.{1,120}\bwould\b|\bwould be\b.{1,60}\bif\b/iu
/** Where a sentence comes back from what it supposes. */
const AS_IT_IS = /(?<!\p{L})(?:but|however|as it (?:is|stands)|in reality|in fact)(?!\p{L})/iu
const POLITE = /^\W{0,3}(?:sure|of course|certainly|absolutely|definitely|right)(?! not)\b/i

export const yesNoReader: AnswerReader<boolean> = {
  stated: (piece) => leading(piece) ?? mentioned(piece) ?? wholeSentence(piece),
  alone: (line) => opened(line) ?? wholeSentence(line),
  told: (text) => {
    const first = opened(text)
    if (first !== undefined) return first
    for (const sentence of sentencesFromEnd(text)) {
      const answer = mentioned(withoutSupposition(sentence))
      if (answer !== undefined) return answer
      if (REFUSAL.test(sentence)) return null
    }
    const [last = '', ...others] = sentencesFromEnd(text)
    const opening = others.at(-1) ?? last
    // "Certainly! Looking at the picture, …" is polite, not a yes.
    if (others.length > 0 && POLITE.test(opening)) return wholeSentence(last)
    return wholeSentence(opening) ?? wholeSentence(last) ?? wholeSentence(opening.split(/[,;:]/, 1)[0]!)
  },
}

/** What a sentence says of how it is. */
function withoutSupposition(sentence: string): string {
  if (!SUPPOSES.test(sentence) && !SUPPOSITION.test(sentence)) return sentence
  return sentence.split(AS_IT_IS).slice(1).join(' ')
}

/** The yes or no that a text begins with, unless it ends with another: "Yes, there is one. But not on the left. So no." */
function opened(text: string): Reading<boolean> {
  const first = leading(text)
  if (first === undefined) return undefined
  const [end = ''] = sentencesFromEnd(text)
  return (CONCLUDES.test(end) ? mentioned(end) : undefined) ?? first
}

/** The yes or no that a text begins with. */
function leading(text: string): Reading<boolean> {
  const rest = text.slice(LEAD.exec(text)![0].length)
  const found = FIRST.exec(rest)
  if (found === null) return undefined
  if (BOTH.exec(rest)?.index === 0) return null
  const after = rest.slice(found[0].length)
  if (/^\s+that(?!\p{L})/u.test(after) && /^true|^false/i.test(found[0])) return undefined
  // "Yes, if it were turned"
  if (SUPPOSITION.exec(after.slice(0, MAX_SUPPOSED))?.index === /^[,\s]*(?:but )?(?:only )?/u.exec(after)![0].length)
    return undefined
  return ENDS_ANSWER.test(after) ? found[1] !== undefined : undefined
}

/** The last yes or no of a sentence. */
function mentioned(sentence: string): Reading<boolean> {
  if (BOTH.test(sentence)) return null
  const found = [...sentence.matchAll(MENTION)].filter(
    ({ index, 0: word, 2: no }) => no === undefined || ENDS_ANSWER.test(sentence.slice(index + word.length)),
  )
  const last = found.at(-1)
  if (last === undefined) return undefined
  const isNegated = /(?:\bnot|n['’]t)\s{1,2}["'“]?$/i.test(sentence.slice(Math.max(0, last.index - 8), last.index))
  return ((last[1] ?? last[3] ?? last[5]) !== undefined) !== isNegated
}

function wholeSentence(sentence: string): Reading<boolean> {
  const words = sentence.replaceAll(/^[\s"'“*(]{1,8}|[\s.!"'”*)]{1,8}$/g, '')
  return AGREES.test(words) ? true : DENIES.test(words) ? false : undefined
}
