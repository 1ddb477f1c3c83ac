import { useMemo } from 'react'
import { LongText } from './long-text.tsx'

/** Values that fit on a line of this length are not split. */
const MAX_LINE_LENGTH = 88

/** Formatted JSON with short values on one line. */
export function JsonText({ value, find }: { value: unknown; find?: string }) {
  const text = useMemo(() => stringify(value, ''), [value])
  return <LongText text={text} mono {...(find === undefined ? {} : { find })} className="mt-1 rounded bg-ground p-2" />
}

function stringify(value: unknown, indent: string): string {
  const flat = JSON.stringify(value) ?? 'undefined'
  if (typeof value !== 'object' || value === null || flat.length + indent.length <= MAX_LINE_LENGTH) return flat
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((each: unknown) => `${inner}${stringify(each, inner)}`)
    : Object.entries(value).map(([key, each]) => `${inner}${JSON.stringify(key)}: ${stringify(each, inner)}`)
  const [left, right] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${left}\n${lines.join(',\n')}\n${indent}${right}`
}
