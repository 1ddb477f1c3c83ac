import { createRequire } from 'node:module'
import type Sharp from 'sharp'
import { missingPart } from '../base/optional-parts.ts'

let loaded: typeof Sharp | undefined

/** Loaded with the first image: text-only suites start without it. */
export function sharp(): typeof Sharp {
  try {
    return (loaded ??= createRequire(import.meta.url)('sharp') as typeof Sharp)
  } catch (error) {
    throw missingPart('sharp', error)
  }
}
