/** Readers extract an answer from a reply, for suites that ask one question. Reasoning blocks are removed first. */
import {
  afterLast,
  amountReader,
  answerField,
  boxed,
  dropThinking,
  findAnswer,
  sameText,
  statedText,
  tagged,
  yesNoReader,
} from '../base/text/index.ts'

/**
 * Extracts an answer from a reply, and writes one as a player would.
 *
 * @example
 * const degrees: Reader<number> = {
 *   read: (reply) => numbersIn(reply).at(-1)?.value ?? null,
 *   write: (answer) => `${answer} degrees`,
 *   grade: (answer, truth) => (Math.abs(answer - truth) <= 5 ? 1 : 0),
 * }
 */
export interface Reader<Answer> {
  /** The answer; null if the reply has none. */
  read(reply: string): Answer | null
  /** The reply that gives this answer; used by baselines. */
  write(answer: Answer): string
  /** All possible answers, for multiple choice. Chance and the best constant answer are computed from them. */
  choices?: readonly Answer[]
  /** Grade from 0 to 1. Default: 1 if the answer equals the ground truth. */
  grade?(answer: Answer, truth: Answer): number
}

/** Phrases that introduce the answer, the most reliable first. The last one needs a sign after it, or a line break. */
const ANSWER_MARKERS = ['final answer', 'the answer is', 'answer is', 'answer:', 'answer']
const AFTER_MARKER = /^[\s*_]{0,8}(?:(?:is|would be|[:：=]|->|→)[\s*_:]{0,8}|\n)/i

/**
 * The parts of a reply that may hold the answer, most likely first: inside `<answer>` tags, inside `\boxed{}`, in a JSON
 * field such as `answer`, after a phrase such as "the answer is", the last line, the whole reply.
 *
 * @example
 * answerPlaces('Let me see.\nThe answer is west')[0] // 'west'
 */
export function answerPlaces(reply: string): string[] {
  const { text } = dropThinking(reply)
  const places = [tagged(text, 'answer').at(-1), boxed(text), answerField(text)?.text]
  for (const words of ANSWER_MARKERS) {
    const rest = afterLast(text, words)
    const sign = rest === null ? null : AFTER_MARKER.exec(rest)
    if (rest === null || (sign === null && words.endsWith('answer'))) continue
    places.push(rest.slice(sign?.[0].length).trimStart().split('\n', 1)[0])
  }
  const lines = text.trimEnd()
  places.push(lines.slice(lines.lastIndexOf('\n') + 1), text)
  return places.filter((place): place is string => place !== undefined && place.trim() !== '')
}

/**
 * Reads one of a few words or phrases, ignoring case. Where the reply introduces its answer the first mention counts, in
 * running text the last.
 *
 * @example
 * read: oneOf('north', 'east', 'south', 'west')
 * read: (sample) => oneOf(...sample.options)
 */
export function oneOf<const Answer extends string>(...choices: readonly Answer[]): Reader<Answer> {
  return {
    choices,
    write: (answer) => answer,
    read: (reply) => firstIn(reply, (place) => mentions(place, choices)),
  }
}

/** The last line and the whole reply, where the answer comes last. */
const UNMARKED_PARTS = 2

/** The first match where an answer is introduced, or the last one in running text. */
function firstIn<T>(reply: string, find: (place: string) => readonly T[]): T | null {
  const places = answerPlaces(reply)
  for (const [i, place] of places.entries()) {
    const found = find(place)
    const answer = i < places.length - UNMARKED_PARTS ? found[0] : found.at(-1)
    if (answer !== undefined) return answer
  }
  return null
}

/** Choices that occur in a text as whole words, in order; if several start at the same place, the longest. */
function mentions<Answer extends string>(text: string, choices: readonly Answer[]): Answer[] {
  const byText = new Map(choices.map((choice) => [choice.toLowerCase(), choice]))
  const longestFirst = [...byText.keys()].sort((a, b) => b.length - a.length)
  if (longestFirst.length === 0) return []
  const pattern = longestFirst.map((each) => each.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|')
  const found = text
    .toLowerCase()
    .matchAll(new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${pattern})(?![\p{L}\p{N}])`, 'gu'))
  return [...found].map(([match]) => byText.get(match)!)
}

/**
 * Reads yes or no, also true or false, and words such as "nope" or "correct" in a few languages. The word that a reply or its
 * last line begins with decides; the no of "no table" does not count.
 */
export function yesOrNo(): Reader<boolean> {
  return {
    choices: [true, false],
    write: (answer) => (answer ? 'yes' : 'no'),
    read: (reply) => findAnswer(reply, yesNoReader),
  }
}

const MRA_THRESHOLDS: readonly number[] = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]

/**
 * Reads a number, in digits or words: the one that the reply states, or comes to. A range does not count, nor does
 * the 4 of "image 4". Graded by mean relative accuracy unless `grade` is given.
 *
 * @example
 * read: number()
 * read: number((answer, truth) => (answer === truth ? 1 : 0))
 */
export function number(grade: (answer: number, truth: number) => number = meanRelativeAccuracy): Reader<number> {
  return {
    grade,
    write: String,
    read: (reply) => findAnswer(reply, amountReader('any'))?.value ?? null,
  }
}

/** Share of the thresholds θ for which the relative error is at most 1 − θ. Default: 0.5, 0.55 … 0.95. */
export function meanRelativeAccuracy(answer: number, truth: number, thresholds = MRA_THRESHOLDS): number {
  const error = relativeError(answer, truth)
  return thresholds.filter((threshold) => error <= 1 - threshold + 1e-9).length / thresholds.length
}

/** The error as a share of the truth; if that is 0, the error itself. */
export function relativeError(answer: number, truth: number): number {
  return truth === 0 ? Math.abs(answer) : Math.abs(answer - truth) / Math.abs(truth)
}

/**
 * Reads free text: the introduced answer, or what the reply says. Grading ignores case, articles, punctuation, and words
 * around the answer such as "It is".
 */
export function text(): Reader<string> {
  return {
    write: (answer) => answer,
    read: (reply) => {
      const places = answerPlaces(reply)
      // Without a mark, the answer may be in any line.
      const place = places.length > UNMARKED_PARTS ? places[0] : places.at(-1)
      return place === undefined ? null : statedText(place) || null
    },
    grade: (answer, truth) => (sameText(answer, truth) ? 1 : 0),
  }
}
