import { createRequire } from 'node:module'
import type Sharp from 'sharp'

let loaded: typeof Sharp | undefined

/** Loaded with the first image: text-only suites start without it. */
export function sharp(): typeof Sharp {
  return (loaded ??= createRequire(import.meta.url)('sharp') as typeof Sharp)
}
