/** The bars that floors and ceilings must hold. docs/validity.md has the rule. */
import type { Audit, AuditRow } from '../../src/report/audit.ts'
import { givesAway } from '../../src/report/render/audit.ts'
import type { Bar } from '../harness.ts'

/** Points above the better of chance and the best constant answer. */
const MAX_GAIN = 3
/** The interval of a gain may be this much wider than its bar. */
const WIDEST = 1.5
const MIN_SIGHT = 97

/** Rows with a bar of their own; the limit is on the score itself, or on what words gain. */
const OWN_BARS: readonly { suite: RegExp; row: RegExp; value: 'blind' | 'gain'; atMost: number }[] = [
  { suite: /^vsig$/, row: /^temporal$/, value: 'blind', atMost: 40 },
  { suite: /^articulate\/critic$/, row: /^verdict$/, value: 'blind', atMost: 55 },
  { suite: /^articulate\/joint$/, row: /^success$/, value: 'gain', atMost: 20 },
]
/** What these tell is in the total, which has a bar of its own. */
const PARTS_OF_OWN = /^T\d\.temporal, target \d$/

export interface Judged {
  name: string
  value: number
  bar?: Bar
}

/** The numbers of an audit that matter, each with its bar if it must hold one. */
export function judge({ suite, rows }: Audit): Judged[] {
  return rows.flatMap((row) => judgeRow(suite, row))
}

function judgeRow(suite: string, row: AuditRow): Judged[] {
  const key = `${suite} ${row.key}`
  const own = OWN_BARS.find((bar) => bar.suite.test(suite) && bar.row.test(row.key))
  // Rows that were learned as one. Totals follow from them, and breakdowns have too few samples of their own.
  if (!own && (row.constantAnswer === undefined || PARTS_OF_OWN.test(row.key))) return []
  const { value, atMost } = own ?? { value: 'gain', atMost: MAX_GAIN }
  const found: Judged[] = []
  const measured = row[value]
  if (measured !== null && value === 'blind')
    found.push({ name: `${key}: words alone`, value: 100 * measured, bar: { atMost } })
  if (measured !== null && value === 'gain') {
    // A gain that these scenes cannot tell from none has no bar to hold; but they must be able to tell.
    const gain = { name: `${key}: words gain`, value: 100 * measured }
    found.push(givesAway(row, 0) ? { ...gain, bar: { atMost } } : gain)
    const [low, high] = row.gainInterval ?? [-1, 1]
    found.push({ name: `${key}: words gain, ±`, value: 50 * (high - low), bar: { atMost: WIDEST * atMost } })
  }
  if (row.ceiling !== null)
    found.push({ name: `${key}: perfect eye`, value: 100 * row.ceiling, bar: { atLeast: MIN_SIGHT } })
  return found
}
