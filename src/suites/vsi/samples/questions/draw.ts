/** Random choices of a question whose answer must not be guessable. */
import { Random } from '../../../../suite.ts'

export interface Draw {
  random: Random
  /**
   * Which of `count` answers the question shall have, drawn before the question. Scenes that follow each other get
   * different ones, so that all answers are equally frequent.
   */
  stratum: (count: number) => number
}

/** Every block of `count` scenes gets each answer once, in random order. */
export function stratified(key: string, index: number, random: Random): Draw {
  return {
    random,
    stratum(count) {
      const block = new Random(`${key}/${count}/${Math.floor(index / count)}`)
      return block.shuffle(Array.from({ length: count }, (_, i) => i))[index % count]!
    },
  }
}

export function unstratified(random: Random): Draw {
  return { random, stratum: (count) => random.int(count) }
}
