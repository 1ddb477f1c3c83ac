/** Where a reply says its answer: in a tag, a box or a field of JSON, after a phrase such as "the answer is", alone on a line, or in passing. */
import { answerField } from './answer-field.ts'
import { plainText } from './plain.ts'
import { afterLast, tagged } from './sections.ts'
import { dropThinking } from './thinking.ts'

/** Undefined where a piece of text has no answer, null where it leaves open which. */
export type Reading<Answer> = Answer | null | undefined

/** Reads an answer of one kind. Every piece is plain text. */
export interface AnswerReader<Answer> {
  /** What follows a phrase such as "the answer is". */
  stated(piece: string): Reading<Answer>
  /** A line, or the whole reply, that is nothing but the answer, perhaps with a reason after it. */
  alone(line: string): Reading<Answer>
  /** Running text that does not announce its answer. */
  told(text: string): Reading<Answer>
}

const LINK = '(?:is|was|are|would be|should be|must be|will be|ist|lautet|es|est|è|sería|serait|[:：=≈.]|->|→|—|–|-)'
const NOUN =
  '(?:answers?|(?:correct|best|right) (?:option|choice|letter)|choice|conclusion|estimate|estimation|guess|result' +
  '|ans|(?:richtige|korrekte) option|antwort|lösung|resposta|risposta(?: corretta)?|ответ|respuesta(?: correcta)?|opción correcta|réponse)'
/** "The answer to the question …", "the best choice to complete …": not "the answer for the first part". */
const ASKED =
  '(?:answers? (?:to|for) (?:the|this|that|your) (?:\\p{L}+ )?(?:question|problem|task|puzzle)' +
  '|answers? (?:here|in this case)|(?:correct|best|right) (?:answer|option|choice) (?:to|for|that|which|here|in this))(?!\\p{L})'
const VERB =
  "(?:(?<!if )(?:i|we|let's|let me)(?:'d|’d|'ll|’ll| would| will| have to)?(?: also| still| rather| therefore| now)?" +
  ' (?:choose|pick|select|go with|say|guess|estimate|answer|settle on|conclude)(?: at| with| that(?: it is)?)?|(?:i|we) count' +
  "|(?:i|we|let's|let me)(?:'d|’d|'ll|’ll| would| will| have to| must)? (?:revise|correct|adjust|change|update) (?:this|that|it|(?:my|the) \\p{L}+) to" +
  "|(?:i|i'd|i would) (?:think|believe) (?:it is|it's|it’s|there are|that)|(?<=^|[.!?\\n] ?)(?:choose|select|pick)" +
  '|(?:ich wähle|je choisis|elijo|escojo)(?: la réponse| la respuesta| die antwort)?)'
const HAN =
  '(?:答案|答え|正解|回答)\\s{0,3}(?:应该是|應該是|是|为|為|は|[:：])|我选择?|所以选择?|应该是|應該是|选择|选(?!项)|认为是|정답은|답은|정답:'
/** A phrase that announces an answer, with the words and signs that link it to the answer. */
const STATEMENT = new RegExp(
  `(?<!\\p{L})(?:${NOUN}(?:[^\\S\\n]{0,3}\\([^()\\n]{0,60}\\))?(?:\\s{0,3}${LINK}(?![a-z])){1,3}|${ASKED}[^.:;!?\\n]{0,80}? (?:is|would be|should be|must be)(?:\\s{0,3}:)?(?!\\p{L})|${NOUN}[^\\S\\n]{0,3}\\n|${VERB}(?!\\p{L})(?:\\s{0,3}:)?)|${HAN}`,
  'giu',
)

/** After these words a model takes back what it said before. */
const CORRECTION =
  /(?<!\p{L})(?:no,? wait|wait,? no|wait|hmm,? no|actually|correction|scratch that|on second thought|i mean|make that|sorry,? (?:it|i|the))(?!\p{L})[\s,:;.…—-]*/giu
const ENDS_IN_NO = /no[\s,:;.…—-]*$/i
const RETRACTED = /^[^.\n]{0,40}\b(?:wrong|incorrect|not right|not correct|a mistake)\b/i

