/** Finds and parses JSON as the published code does. */
import { pythonFloat as floatOf, PYTHON_SPACES, readPythonJson } from '../../../suite.ts'
import { allBetween } from './between.ts'

const FENCE = {
  open: new RegExp(`\`\`\`(?:json)?[${PYTHON_SPACES}]*\\{`, 'iu'),
  close: new RegExp(`\\}[${PYTHON_SPACES}]*\`\`\``, 'u'),
}

/** Objects that fill a fenced code block; the range includes the fence. */
export function fencedObjects(text: string): { text: string; start: number; end: number }[] {
  return allBetween(text, FENCE.open, FENCE.close).map(({ inside, start, end }) => ({
    text: `{${inside}}`,
    start,
    end,
  }))
}

/** Outermost `{…}`; ignores quotes. */
export function balancedBraces(text: string): string[] {
  const found: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '{') {
      if (depth === 0) start = i
      depth += 1
    } else if (char === '}' && depth > 0) {
      depth -= 1
      if (depth === 0) found.push(text.slice(start, i + 1))
    }
  }
  return found
}

/** Parses JSON like Python; NaN and infinities become strings that `pythonFloat` accepts. */
export function readMapText(text: string): unknown {
  return readPythonJson(text, { parseConstant: (word) => word })
}

/** Converts a value like Python's `float`; null if that would fail. */
export function pythonFloat(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' ? floatOf(value) : null
}
