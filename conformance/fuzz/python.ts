/** The interpreter of candidate functions next to CPython. */
import { fuzzTarget } from './target.ts'
import { runOurs } from './python-compare.ts'
import { expressionProgram } from './python-expressions.ts'
import { wholeProgram } from './python-programs.ts'

/** Integers of any size are Python's, not ours: beyond the limit they are refused. */
function explained({ source }: { source: string }): string | null {
  const { error } = runOurs(source)
  return error?.[0] === 'not supported' && JSON.stringify(error).includes(' bits is too large')
    ? 'articulate-interpreter'
    : null
}

export const pythonExpressions = fuzzTarget<{ source: string }>({
  checkout: null,
  driver: 'python.py',
  generate: (random) => ({ source: expressionProgram(random) }),
  ours: ({ source }) => runOurs(source),
  explained,
})

export const pythonPrograms = fuzzTarget<{ source: string }>({
  checkout: null,
  driver: 'python.py',
  generate: (random) => ({ source: wholeProgram(random) }),
  ours: ({ source }) => runOurs(source),
})
