/** Version 0.1 said `case` and `cases` where `sample` and `samples` stand now. Its stores stay readable. */
import { isObject } from '../base/json-object.ts'

/** A line of `episodes.jsonl` or of a scores file. */
export function modernLine(line: unknown): unknown {
  return renamed(line, 'case', 'sample')
}

/** `run.json`. */
export function modernHeader(header: unknown): unknown {
  if (!isObject(header) || !isObject(header['fingerprint'])) return header
  const { fingerprint } = header
  return { ...header, fingerprint: { ...fingerprint, parts: renamed(fingerprint['parts'], 'cases', 'samples') } }
}

function renamed(value: unknown, from: string, to: string): unknown {
  if (!isObject(value) || !(from in value) || to in value) return value
  const { [from]: moved, ...rest } = value
  return { ...rest, [to]: moved }
}
