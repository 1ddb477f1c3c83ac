import { createRequire } from 'node:module'
import type Sharp from 'sharp'

let loaded: typeof Sharp | undefined

/** Loaded with the first picture: a benchmark in words starts without it. */
export function sharp(): typeof Sharp {
  return (loaded ??= createRequire(import.meta.url)('sharp') as typeof Sharp)
}
