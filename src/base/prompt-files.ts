import { readdirSync, readFileSync } from 'node:fs'

/** Values by the names of their placeholders; a list for a placeholder that stands several times. */
export type PromptValues = Readonly<Record<string, string | number | readonly string[]>>

const PLACEHOLDER = /\{([a-z_]+)\}/g

/**
 * Puts values into placeholders, in one pass: what a value contains is never read as a placeholder. A placeholder
 * without a value is an error, and so is a value that no placeholder asks for.
 *
 * @example
 * fillPrompt('You face {direction}.', { direction: 'north' }) // 'You face north.'
 */
export function fillPrompt(template: string, values: PromptValues, where = 'A prompt'): string {
  const turns = new Map<string, number>()
  const filled = template.replace(PLACEHOLDER, (_, name: string) => {
    const turn = turns.get(name) ?? 0
    turns.set(name, turn + 1)
    const given = Object.hasOwn(values, name) ? values[name] : undefined
    const value = typeof given === 'object' ? given[turn] : given
    if (value === undefined) throw new Error(`${where} needs a value for {${name}}.`)
    return String(value)
  })
  const unused = Object.keys(values).find((name) => !turns.has(name))
  if (unused !== undefined) throw new Error(`${where} does not ask for {${unused}}.`)
  return filled
}

export interface PromptFiles {
  /** Every text by name, for the fingerprint. */
  all: () => Record<string, string>
  /** A text by the name of its file, placeholders and all. */
  text: (name: string) => string
  /** A text with its placeholders filled in. */
  fill: (name: string, values?: PromptValues) => string
}

/**
 * The texts of a folder by name, read once, when the first of them is asked for.
 *
 * @example
 * const prompts = promptFiles(new URL('./prompts/', import.meta.url))
 * prompts.fill('intro', { name: 'Ada' }) // what prompts/intro.txt says to Ada
 */
export function promptFiles(folder: URL, ending = '.txt'): PromptFiles {
  let loaded: ReadonlyMap<string, string> | undefined
  const texts = (): ReadonlyMap<string, string> =>
    (loaded ??= new Map(
      readdirSync(folder)
        .filter((file) => file.endsWith(ending))
        .sort()
        // The last line break ends the file, not the text.
        .map((file) => [file.slice(0, -ending.length), readFileSync(new URL(file, folder), 'utf8').replace(/\n$/, '')]),
    ))
  const text = (name: string): string => {
    const found = texts().get(name)
    if (found === undefined) throw new Error(`There is no prompts/${name}${ending}.`)
    return found
  }
  return {
    all: () => Object.fromEntries(texts()),
    text,
    fill: (name, values = {}) => fillPrompt(text(name), values, `prompts/${name}${ending}`),
  }
}
