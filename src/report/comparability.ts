/** What differs between two runs, and whether their numbers may be compared at all. */
import { sha256 } from '../base/hash.ts'
import type { RunHeader } from '../store/records.ts'

/**
 * - `compared`: the very thing that is compared: the player and its options.
 * - `paired`: taken care of by pairing on cases: how many cases, how many repeats.
 * - `unlike`: anything else. The difference between the runs may come from it.
 */
export type DifferenceKind = 'compared' | 'paired' | 'unlike'

export interface Difference {
  part: string
  kind: DifferenceKind
  /** Null where one run does not have the part. */
  a: string | null
  b: string | null
}

/**
 * What the difference between two runs can come from.
 *
 * - `models`: from the player and its options; nothing else differs.
 * - `ways`: from the way of asking: the same player under other options, or in a suite that asks the same questions otherwise.
 * - `unclear`: from several things that cannot be told apart, or from another ruler.
 */
export type DifferenceCause = 'models' | 'ways' | 'unclear'

/** Of a hash: enough to tell apart whatever stands in one store. */
const SETTINGS_DIGITS = 16

const PAIRED: ReadonlySet<string> = new Set(['samples', 'epochs', 'limit'])

function kindOf(part: string): DifferenceKind {
  if (part === 'model.player' || part === 'model' || part === 'modelAddress.player') return 'compared'
  if (part.startsWith('modelOption.') && !/^modelOption\.(judge|critic)\./.test(part)) return 'compared'
  // A judge or critic takes part in the scoring: another one is another ruler.
  return PAIRED.has(part) ? 'paired' : 'unlike'
}

/** Every part of the fingerprints that differs, those that make the runs unlike first, and of these the suite. */
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

export function causesOf(differences: readonly Difference[]): DifferenceCause {
  const unlike = differences.filter(({ kind }) => kind === 'unlike').map(({ part }) => part)
  if (unlike.length === 0) return 'models'
  // Versions of two suites are counted apart: that they differ says nothing.
  const isWay = (part: string): boolean =>
    part === 'suite' || part.startsWith('option.') || (part === 'suiteVersion' && unlike.includes('suite'))
  return differences.every(({ kind }) => kind !== 'compared') && unlike.every(isWay) ? 'ways' : 'unclear'
}

/**
 * All but the player and its options, as one short text: runs with the same one were asked the same in the same way, so
 * their numbers may stand side by side.
 */
export function settingsOf(header: RunHeader): string {
  const parts = [...partsOf(header)]
    .filter(([part]) => kindOf(part) !== 'compared')
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256(JSON.stringify(parts)).slice(0, SETTINGS_DIGITS)
}

/** The fingerprint's parts; suite version and profile come from the header, where a run that is re-scored has them. */
function partsOf(header: RunHeader): Map<string, string> {
  return new Map([
    ...Object.entries(header.fingerprint.parts),
    ['suiteVersion', String(header.suiteVersion)],
    ['profile', header.profile],
  ])
}
