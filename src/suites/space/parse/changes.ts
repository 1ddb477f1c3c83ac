/** Parses the changes reported in `Term(changes="…")`. */
import { pythonStrip } from '../../../suite.ts'
import type { Profile } from '../domain/profile.ts'
import { matchName } from './grammar.ts'
import { stripQuotes } from './quotes.ts'

export interface ReportedChange {
  name: string
  position: boolean
  orientation: boolean
}

/** The published code matches substrings: "composition" counts as position. */
const PUBLISHED = {
  position: ['position', 'location', 'moved', 'pos'],
  orientation: ['orientation', 'rotation', 'rotated', 'ori', 'facing'],
} as const

/** `fixed` matches whole words. */
const WORDS = {
  position: /\b(?:position|location|place|moved?|relocated|displaced|translated|pos)\b/i,
  orientation: /\b(?:orientation|rotation|rotated?|turned|facing|heading|direction|ori)\b/i,
} as const

/** More than every object of a scene with both kinds of change. */
const MAX_LENGTH = 10_000

export type ParsedChange = { change: ReportedChange; problem: null } | { change: null; problem: string }

/** Parses one entry like the published code: `name: kind`, or `name kind` with the last word as kind. */
export function parsePublishedChange(entry: string): ParsedChange {
  const text = stripQuotes(pythonStrip(entry))
  const colon = text.indexOf(':')
  const space = text.lastIndexOf(' ')
  if (colon < 0 && space < 0) return { change: null, problem: `Cannot parse: ${text}` }
  const at = colon >= 0 ? colon : space
  const kind = text.slice(at + 1)
  const lower = kind.toLowerCase()
  const position = PUBLISHED.position.some((word) => lower.includes(word))
  const orientation = PUBLISHED.orientation.some((word) => lower.includes(word))
  if (!position && !orientation) return { change: null, problem: `Unknown change type: ${kind}` }
  const name = stripQuotes(pythonStrip(text.slice(0, at))).replaceAll('_', ' ')
  return { change: { name, position, orientation }, problem: null }
}

/**
 * All reported changes. `names` are those of the scene: profile `fixed` accepts names in any case, with underscores or an
 * article, entries with or without a colon, and kinds as whole words.
 */
export function parseChanges(text: string, names: readonly string[], profile: Profile): ReportedChange[] {
  const reported = new Map<string, ReportedChange>()
  const entries = profile === 'upstream' ? text.split(',') : text.slice(0, MAX_LENGTH).split(/[,;\n]/)
  for (const entry of entries) {
    const change = profile === 'upstream' ? publishedEntry(entry) : tolerantEntry(entry, names)
    if (change === null) continue
    const other = reported.get(change.name)
    reported.set(change.name, {
      name: change.name,
      position: change.position || (other?.position ?? false),
      orientation: change.orientation || (other?.orientation ?? false),
    })
  }
  return [...reported.values()]
}

/** The published environment ignores entries without a colon. */
function publishedEntry(entry: string): ReportedChange | null {
  return entry.includes(':') ? parsePublishedChange(entry).change : null
}

function tolerantEntry(entry: string, names: readonly string[]): ReportedChange | null {
  const text = entry.trim()
  const at = text.includes(':') ? text.indexOf(':') : text.search(/\s\S*$/)
  if (at < 0) return null
  const kind = text.slice(at + 1).replaceAll('_', ' ')
  const written = text.slice(0, at).trim()
  const position = WORDS.position.test(kind)
  const orientation = WORDS.orientation.test(kind)
  if (!position && !orientation) return null
  // A name that is not in the scene still counts as a (wrong) report.
  return { name: matchName(written, names) ?? written.toLowerCase(), position, orientation }
}
