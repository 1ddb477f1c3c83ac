import { readFile } from 'node:fs/promises'

/** The deviations that docs/deviations.md explains, under headings `### name: title`. */
export async function deviationHeadings(): Promise<Set<string>> {
  const markdown = await readFile(new URL('../../docs/deviations.md', import.meta.url), 'utf8')
  return new Set([...markdown.matchAll(/^### ([\w-]+)/gm)].map((match) => match[1]!))
}
