/** A conditional logistic regression over the options of choices, trained by stochastic gradient descent. */
import { Random } from '../../base/random.ts'
import { optionFeatures, pairHash } from './features.ts'
import type { Guess } from './neighbors.ts'
import { largest, type Problem } from './problem.ts'

const BITS = 18
const MASK = 2 ** BITS - 1
const EPOCHS = 12
/** Additions of one training; longer texts get fewer epochs. */
const MAX_WORK = 2e7
const LEARNING_RATE = 0.3
/** The words that are combined with an option. */
const MAX_WORDS = 150

export interface OptionModel {
  /** Whether options are combined with the words of the task, or stand for themselves. */
  withWords: boolean
  /** Pull of all weights toward 0. */
  decay: number
}

/** The features of the options of all tasks, shared by all trainings. */
export type OptionFeatures = readonly (readonly Uint32Array[])[]

export function featuresOfOptions({ tasks }: Problem): OptionFeatures {
  return tasks.map(({ target, words }) => (target.kind === 'choice' ? optionFeatures(target.options, words) : []))
}

export function byOptions(
  problem: Problem,
  features: OptionFeatures,
  train: readonly number[],
  { withWords, decay }: OptionModel,
): Guess {
  const weights = new Float64Array(2 ** BITS)
  const squares = new Float64Array(2 ** BITS)
  const words = problem.words.map((own) => (withWords ? own.subarray(0, MAX_WORDS) : own.subarray(0, 0)))

  /** Calls `each` with every feature of an option: its own, and its text together with the words of the task. */
  const visit = (i: number, option: number, each: (at: number, value: number) => void): void => {
    const own = features[i]![option]!
    for (let f = 0; f < own.length; f++) each(own[f]! & MASK, 1)
    const heard = words[i]!
    if (heard.length === 0) return
    const value = 3 / Math.sqrt(heard.length)
    // The first feature is the whole text of the option.
    for (let w = 0; w < heard.length; w++) each(pairHash(own[0]!, heard[w]!) & MASK, value)
  }

  let sum = 0
  const logits = (i: number): Float64Array =>
    Float64Array.from(features[i]!, (_, option) => {
      sum = 0
      visit(i, option, (at, value) => {
        sum += weights[at]! * value
      })
      return sum
    })

  const work = train.reduce((all, i) => all + features[i]!.length * (words[i]!.length + 12), 0)
  const epochs = Math.max(2, Math.min(EPOCHS, Math.floor(MAX_WORK / Math.max(1, 2 * work))))
  const random = new Random('audit/options')
  const order = [...train]
  for (let epoch = 0; epoch < epochs; epoch++) {
    random.shuffle(order)
    for (const i of order) {
      const points = problem.points[i]!
      const total = points.reduce((all, each) => all + each, 0)
      if (total === 0) continue
      const shares = softmax(logits(i))
      for (let option = 0; option < shares.length; option++) {
        const error = shares[option]! - points[option]! / total
        visit(i, option, (at, value) => {
          const gradient = error * value + decay * weights[at]!
          squares[at]! += gradient * gradient
          weights[at]! -= (LEARNING_RATE * gradient) / Math.sqrt(squares[at]! + 1e-8)
        })
      }
    }
  }
  return (i) => largest(logits(i))
}

function softmax(values: Float64Array): Float64Array {
  const top = Math.max(...values)
  const shares = values.map((value) => Math.exp(value - top))
  const sum = shares.reduce((all, share) => all + share, 0)
  return shares.map((share) => share / sum)
}
