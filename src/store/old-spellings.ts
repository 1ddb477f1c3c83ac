/** Reads the stores of version 0.1, which wrote `case` and `cases` instead of `sample` and `samples`. */
import { isObject } from '../base/json-object.ts'

/** Upgrades a line of `episodes.jsonl` or of a scores file. */
export function upgradeLine(line: unknown): unknown {
  return renamed(line, 'case', 'sample')
}

/** Upgrades `run.json`. */
export function upgradeHeader(header: unknown): unknown {
  if (!isObject(header) || !isObject(header['fingerprint'])) return header
  const { fingerprint } = header
  return { ...header, fingerprint: { ...fingerprint, parts: renamed(fingerprint['parts'], 'cases', 'samples') } }
}

function renamed(value: unknown, from: string, to: string): unknown {
  if (!isObject(value) || !(from in value) || to in value) return value
  const { [from]: moved, ...rest } = value
  return { ...rest, [to]: moved }
}
