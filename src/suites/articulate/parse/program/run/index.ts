/** Runs a program by itself: what it printed, and how it ended. */
import { BUILTINS, moduleNamed } from '../modules/index.ts'
import { ProgramError } from '../syntax/problem.ts'
import { parseProgram } from '../syntax/statements.ts'
import { Raised, Runtime, str } from '../values/index.ts'
import { Interpreter } from './interpret.ts'

export { Interpreter } from './interpret.ts'

export interface Ran {
  output: string
  /** Why it did not run to its end. */
  error: ProgramError | null
}

/** @example runSource('print(2 ** 100)').output // '1267650600228229401496703205376\n' */
export function runSource(source: string): Ran {
  const rt = new Runtime()
  let error: ProgramError | null = null
  try {
    new Interpreter(rt, BUILTINS, moduleNamed).run(parseProgram(source))
  } catch (thrown) {
    error = explained(rt, thrown)
  }
  return { output: rt.printed.join(''), error }
}

/** An exception as the model is told about it. Throws what is a fault of ours. */
export function explained(rt: Runtime, thrown: unknown): ProgramError {
  if (thrown instanceof ProgramError) return thrown
  if (thrown instanceof RangeError) return new ProgramError(rt.line, 'the program is nested too deep')
  if (!(thrown instanceof Raised)) throw thrown
  const { value, line } = thrown
  let text = ''
  try {
    text = str(rt, value)
  } catch {
    text = '<exception str() failed>'
  }
  return new ProgramError(line, text === '' ? value.type.name : `${value.type.name}: ${text}`)
}
