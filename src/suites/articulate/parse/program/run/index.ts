/** Runs programs, and says how they ended. */
import { ProgramError } from '../syntax/problem.ts'
import { Raised, type Runtime, str } from '../values/index.ts'
export { Interpreter } from './interpret.ts'

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
