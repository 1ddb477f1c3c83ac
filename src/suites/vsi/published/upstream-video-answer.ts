/** How the published video baseline reads a reply, faults included: letters leak into numeric questions. */
import { readExactPythonJson, truthy } from '../../../suite.ts'
import { isPythonObject, pythonStr, pythonStrip } from './python.ts'

// Found one quote at a time: the end of one field may be the beginning of the next.
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

/** The last such field of the first pair of braces that has one and no brace in it. */
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
