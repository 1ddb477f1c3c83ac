/** Our interpreter on a program, in the form in which serve.py hands out CPython's run of it. */
import { runSource } from '../../../src/suites/articulate/parse/program/run/index.ts'

const FLOAT = /(-?\d+\.\d*(?:e[+-]\d+)?|-?\d+e[+-]\d+)/

/** Texts and floats in turn: sines and powers may differ in their last digit. */
function tokens(text: string): (string | number)[] {
  return text.split(FLOAT).map((part, i) => (i % 2 === 1 ? Number(part) : part))
}

export interface PythonRun {
  output: readonly (string | number)[]
  error: readonly unknown[] | null
}

export function runOurs(source: string): PythonRun {
  const { output, error } = runSource(source)
  if (!error) return { output: tokens(output), error: null }
  const [, type = '', message = ''] = /^(\w+)(?:: ([\s\S]*))?$/.exec(error.reason) ?? []
  if (type === 'SyntaxError' || type === 'IndentationError') return { output: [''], error: ['SyntaxError'] }
  if (type === '') return { output: tokens(output), error: ['not supported', tokens(error.reason), error.line] }
  return { output: tokens(output), error: [type, tokens(message), error.line] }
}
