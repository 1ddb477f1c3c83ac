import { Random } from '../../../suite.ts'

/** Seeds go into 32-bit integers of all kinds: signed ones must hold them too. */
export const SEEDS = 2 ** 31

/** The seed of one video, derived from the seed of the set, so that it can be generated again. */
export function videoSeed(setSeed: number, prompt: string, index: number): number {
  return new Random(`vbench/sample/${setSeed}/${index}/${prompt}`).int(SEEDS)
}
