/** How the published agent reads replies of its view-selection pipeline (rl_multiturn_v2/output_parser.py at 0c11ff6). */
import { readPythonJson } from '../../../suite.ts'

const HEADERS: ReadonlySet<string> = new Set(['STATE', 'PLAN', 'PREDICT', 'ACTION', 'FINAL_ANSWER'])

/** Text after each bracketed header, up to the next one; the last of equal headers counts. */
export function bracketedSections(text: string): Map<string, string> {
  const headers = [...text.matchAll(/\[([A-Z_]+)\]/g)].filter(([, name]) => HEADERS.has(name!))
  return new Map(
    headers.map((header, i) => [
      header[1]!,
      text.slice(header.index + header[0].length, headers[i + 1]?.index ?? text.length).trim(),
    ]),
  )
}

/** The JSON of the action; null if there is none that Python can read. Braces inside it end it early. */
export function upstreamAction(text: string): Readonly<Record<string, unknown>> | null {
  const json = /\{[\s\S]*?\}/.exec(bracketedSections(text).get('ACTION') ?? '')?.[0]
  if (json === undefined) return null
  const value = readPythonJson(json)
  return typeof value === 'object' && value !== null ? { ...value } : null
}

/** The final answer: the first of A to D that stands alone, wherever; else the text of the section. */
export function upstreamFinalAnswer(text: string): string | null {
  const section = bracketedSections(text).get('FINAL_ANSWER')
  const letter = (said: string): string | undefined => /\b([A-D])\b/.exec(said.toUpperCase())?.[1]
  if (section === undefined) return letter(text) ?? null
  return letter(section) ?? section.trim()
}
