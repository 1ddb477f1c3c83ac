import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fuzz } from './fuzz.ts'
import { runOurs } from './python-compare.ts'
import { pythonExpressions, pythonPrograms } from './python.ts'

/** What CPython 3.11 with numpy 1.24 printed: `==== name`, the program, `----`, its output; `!!!!` before an exception. */
const RECORDED = readFileSync(new URL('python-recorded.txt', import.meta.url), 'utf8')
  .split(/^==== /m)
  .slice(1)
  .map((part): [name: string, source: string, expected: string] => {
    const [head = '', expected = ''] = part.split('\n----\n')
    const cut = head.indexOf('\n')
    return [head.slice(0, cut), `${head.slice(cut + 1)}\n`, expected]
  })

/** Floats rounded to what every library of functions agrees on. */
function rounded(text: string): string {
  return text.replace(/-?\d+\.\d{10,}(?:e[+-]\d+)?/g, (number) => String(Number(Number(number).toPrecision(12))))
}

function ended(source: string): string {
  const { output, error } = runOurs(source)
  const text = (parts: readonly (string | number)[]): string => parts.join('')
  const message = error === null ? '' : `!!!! ${error[0]} ${error[2] ?? ''}\n`
  return text(output) + message
}

describe('programs as models write them', () => {
  it('are many', () => expect(RECORDED.length).toBeGreaterThanOrEqual(150))

  it.each(RECORDED)('%s', (_, source, expected) => {
    const floats = (text: string): string =>
      text.replace(/-?\d+\.\d*(?:e[+-]\d+)?|-?\d+e[+-]\d+/g, (number) => String(Number(number)))
    expect(rounded(floats(ended(source)))).toBe(rounded(floats(expected)))
  })
})

const hasPython = spawnSync('python3', ['-c', '']).status === 0
const hasNumpy = spawnSync('python3', ['-c', 'import numpy']).status === 0

describe.skipIf(!hasPython)('random programs agree with python3 (skipped where there is none)', () => {
  it('expressions', async () => {
    const { disagreements } = await fuzz('python-expressions', pythonExpressions, {
      cases: 500,
      seed: 11,
      published: undefined,
    })
    expect(disagreements).toEqual([])
  })

  it.skipIf(!hasNumpy)('whole programs (skipped without numpy)', async () => {
    const { disagreements } = await fuzz('python-programs', pythonPrograms, {
      cases: 60,
      seed: 11,
      published: undefined,
    })
    expect(disagreements).toEqual([])
  })
})