const MAX_READ = 20_000
/** Pieces longer than this are prose, and only their beginning states an answer. */
const MAX_PIECE = 300
/** Later statements count more; a reply that says "answer" thousands of times is not read further back. */
const MAX_STATEMENTS = 50
const MAX_CORRECTIONS = 5

/**
 * The answer that a reply ends up with, or null. Thinking is not part of the reply. Later statements count more than
 * earlier ones, and stated answers more than told ones.
 */
export function findAnswer<Answer>(reply: string, reader: AnswerReader<Answer>): Answer | null {
  const { text } = dropThinking(reply)
  return findIn(text, reader) ?? null
}

/** As `findAnswer`, but only where the reply announces its answer. */
export function findStatedAnswer<Answer>(reply: string, reader: AnswerReader<Answer>): Answer | null {
  const { text } = dropThinking(reply)
  return marked(text, reader) ?? stated(plainText(ends(text)), reader) ?? null
}

function findIn<Answer>(text: string, reader: AnswerReader<Answer>): Reading<Answer> {
  const found = marked(text, reader) ?? inField(text, reader)
  if (found !== undefined) return found
  const plain = plainText(ends(text))
  for (const { index, 0: cue } of [...plain.matchAll(CORRECTION)].slice(-MAX_CORRECTIONS).toReversed()) {
    const rest = plain.slice(index + cue.length)
    if (RETRACTED.test(rest)) return null
    // The "no" of "Yes. Wait, no." may be the answer.
    const no = ENDS_IN_NO.exec(cue)
    const corrected = findPlain(rest, reader) ?? (no === null ? undefined : reader.alone(no[0] + rest))
    if (corrected !== undefined && corrected !== null) return corrected
  }
  return findPlain(plain, reader)
}

function findPlain<Answer>(plain: string, reader: AnswerReader<Answer>): Reading<Answer> {
  const found = stated(plain, reader)
  if (found !== undefined) return found
  const text = plain.trim()
  const lines = [text.slice(0, lineEnd(text)), text.slice(text.lastIndexOf('\n') + 1)]
  for (const line of lines) {
    if (line.length > MAX_PIECE) continue
    const answer = reader.alone(line)
    if (answer !== undefined) return answer
  }
  // A long first line may begin with the answer and continue with the reason; where it ends counts more.
  const told = reader.told(text)
  return told === undefined && lines[0]!.length > MAX_PIECE ? reader.alone(lines[0]!.slice(0, MAX_PIECE)) : told
}

/** An answer stands at the end of a reply or at its beginning: what is in the middle of a very long one is not read. */
function ends(text: string): string {
  if (text.length <= MAX_READ) return text
  const head = text.slice(0, MAX_PIECE)
  return `${head.slice(0, lineEnd(head))}\n${text.slice(MAX_PIECE - MAX_READ)}`
}

function lineEnd(text: string): number {
  const end = text.indexOf('\n')
  return end < 0 ? text.length : end
}

/** In `<answer>` tags or in `\boxed{}`. */
function marked<Answer>(text: string, reader: AnswerReader<Answer>): Reading<Answer> {
  for (const given of [tagged(text, 'answer').at(-1), boxed(text)]) {
    if (given === undefined) continue
    const answer = readMarked(given, reader)
    if (answer !== undefined) return answer
  }
  return undefined
}

/** In the answer field of a JSON object; null if that says nothing. A model may take it back after the object. */
function inField<Answer>(text: string, reader: AnswerReader<Answer>): Reading<Answer> {
  const field = answerField(text)
  if (field === null || text.slice(field.end).search(CORRECTION) >= 0) return undefined
  const later = stated(plainText(ends(text.slice(field.end))), reader)
  return later ?? readMarked(field.text, reader) ?? undefined
}

/** In a text that is marked as the answer. */
function readMarked<Answer>(text: string, reader: AnswerReader<Answer>): Reading<Answer> {
  const plain = plainText(ends(text))
  return findPlain(plain, reader) ?? reader.stated(plain.trim())
}

