import { pythonExpressions, pythonPrograms } from './python.ts'
import type { FuzzTarget } from './target.ts'

/** Every profile that reproduces published code, against that code. */
export const targets: Readonly<Record<string, FuzzTarget>> = {
  'python-expressions': pythonExpressions,
  'python-programs': pythonPrograms,
}
