import { hash } from 'node:crypto'
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator'

/**
 * Random numbers that are the same on every machine: xoroshiro128+, seeded with the SHA-256 of a text key.
 *
 * @example
 * const random = new Random('space/scene/7')
 * random.pick(['north', 'east'])
 * random.fork('objects') // independent of what was drawn before
 */
export class Random {
  readonly key: string
  #seeded: RandomGenerator | null = null

  constructor(key: string) {
    this.key = key
  }

  /** Seeded by the first draw: many streams are only forked, or never used. */
  get #generator(): RandomGenerator {
    return (this.#seeded ??= seededWith(this.key))
  }

  /** An independent stream for a named purpose: drawing from it does not affect this one. */
  fork(name: string): Random {
    return new Random(`${this.key}/${name}`)
  }

  /** Uniform in [0, 1). */
  unit(): number {
    return uniformFloat64(this.#generator)
  }

  /** Uniform whole number in [0, below). */
  int(below: number): number {
    return uniformInt(this.#generator, 0, below - 1)
  }

  /** Uniform whole number in [from, to], both ends included. */
  between(from: number, to: number): number {
    return uniformInt(this.#generator, from, to)
  }

  /** Uniform real number in [from, to). */
  range(from: number, to: number): number {
    return from + (to - from) * this.unit()
  }

  chance(probability: number): boolean {
    return this.unit() < probability
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('cannot pick from an empty list')
    return items[this.int(items.length)]!
  }

  /** Draws an item in proportion to its weight. Weights must not all be 0. */
  weighted<T>(items: readonly T[], weights: readonly number[]): T {
    let total = 0
    for (const weight of weights) total += weight
    if (!(total > 0)) throw new RangeError('weights must have a positive sum')
    let rest = this.unit() * total
    for (let i = 0; i < items.length; i++) {
      rest -= weights[i]!
      if (rest < 0) return items[i]!
    }
    return items[weights.findLastIndex((weight) => weight > 0)]!
  }

  /** Shuffles in place and returns the same array. */
  shuffle<T>(items: T[]): T[] {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.int(i + 1)
      const swapped = items[i]!
      items[i] = items[j]!
      items[j] = swapped
    }
    return items
  }

  /** `count` distinct items in random order; all of them if there are fewer. */
  sample<T>(items: readonly T[], count: number): T[] {
    return this.shuffle([...items]).slice(0, count)
  }

  /** Standard normal deviate (Box–Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.unit())) * Math.cos(2 * Math.PI * this.unit())
  }
}

function seededWith(key: string): RandomGenerator {
  const digest = hash('sha256', key, 'buffer')
  return xoroshiro128plusFromState([0, 4, 8, 12].map((at) => digest.readInt32LE(at)))
}
