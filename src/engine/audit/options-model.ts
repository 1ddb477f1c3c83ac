/** A conditional logistic regression over the options of choices, trained by stochastic gradient descent. */
import { Random } from '../../base/random.ts'
import { optionFeatures, pairHash } from './features.ts'
import type { Guess } from './neighbors.ts'
import { largest, type Problem } from './problem.ts'

const BITS = 17
const MASK = 2 ** BITS - 1
const EPOCHS = 10
const LEARNING_RATE = 0.3
/** The words that are combined with an option. */
const MAX_WORDS = 120
/** Together, the words of a task weigh as much as this many features of the option itself. */
const WORDS_WEIGHT = 3

/** The features of an option: where their weights are, and what they count. */
interface Features {
  at: Uint32Array
  values: Float64Array
}

/** By task and option. */
export type OptionFeatures = readonly (readonly Features[])[]

/** @param withWords whether options are also combined with the words of the task */
export function featuresOfOptions({ tasks, words }: Problem, withWords: boolean): OptionFeatures {
  return tasks.map(({ target, words: text }, i) => {
    const heard = withWords ? words[i]!.subarray(0, MAX_WORDS) : new Uint32Array()
    const value = WORDS_WEIGHT / Math.sqrt(heard.length || 1)
    return optionFeatures(target.kind === 'choice' ? target.options : [], text).map((own) => {
      const at = new Uint32Array(own.length + heard.length)
      const values = new Float64Array(at.length).fill(1)
      for (let f = 0; f < own.length; f++) at[f] = own[f]! & MASK
      for (let w = 0; w < heard.length; w++) {
        // The first feature is the whole text of the option.
        at[own.length + w] = pairHash(own[0]!, heard[w]!) & MASK
        values[own.length + w] = value
      }
      return { at, values }
    })
  })
}

/** @param decay pull of all weights toward 0 */
export function byOptions(problem: Problem, features: OptionFeatures, train: readonly number[], decay: number): Guess {
  const weights = new Float64Array(2 ** BITS)
  const squares = new Float64Array(2 ** BITS)
  const random = new Random('audit/options')
  const order = [...train]
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    random.shuffle(order)
    for (const i of order) {
      const points = problem.points[i]!
      let total = 0
      for (const each of points) total += each
      if (total === 0) continue
      const shares = softmax(sums(weights, features[i]!))
      for (let option = 0; option < shares.length; option++) {
        const error = shares[option]! - points[option]! / total
        const { at, values } = features[i]![option]!
        for (let f = 0; f < at.length; f++) {
          const place = at[f]!
          const gradient = error * values[f]! + decay * weights[place]!
          squares[place]! += gradient * gradient
          weights[place]! -= (LEARNING_RATE * gradient) / Math.sqrt(squares[place]! + 1e-8)
        }
      }
    }
  }
  return (i) => largest(sums(weights, features[i]!))
}

/** The sum of the weights of each option. */
function sums(weights: Float64Array, options: readonly Features[]): Float64Array {
  const out = new Float64Array(options.length)
  for (let option = 0; option < out.length; option++) {
    const { at, values } = options[option]!
    let sum = 0
    for (let f = 0; f < at.length; f++) sum += weights[at[f]!]! * values[f]!
    out[option] = sum
  }
  return out
}

function softmax(values: Float64Array): Float64Array {
  const top = Math.max(...values)
  const shares = values.map((value) => Math.exp(value - top))
  let sum = 0
  for (const share of shares) sum += share
  return shares.map((share) => share / sum)
}
