/** The published video baseline's reply parser, bugs included: letters leak into numeric questions. */
import { readExactPythonJson, truthy, pythonStrip, PYTHON_SPACES } from '../../../suite.ts'
import { EDGE, isPythonObject, pythonStr } from './python.ts'

// Lookaheads find overlapping fields: the end of one may be the start of the next.
const FIELD = `"answer"[${PYTHON_SPACES}]*:[${PYTHON_SPACES}]*`
const NUMBER_FIELD = new RegExp(`(?=${FIELD}([\\p{Nd}.-]+))"`, 'gu')
const LETTER_FIELD = new RegExp(`(?=${FIELD}"([A-D])?")"`, 'gu')

const LETTERS = ['A', 'B', 'C', 'D'].map((letter) => ({
  letter,
  quoted: [`"${letter}"`, `'${letter}'`],
  named: new RegExp(`${EDGE}answer[${PYTHON_SPACES}]*[:=][${PYTHON_SPACES}]*${letter}${EDGE}`, 'iu'),
}))

export function upstreamVideoAnswer(text: string, numeric: boolean): string | null {
  const field = fieldIn(text, numeric ? NUMBER_FIELD : LETTER_FIELD)
  if (field !== null) return field
  const from = text.indexOf('{')
  const to = text.lastIndexOf('}')
  if (from >= 0 && to > from) {
    const value = readExactPythonJson(text.slice(from, to + 1))
    const answer = isPythonObject(value) ? value['answer'] : undefined
    if (answer !== undefined && truthy(answer)) return pythonStrip(pythonStr(answer)).toUpperCase()
  }
  for (const { letter, quoted, named } of LETTERS) {
    if (quoted.some((each) => text.includes(each)) || named.test(text)) return letter
  }
  return null
}

/** The last field of the first innermost pair of braces that has one, even if that field is empty. */
function fieldIn(text: string, field: RegExp): string | null {
  let from = -1
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    if (brace === '{') from = index
    else if (from >= 0) {
      const found = [...text.slice(from, index).matchAll(field)].at(-1)
      if (found !== undefined) return found[1] ?? null
      from = -1
    }
  }
  return null
}
