/** Which built-in seeds are for training: what a model was trained on must not be what it is tested on. */
import { parseSource } from './source.ts'
import type { AnySuite } from './suite.ts'

/** Built-in seeds from here on are for training, those below for tests. */
export const TRAINING_SEEDS = 1_000_000_000

/** Whether a run plays built-in samples of training seeds. */
export function isTraining(suite: AnySuite, source: string, seed: number): boolean {
  const { name, args } = parseSource(source)
  if (!takesSeed(suite, name)) return false
  return Number(args['seed'] ?? seed) >= TRAINING_SEEDS
}

/** A source with another seed, if it takes one; otherwise null. */
export function withSeed(suite: AnySuite, source: string, seed: number): string | null {
  const { name, args } = parseSource(source)
  if (!takesSeed(suite, name)) return null
  const pairs = Object.entries({ ...args, seed: String(seed) }).map(([key, value]) => `${key}=${value}`)
  return `${name}:${pairs.join(',')}`
}

function takesSeed(suite: AnySuite, source: string): boolean {
  const shape = Object.hasOwn(suite.sources, source) ? suite.sources[source]!.args.shape : {}
  // Scenes from a folder are the same with every seed.
  return shape['seed'] !== undefined && shape['path'] === undefined
}
