/** A small neural network: one hidden layer, trained with Adam on cross-entropy. The same seed gives the same weights. */
import { Random } from '../../src/base/random.ts'

export interface Example {
  input: Float32Array
  label: number
}

const BATCH = 32
const DECAY = [0.9, 0.999] as const
const EPSILON = 1e-8

export interface Training {
  classes: number
  hidden: number
  epochs: number
  rate: number
  seed: string
  /** Called for every example of every epoch: a variation of it, for instance its mirror image. */
  vary?: (example: Example, random: Random) => Example
}

/** Trains on the examples, and gives back what predicts the label of an input. */
export function train(examples: readonly Example[], training: Training): (input: Float32Array) => number {
  const { classes, hidden, epochs, rate, seed, vary = (example) => example } = training
  const random = new Random(seed)
  const inputs = examples[0]!.input.length
  const first = new Layer(inputs, hidden, random)
  const second = new Layer(hidden, classes, random)
  const active = new Float32Array(hidden)
  const scores = new Float32Array(classes)
  const blame = new Float32Array(hidden)
  const forward = (input: Float32Array): void => {
    first.apply(input, active)
    for (let h = 0; h < hidden; h++) if (active[h]! < 0) active[h] = 0
    second.apply(active, scores)
  }
  const order = examples.map((_, i) => i)
  const batches = Math.ceil(examples.length / BATCH) * epochs
  let batch = 0
  for (let epoch = 0; epoch < epochs; epoch++) {
    random.shuffle(order)
    for (let from = 0; from < order.length; from += BATCH) {
      for (const i of order.slice(from, from + BATCH)) {
        const { input, label } = vary(examples[i]!, random)
        forward(input)
        softmax(scores)
        scores[label]! -= 1
        second.learn(active, scores, blame)
        for (let h = 0; h < hidden; h++) if (active[h] === 0) blame[h] = 0
        first.learn(input, blame)
      }
      batch += 1
      const slower = rate * (1 - (batch - 1) / batches)
      first.step(slower, batch)
      second.step(slower, batch)
    }
  }
  return (input) => {
    forward(input)
    return scores.indexOf(Math.max(...scores))
  }
}

function softmax(scores: Float32Array): void {
  const most = Math.max(...scores)
  let sum = 0
  for (let c = 0; c < scores.length; c++) sum += scores[c] = Math.exp(scores[c]! - most)
  for (let c = 0; c < scores.length; c++) scores[c]! /= sum
}

/** Weights and biases with their gradients and moments. */
class Layer {
  readonly #inputs: number
  readonly #outputs: number
  readonly #weights: Float32Array
  readonly #gradients: Float32Array
  readonly #means: Float32Array
  readonly #squares: Float32Array

  constructor(inputs: number, outputs: number, random: Random) {
    this.#inputs = inputs
    this.#outputs = outputs
    // A row of weights per output; its last one is the bias.
    const size = outputs * (inputs + 1)
    this.#weights = Float32Array.from({ length: size }, () => random.normal() * Math.sqrt(2 / inputs))
    for (let o = 0; o < outputs; o++) this.#weights[o * (inputs + 1) + inputs] = 0
    this.#gradients = new Float32Array(size)
    this.#means = new Float32Array(size)
    this.#squares = new Float32Array(size)
  }

  apply(input: Float32Array, into: Float32Array): void {
    const n = this.#inputs
    for (let o = 0, at = 0; o < this.#outputs; o++, at += n + 1) {
      let sum = this.#weights[at + n]!
      for (let i = 0; i < n; i++) sum += this.#weights[at + i]! * input[i]!
      into[o] = sum
    }
  }

  /** Adds to the gradients what the blame of the outputs asks for, and passes the blame on to the inputs. */
  learn(input: Float32Array, blame: Float32Array, back?: Float32Array): void {
    const n = this.#inputs
    back?.fill(0)
    for (let o = 0, at = 0; o < this.#outputs; o++, at += n + 1) {
      const share = blame[o]!
      if (share === 0) continue
      this.#gradients[at + n]! += share
      for (let i = 0; i < n; i++) this.#gradients[at + i]! += share * input[i]!
      if (back) for (let i = 0; i < n; i++) back[i]! += share * this.#weights[at + i]!
    }
  }

  step(rate: number, count: number): void {
    const [keep, keepSquare] = DECAY
    const scale = (rate * Math.sqrt(1 - keepSquare ** count)) / (1 - keep ** count)
    for (let i = 0; i < this.#weights.length; i++) {
      const gradient = this.#gradients[i]! / BATCH
      const mean = keep * this.#means[i]! + (1 - keep) * gradient
      const square = keepSquare * this.#squares[i]! + (1 - keepSquare) * gradient * gradient
      this.#weights[i]! -= (scale * mean) / (Math.sqrt(square) + EPSILON)
      this.#means[i] = mean
      this.#squares[i] = square
      this.#gradients[i] = 0
    }
  }
}