/** The content of the last `\boxed{…}`, with the braces inside it. */
export function boxed(text: string): string | undefined {
  const rest = afterLast(text, '\\boxed{')?.slice(0, MAX_PIECE)
  if (rest === undefined) return undefined
  let open = 1
  for (let at = 0; at < rest.length; at++) {
    if (rest[at] === '{') open++
    else if (rest[at] === '}' && --open === 0) return rest.slice(0, at)
  }
  return rest
}

/** "If it were turned", "had it been closer"; not "if I had to guess". */
export const SUPPOSITION =
  /(?<!\p{L})(?:if (?!i |we |you |one |any|so\b|not\b)[^.!?\n]{1,100}?(?<!\p{L})(?:were|was|had|did|could|\p{L}{2,}ed)(?!\p{L})|(?:were|had) (?:it|they|he|she|the|this|that|there)(?!\p{L}))/iu

/** "At first I thought the answer was": what is said next differs. */
const FORMER =
  /(?<!\p{L})(?:initially|(?:at )?first|originally|(?:i|we) (?:had )?(?:thought|believed|assumed|guessed))(?!\p{L})[^.!?\n]{0,40}$/iu

/** "If it were turned, the answer would be yes", "I thought the answer was no": that is not the answer. */
function isSupposed(plain: string, index: number, phrase: string): boolean {
  if (/(?<!\p{L})was\W*$/iu.test(phrase)) return FORMER.test(plain.slice(Math.max(0, index - MAX_PIECE), index))
  if (!/would/i.test(phrase)) return false
  const before = plain
    .slice(Math.max(0, index - MAX_PIECE), index)
    .split(/[.!?\n]/)
    .at(-1)!
  const after = plain.slice(index + phrase.length, index + MAX_PIECE).split(/[.!?\n]/, 1)[0]!
  return SUPPOSITION.test(before) || SUPPOSITION.test(after)
}

function stated<Answer>(plain: string, reader: AnswerReader<Answer>): Reading<Answer> {
  const ends = [...plain.matchAll(STATEMENT)]
    .slice(-MAX_STATEMENTS)
    .filter(({ index, 0: phrase }) => !isSupposed(plain, index, phrase))
    .map(({ index, 0: phrase }) => index + phrase.length)
  for (const end of ends.toReversed()) {
    const piece = plain.slice(end, end + MAX_PIECE).trimStart()
    const answer = reader.stated(piece.slice(0, lineEnd(piece)))
    if (answer !== undefined) return answer
  }
  return undefined
}

/** A sentence that says that there is no answer; what else it mentions is not one. */
export const REFUSAL =
  /\b(?:cannot|can't|can’t|can not|could not|couldn't|unable to|not able to)\s+(?:\w+\s+){0,2}(?:determine|determined|tell|see|answer|decide|judge|say|identify|count|know|view|measure|estimate|provide)|\bimpossible to\b|\bno way to\b/i

/** Later sentences first; only so many, and so much of each, that a long reply stays cheap. */
const MAX_SENTENCES = 40
const MAX_SENTENCE = 1000
const MAX_TOLD = 8000

/** "C. The sofa" is an option, but "than C. The sofa" and "A and C. The sofa" are two sentences. */
const SENTENCE_END =
  /(?<=(?<!(?<!\p{L})\p{Lu})[.!?。！？][)"'”’]?)\s+|(?<=(?<!\p{L})(?:than|compared\s(?:to|with)|\p{Lu}\s(?:and|or|nor))\s(?:\p{L}{3,12}\s)?\p{Lu}\.)\s+(?=\p{Lu}\p{Ll})|\n+/u

export function sentencesFromEnd(text: string): string[] {
  return text
    .slice(-MAX_TOLD)
    .split(SENTENCE_END)
    .filter((sentence) => sentence.trim() !== '')
    .slice(-MAX_SENTENCES)
    .map((sentence) => sentence.slice(-MAX_SENTENCE))
    .toReversed()
}
