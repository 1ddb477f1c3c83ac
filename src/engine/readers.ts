/** From a model's words to an answer: readers for suites that ask one question. Thinking is dropped before anything is read. */
import { afterLast, dropThinking, numbersIn, tagged } from '../base/text/index.ts'

/** Reads an answer out of a reply, and writes one as a player would. */
export interface Reader<Answer> {
  /** Null when the reply has no answer. */
  read(reply: string): Answer | null
  /** What a player writes to give this answer. */
  write(answer: Answer): string
  /** All answers there are, where they are few: chance and the best constant answer are computed from them. */
  choices?: readonly Answer[]
  /** 0 to 1. Default: 1 for an answer that equals the truth. */
  grade?(answer: Answer, truth: Answer): number
}

/** Words that announce the answer, the strongest first. */
const ANSWER_MARKERS = ['final answer', 'the answer is', 'answer is', 'answer:', 'answer']

/**
 * The parts of a reply where the answer is most likely, the best first: in answer tags, in a box, after the words that
 * announce it, in the last line, anywhere.
 */
export function answerPlaces(reply: string): string[] {
  const { text } = dropThinking(reply)
  const places = [tagged(text, 'answer').at(-1), afterLast(text, '\\boxed{')?.split('}', 1)[0]]
  for (const words of ANSWER_MARKERS) places.push(afterLast(text, words)?.trimStart().split('\n', 1)[0])
  const lines = text.trimEnd()
  places.push(lines.slice(lines.lastIndexOf('\n') + 1), text)
  return places.filter((place): place is string => place !== undefined && place.trim() !== '')
}

/**
 * One of a few words or phrases, in any case. In the part of the reply that announces the answer the first one counts; in
 * running text the last one.
 *
 * @example
 * read: oneOf('north', 'east', 'south', 'west')
 * read: (sample) => oneOf(...sample.options)
 */
export function oneOf<const Answer extends string>(...choices: readonly Answer[]): Reader<Answer> {
  return {
    choices,
    write: (answer) => answer,
    read: (reply) => findAnswer(reply, (place) => mentions(place, choices)),
  }
}

/** The last line and the whole reply: an answer stands at the end of them. */
const UNMARKED_PARTS = 2

/** The first thing that is found where an answer is announced, or the last one in running text. */
function findAnswer<T>(reply: string, find: (place: string) => readonly T[]): T | null {
  const places = answerPlaces(reply)
  for (const [i, place] of places.entries()) {
    const found = find(place)
    const answer = i < places.length - UNMARKED_PARTS ? found[0] : found.at(-1)
    if (answer !== undefined) return answer
  }
  return null
}

/** Choices in the order in which a text names them, as whole words; the longest where several begin at one place. */
function mentions<Answer extends string>(text: string, choices: readonly Answer[]): Answer[] {
  const byText = new Map(choices.map((choice) => [choice.toLowerCase(), choice]))
  const longestFirst = [...byText.keys()].sort((a, b) => b.length - a.length)
  if (longestFirst.length === 0) return []
  const pattern = longestFirst.map((each) => each.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|')
  const found = text
    .toLowerCase()
    .matchAll(new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${pattern})(?![\p{L}\p{N}])`, 'gu'))
  return [...found].map(([said]) => byText.get(said)!)
}

/** Yes or no. */
export function yesOrNo(): Reader<boolean> {
  const words = oneOf('yes', 'no', 'true', 'false')
  return {
    choices: [true, false],
    write: (answer) => (answer ? 'yes' : 'no'),
    read(reply) {
      const said = words.read(reply)
      return said === null ? null : said === 'yes' || said === 'true'
    },
  }
}

/** Thresholds of mean relative accuracy. */
const MRA_THRESHOLDS = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]

/**
 * A number. Graded by mean relative accuracy, the share of thresholds θ = 0.5, 0.55 … 0.95 with a relative error of at most
 * 1 − θ; give `grade` for something else.
 */
export function number(grade: (answer: number, truth: number) => number = meanRelativeAccuracy): Reader<number> {
  return {
    grade,
    write: String,
    read: (reply) => findAnswer(reply, numbersIn)?.value ?? null,
  }
}

export function meanRelativeAccuracy(answer: number, truth: number): number {
  const error = truth === 0 ? Math.abs(answer) : Math.abs(answer - truth) / Math.abs(truth)
  return MRA_THRESHOLDS.filter((threshold) => error <= 1 - threshold + 1e-9).length / MRA_THRESHOLDS.length
}

/** Free text: the announced answer, or else the whole reply. Case, spaces and a full stop at the end do not count. */
export function text(): Reader<string> {
  return {
    write: (answer) => answer,
    read: (reply) => answerPlaces(reply)[0]?.replace(/^[\s:*"]+|[\s."*]+$/g, '') ?? null,
    grade: (answer, truth) => (normalized(answer) === normalized(truth) ? 1 : 0),
  }
}

function normalized(answer: string): string {
  return answer.toLowerCase().replaceAll(/\s+/g, ' ').trim()
}
