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

/** Remembers the cache and the number of threads of libvips, which are of the whole process; restores them when called. */
export function rememberedSettings(): () => void {
  const { memory, files, items } = sharp().cache()
  const threads = sharp().concurrency()
  return () => {
    sharp().cache({ memory: memory.max, files: files.max, items: items.max })
    sharp().concurrency(threads)
  }
}
