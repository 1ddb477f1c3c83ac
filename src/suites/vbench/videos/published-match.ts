/**
 * Which files the published evaluator takes for which prompt, its faults included: the ending of the first file that
 * the system lists decides for all, names are compared byte by byte, what is missing is left out.
 */
import { CATEGORIES, NEEDS_FACTS, SAMPLES } from '../dimensions.ts'
import { promptOfFile, suffixOf } from './names.ts'

export interface PublishedEntry {
  prompt: string
  dimensions: readonly string[]
}

export interface PublishedMatch {
  entries: { prompt: string; matched: string[] }[]
  missing: string[]
}

/** What the published evaluator raises, in its words. */
export class PublishedRefusal extends Error {
  override readonly name = 'PublishedRefusal'
}

export function matchStandard(
  suite: readonly PublishedEntry[],
  dimensions: readonly string[],
  listing: readonly string[],
  special = '',
): PublishedMatch {
  const first = listing[0]
  if (first === undefined) throw new PublishedRefusal('IndexError: list index out of range')
  const extension = suffixOf(first)
  const there = new Set(listing)
  const match: PublishedMatch = { entries: [], missing: [] }
  for (const entry of suite) {
    if (!entry.dimensions.some((name) => dimensions.includes(name))) continue
    const matched: string[] = []
    for (let index = 0; index < SAMPLES; index++) {
      const name = `${entry.prompt}${special}-${index}${extension}`
      if (there.has(name)) matched.push(name)
      else match.missing.push(name)
    }
    match.entries.push({ prompt: entry.prompt, matched })
  }
  return match
}

function refuseNeedy(dimensions: readonly string[]): void {
  const needy = dimensions.filter((name) => (NEEDS_FACTS as readonly string[]).includes(name))
  if (needy.length === 0) return
  const names = needy.map((name) => `'${name}'`).join(', ')
  throw new PublishedRefusal(`AssertionError: dimensions : {${names}} not supported for custom input`)
}

const CUSTOM_ENDINGS = new Set(['.mp4', '.gif'])

export function matchCustomFolder(
  dimensions: readonly string[],
  listing: readonly string[],
  prompts: Readonly<Record<string, string>> | null,
): PublishedMatch {
  refuseNeedy(dimensions)
  const files = listing.filter((name) => CUSTOM_ENDINGS.has(suffixOf(name).toLowerCase()))
  if (prompts !== null && Object.keys(prompts).length > 0) {
    if (Object.keys(prompts).length < files.length) {
      throw new PublishedRefusal('AssertionError: Number of prompts should match with number of videos.')
    }
    const without = files.filter((name) => !Object.hasOwn(prompts, name))
    if (without.length > 0) {
      throw new PublishedRefusal(
        `AssertionError: The prompts for the following videos are not found in the prompt file: ${without.join('\n')}`,
      )
    }
    return { entries: files.map((name) => ({ prompt: prompts[name]!, matched: [name] })), missing: [] }
  }
  return { entries: files.map((name) => ({ prompt: promptOfFile(name), matched: [name] })), missing: [] }
}

export function matchCustomFile(
  dimensions: readonly string[],
  file: string,
  prompts: readonly string[],
): PublishedMatch {
  refuseNeedy(dimensions)
  const prompt = prompts.length === 1 ? prompts[0]! : promptOfFile(file)
  return { entries: [{ prompt, matched: [file] }], missing: [] }
}

/** As shipped, it looks for the lists of categories where they are not, whatever the videos. */
export function matchCategory(dimensions: readonly string[], category: string): PublishedMatch {
  refuseNeedy(dimensions)
  if (!(CATEGORIES as readonly string[]).includes(category)) {
    throw new PublishedRefusal(`AssertionError: The following category is not supported, ${category}.`)
  }
  throw new PublishedRefusal('FileNotFoundError: prompts_per_category is not part of the package')
}
