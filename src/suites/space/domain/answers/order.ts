/** Answers that list objects in the order in which they come into view. */
import { PYTHON_SPACES, pythonStrip } from '../../../../suite.ts'
import { sequenceField } from '../../parse/fields.ts'
import type { AnswerForm } from './form.ts'
import { namesIn, readOrder } from '../../parse/grammar.ts'
import { zeroScore, type OrderAnswer, type TaskScore } from './question.ts'

export const order = (answer: OrderAnswer): AnswerForm => ({
  score: (text, profile) => (profile === 'upstream' ? scoreUpstream(answer, text) : scoreFixed(answer, text)),
  truth: () => answer.order.join(', '),
  perfect: () => answer.order.join(', '),
  random: (random) => random.shuffle([...answer.order]).join(', '),
  chance: () => 1 / factorial(answer.order.length),
  ceiling: () => 1,
})

function factorial(n: number): number {
  return n <= 1 ? 1 : n * factorial(n - 1)
}

const SPACES = new RegExp(`[${PYTHON_SPACES}]+`, 'g')

function plain(name: string): string {
  return pythonStrip(name).replace(SPACES, ' ').toLowerCase()
}

/** All or nothing, item by item. */
function scoreUpstream({ order: truth }: OrderAnswer, text: string): TaskScore {
  const items = sequenceField(text)
  if (items === null || items.length !== truth.length) return zeroScore('not as many names', true)
  const right = items.every((item, i) => plain(item) === plain(truth[i]!)) ? 1 : 0
  return { score: right, exact: right, formatError: 0, extra: {} }
}

/** All or nothing; how close the order is goes into `extra`. */
function scoreFixed({ order: truth }: OrderAnswer, text: string): TaskScore {
  const read = readOrder(text, truth)
  if (read === null) {
    // A partial list still has a common subsequence.
    const some = [...new Set(namesIn(text.slice(-20_000), truth))]
    const extra = { kendall: 0, lcs: lcsLength(some, truth) / truth.length }
    return zeroScore('does not name each object exactly once', true, extra)
  }
  const right = read.every((name, i) => name === truth[i]) ? 1 : 0
  const extra = { kendall: kendall(read, truth), lcs: lcsLength(read, truth) / truth.length }
  return { score: right, exact: right, formatError: 0, extra }
}

/** Fraction of pairs in the right order: (Kendall's τ + 1) / 2. */
export function kendall(read: readonly string[], truth: readonly string[]): number {
  const rank = new Map(truth.map((name, i) => [name, i]))
  let right = 0
  let pairs = 0
  for (let i = 0; i < read.length; i++) {
    for (let j = i + 1; j < read.length; j++) {
      pairs += 1
      if (rank.get(read[i]!)! < rank.get(read[j]!)!) right += 1
    }
  }
  return pairs === 0 ? 1 : right / pairs
}

/** Length of the longest common subsequence. */
export function lcsLength(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0)
  for (const item of a) {
    const below = [0]
    for (let j = 1; j <= b.length; j++) {
      below.push(item === b[j - 1] ? row[j - 1]! + 1 : Math.max(row[j]!, below[j - 1]!))
    }
    row = below
  }
  return row[b.length]!
}
