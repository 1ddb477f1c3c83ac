/** The tasks of a row as one problem: choose a candidate for each, and get the points that it earns. */
import { wordFeatures } from './features.ts'
import type { BlindTask } from './task.ts'

/** Number tasks are answered with one of this many values. */
const MAX_GUESSES = 128

export interface Problem {
  tasks: readonly BlindTask[]
  /** Features of the words of each task. */
  words: readonly Uint32Array[]
  /** By task: the number of each candidate, the same for the same text or value in all tasks. */
  candidates: readonly Uint32Array[]
  /** By task: the points of each candidate. */
  points: readonly Float64Array[]
  /** How many different candidates there are. */
  different: number
  /** The values of the candidates, if they are numbers. */
  values: Float64Array | null
}

/** All tasks must be of one kind. */
export function problemOf(tasks: readonly BlindTask[]): Problem {
  const words = tasks.map((task) => wordFeatures(task.words))
  const values = guessesFor(tasks)
  if (values !== null) {
    const all = Uint32Array.from(values.keys())
    return {
      tasks,
      words,
      candidates: tasks.map(() => all),
      points: tasks.map(({ target }) =>
        Float64Array.from(values, (guess) => (target.kind === 'number' ? target.score(guess) : 0)),
      ),
      different: values.length,
      values,
    }
  }
  const numbers = new Map<string, number>()
  const numberOf = (text: string): number => {
    const known = numbers.get(text)
    if (known !== undefined) return known
    numbers.set(text, numbers.size)
    return numbers.size - 1
  }
  const options = tasks.map(({ target }) => (target.kind === 'choice' ? target.options : []))
  return {
    tasks,
    words,
    candidates: options.map((own) => Uint32Array.from(own, numberOf)),
    points: tasks.map(({ target }) =>
      target.kind === 'choice'
        ? Float64Array.from(target.options, (_, i) => target.scores?.[i] ?? Number(i === target.answer))
        : new Float64Array(),
    ),
    different: numbers.size,
    values: null,
  }
}

/** The true answers, or as many of them in regular steps of rank; null if the tasks are choices. */
function guessesFor(tasks: readonly BlindTask[]): Float64Array | null {
  const answers = tasks.flatMap(({ target }) => (target.kind === 'number' ? [target.answer] : []))
  if (answers.length === 0) return null
  const distinct = [...new Set(answers)].sort((a, b) => a - b)
  if (distinct.length <= MAX_GUESSES) return Float64Array.from(distinct)
  answers.sort((a, b) => a - b)
  const step = (answers.length - 1) / (MAX_GUESSES - 1)
  return Float64Array.from(new Set(Array.from({ length: MAX_GUESSES }, (_, i) => answers[Math.round(i * step)]!)))
}

/** Where the largest value is; the first one on a tie. */
export function largest(values: ArrayLike<number>): number {
  let best = 0
  for (let i = 1; i < values.length; i++) if (values[i]! > values[best]!) best = i
  return best
}
