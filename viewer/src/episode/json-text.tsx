import { useMemo } from 'react'
import { LongText } from './long-text.tsx'

/** Longest line that a list or an object of plain values is kept on. */
const LINE = 88

/** Data as text, short lists on one line. */
export function JsonText({ value, find }: { value: unknown; find?: string }) {
  const text = useMemo(() => written(value, ''), [value])
  return <LongText text={text} mono {...(find === undefined ? {} : { find })} className="mt-1 rounded bg-ground p-2" />
}

function written(value: unknown, indent: string): string {
  const flat = JSON.stringify(value) ?? 'nothing'
  if (typeof value !== 'object' || value === null || flat.length + indent.length <= LINE) return flat
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((each: unknown) => `${inner}${written(each, inner)}`)
    : Object.entries(value).map(([key, each]) => `${inner}${JSON.stringify(key)}: ${written(each, inner)}`)
  const [left, right] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${left}\n${lines.join(',\n')}\n${indent}${right}`
}
