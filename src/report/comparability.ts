/** What differs between two runs, and whether their scores are comparable. */
import { sha256 } from '../base/hash.ts'
import type { RunHeader } from '../store/records.ts'

/**
 * - `compared`: the subject of the comparison: the player and its options.
 * - `paired`: handled by pairing samples: the number of samples or epochs.
 * - `unlike`: anything else, which may explain the difference between the runs.
 */
export type DifferenceKind = 'compared' | 'paired' | 'unlike'

export interface Difference {
  part: string
  kind: DifferenceKind
  /** Null if the run does not have the part. */
  a: string | null
  b: string | null
}

/**
 * What can explain the difference between two runs.
 *
 * - `models`: the player and its options; nothing else differs.
 * - `ways`: suite options, or a suite with the same samples in another form; the player is the same.
 * - `unclear`: several causes that cannot be separated, or different scoring.
 */
export type DifferenceCause = 'models' | 'ways' | 'unclear'

/** Enough digits to be unique within a store. */
const SETTINGS_HASH_LENGTH = 16

const PAIRED: ReadonlySet<string> = new Set(['samples', 'epochs', 'limit'])

function kindOf(part: string): DifferenceKind {
  if (part === 'model.player' || part === 'model' || part === 'modelAddress.player') return 'compared'
  if (part.startsWith('modelOption.') && !/^modelOption\.(judge|critic)\./.test(part)) return 'compared'
  // A judge or critic takes part in scoring, so a different one changes what is measured.
  return PAIRED.has(part) ? 'paired' : 'unlike'
}

/** All fingerprint parts that differ: the suite first, then `unlike`, `paired` and `compared` parts. */
export function differencesOf(a: RunHeader, b: RunHeader): Difference[] {
  const left = partsOf(a)
  const right = partsOf(b)
  const order: readonly DifferenceKind[] = ['unlike', 'paired', 'compared']
  const place = ({ part, kind }: Difference): number => (part === 'suite' ? -1 : order.indexOf(kind))
  return [...new Set([...left.keys(), ...right.keys()])]
    .filter((part) => left.get(part) !== right.get(part))
    .map((part) => ({ part, kind: kindOf(part), a: left.get(part) ?? null, b: right.get(part) ?? null }))
    .sort((x, y) => place(x) - place(y) || (x.part < y.part ? -1 : 1))
}

export function causeOf(differences: readonly Difference[]): DifferenceCause {
  const unlike = differences.filter(({ kind }) => kind === 'unlike').map(({ part }) => part)
  if (unlike.length === 0) return 'models'
  // Suites are versioned independently, so different versions of two suites mean nothing.
  const isSetting = (part: string): boolean =>
    part === 'suite' || part.startsWith('option.') || (part === 'suiteVersion' && unlike.includes('suite'))
  return differences.every(({ kind }) => kind !== 'compared') && unlike.every(isSetting) ? 'ways' : 'unclear'
}

/**
 * A short hash of everything except the player and its options: scores of runs with the same hash can be shown side by
 * side.
 */
export function settingsOf(header: RunHeader): string {
  return hashOfParts(header, ['unlike', 'paired'])
}

/** The same without limits and epochs: runs with the same hash can be compared on the samples they share. */
export function groupOf(header: RunHeader): string {
  return hashOfParts(header, ['unlike'])
}

function hashOfParts(header: RunHeader, kinds: readonly DifferenceKind[]): string {
  const parts = [...partsOf(header)]
    .filter(([part]) => kinds.includes(kindOf(part)))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256(JSON.stringify(parts)).slice(0, SETTINGS_HASH_LENGTH)
}

/** The parts of the fingerprint, with suite version and profile from the header, where a re-scored run has them. */
function partsOf(header: RunHeader): Map<string, string> {
  return new Map([
    ...Object.entries(header.fingerprint.parts),
    ['suiteVersion', String(header.suiteVersion)],
    ['profile', header.profile],
  ])
}
