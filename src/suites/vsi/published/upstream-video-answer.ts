/** The published video baseline's reply parser, bugs included: letters leak into numeric questions. */
import { readExactPythonJson, truthy } from '../../../suite.ts'
import { isPythonObject, pythonStr, pythonStrip } from './python.ts'

// Lookaheads find overlapping fields: the end of one may be the start of the next.
const NUMBER_FIELD = /(?="answer"\s*:\s*([0-9.-]+))"/g
const LETTER_FIELD = /(?="answer"\s*:\s*"([A-D])")"/g

export function upstreamVideoAnswer(text: string, numeric: boolean): string | null {
  const field = fieldIn(text, numeric ? NUMBER_FIELD : LETTER_FIELD)
  if (field !== undefined) return field
  const from = text.indexOf('{')
  const to = text.lastIndexOf('}')
  if (from >= 0 && to > from) {
    const value = readExactPythonJson(text.slice(from, to + 1))
    const answer = isPythonObject(value) ? value['answer'] : undefined
    if (answer !== undefined && truthy(answer)) return pythonStrip(pythonStr(answer)).toUpperCase()
  }
  for (const letter of ['A', 'B', 'C', 'D']) {
    if (text.includes(`"${letter}"`) || new RegExp(`answer\\s*[:=]\\s*${letter}`, 'i').test(text)) return letter
  }
  return null
}

/** The last matching field of the first innermost pair of braces that has one. */
function fieldIn(text: string, field: RegExp): string | undefined {
  let from = -1
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    if (brace === '{') from = index
    else if (from >= 0) {
      const found = [...text.slice(from, index).matchAll(field)].at(-1)?.[1]
      if (found !== undefined) return found
      from = -1
    }
  }
  return undefined
}
