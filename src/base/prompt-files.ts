import { readdirSync, readFileSync } from 'node:fs'

/**
 * The texts of a folder by name, read once, when the first of them is asked for.
 *
 * @example
 * const texts = promptFiles(new URL('./prompts/', import.meta.url))
 * texts().get('intro') // what prompts/intro.txt says
 */
export function promptFiles(folder: URL, ending = '.txt'): () => ReadonlyMap<string, string> {
  let loaded: ReadonlyMap<string, string> | undefined
  return () =>
    (loaded ??= new Map(
      readdirSync(folder)
        .filter((file) => file.endsWith(ending))
        .sort()
        // The last line break ends the file, not the text.
        .map((file) => [file.slice(0, -ending.length), readFileSync(new URL(file, folder), 'utf8').replace(/\n$/, '')]),
    ))
}
