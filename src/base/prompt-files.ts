import { readdirSync, readFileSync } from 'node:fs'

/** Values by placeholder name; a list for a placeholder that occurs several times. */
export type PromptValues = Readonly<Record<string, string | number | readonly string[]>>

const PLACEHOLDER = /\{([a-z_]+)\}/g

/**
 * Fills in placeholders in one pass, so placeholders inside values are left alone. A placeholder without a value is an
 * error, and so is a value without a placeholder.
 *
 * @example
 * fillPrompt('You face {direction}.', { direction: 'north' }) // 'You face north.'
 */
export function fillPrompt(template: string, values: PromptValues, where = 'A prompt'): string {
  const counts = new Map<string, number>()
  const filled = template.replace(PLACEHOLDER, (_, name: string) => {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    const given = Object.hasOwn(values, name) ? values[name] : undefined
    const value = typeof given === 'object' ? given[count] : given
    if (value === undefined) throw new Error(`${where} needs a value for {${name}}.`)
    return String(value)
  })
  const unused = Object.keys(values).find((name) => !counts.has(name))
  if (unused !== undefined) throw new Error(`${where} has no placeholder {${unused}}.`)
  return filled
}

export interface PromptFiles {
  /** All texts by name, for the fingerprint. */
  all: () => Record<string, string>
  /** A text by file name, with its placeholders. */
  text: (name: string) => string
  /** A text with its placeholders filled in. */
  fill: (name: string, values?: PromptValues) => string
}

/**
 * The prompt texts of a folder, read once on first use.
 *
 * @example
 * const prompts = promptFiles(new URL('./prompts/', import.meta.url))
 * prompts.fill('intro', { name: 'Ada' }) // prompts/intro.txt with {name} replaced
 */
export function promptFiles(folder: URL, extension = '.txt'): PromptFiles {
  let loaded: ReadonlyMap<string, string> | undefined
  const texts = (): ReadonlyMap<string, string> =>
    (loaded ??= new Map(
      readdirSync(folder)
        .filter((file) => file.endsWith(extension))
        .sort()
        // The trailing newline belongs to the file, not to the text.
        .map((file) => [
          file.slice(0, -extension.length),
          readFileSync(new URL(file, folder), 'utf8').replace(/\n$/, ''),
        ]),
    ))
  const text = (name: string): string => {
    const found = texts().get(name)
    if (found === undefined) throw new Error(`File not found: prompts/${name}${extension}`)
    return found
  }
  return {
    all: () => Object.fromEntries(texts()),
    text,
    fill: (name, values = {}) => fillPrompt(text(name), values, `prompts/${name}${extension}`),
  }
}
