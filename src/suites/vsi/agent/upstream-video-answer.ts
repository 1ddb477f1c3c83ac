/** How the published video baseline reads a reply, faults included: letters leak into numeric questions. */
import { isPythonObject, pythonJson, pythonStr, pythonStrip, truthy } from '../python.ts'

const NUMBER_FIELD = /\{[^{}]*"answer"\s*:\s*([0-9.-]+)[^{}]*\}/
const LETTER_FIELD = /\{[^{}]*"answer"\s*:\s*"([A-D])"[^{}]*\}/

export function upstreamVideoAnswer(text: string, numeric: boolean): string | null {
  const field = (numeric ? NUMBER_FIELD : LETTER_FIELD).exec(text)
  if (field !== null) return field[1]!
  const from = text.indexOf('{')
  const to = text.lastIndexOf('}')
  if (from >= 0 && to > from) {
    const value = pythonJson(text.slice(from, to + 1))
    const answer = isPythonObject(value) ? value['answer'] : undefined
    if (answer !== undefined && truthy(answer)) return pythonStrip(pythonStr(answer)).toUpperCase()
  }
  for (const letter of ['A', 'B', 'C', 'D']) {
    if (text.includes(`"${letter}"`) || new RegExp(`answer\\s*[:=]\\s*${letter}`, 'i').test(text)) return letter
  }
  return null
}
