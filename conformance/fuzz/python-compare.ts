/** Our interpreter on a program, in the form in which python.py hands out CPython's run of it. */
import { BUILTINS, moduleNamed } from '../../src/suites/articulate/parse/program/modules/index.ts'
import { explained, Interpreter } from '../../src/suites/articulate/parse/program/run/index.ts'
import { parseProgram } from '../../src/suites/articulate/parse/program/syntax/statements.ts'
import { Runtime } from '../../src/suites/articulate/parse/program/values/index.ts'

const FLOAT = /(-?\d+\.\d*(?:e[+-]\d+)?|-?\d+e[+-]\d+)/

/** Texts and floats in turn: sines and powers may differ in their last digit. */
export type Tokens = readonly (string | number)[]

function tokens(text: string): Tokens {
  return text.split(FLOAT).map((part, i) => (i % 2 === 1 ? Number(part) : part))
}

export interface PythonRun {
  output: Tokens
  error: readonly [type: string, message?: Tokens, line?: number] | null
}

export function runOurs(source: string): PythonRun {
  const rt = new Runtime()
  try {
    new Interpreter(rt, BUILTINS, moduleNamed).run(parseProgram(source))
    return { output: tokens(rt.printed.join('')), error: null }
  } catch (thrown) {
    const { reason, line } = explained(rt, thrown)
    const [, type = 'not supported', message = reason] = /^(\w+)(?:: ([\s\S]*))?$/.exec(reason) ?? []
    if (type === 'SyntaxError' || type === 'IndentationError') return { output: [''], error: ['SyntaxError'] }
    const said = type === reason ? '' : message
    return { output: tokens(rt.printed.join('')), error: [type, tokens(said), line] }
  }
}
