/**
 * Whether the built-in benchmarks need eyes and can be answered with them, on scenes that nothing was tuned on: what
 * words alone gain over guessing in each row, and what a perfect eye gets. `SUITES=vsi/video,vsig` chooses suites.
 */
import { audit } from '../src/library/audit.ts'
import type { Audit, AuditRow } from '../src/report/audit.ts'
import { givesAway } from '../src/report/render/audit.ts'
import { builtinSuite, suiteNames } from '../src/suites/index.ts'
import type { Bar, Bench } from './harness.ts'

/** Neither the default nor the one of the shipped numbers. */
const SEED = 7_041_776
/** Points above the better of chance and the best constant answer. */
const MAX_GAIN = 3
const MIN_SIGHT = 97

/** Rows with a bar of their own; the limit is on the score itself, or on what words gain. */
const OWN_BARS: readonly { suite: RegExp; row: RegExp; value: 'blind' | 'gain'; atMost: number }[] = [
  { suite: /^vsig$/, row: /^temporal$/, value: 'blind', atMost: 40 },
  { suite: /^articulate\/critic$/, row: /^(?:balanced|verdict)/, value: 'blind', atMost: 55 },
  { suite: /^articulate\/joint$/, row: /./, value: 'gain', atMost: 20 },
]

const bench: Bench = async () => {
  const figures: Record<string, number> = {}
  const bars: Record<string, Bar> = {}
  const only = process.env['SUITES']?.split(',')
  for (const name of suiteNames()) {
    const suite = await builtinSuite(name)
    if (!suite.audit || (only && !only.includes(name))) continue
    const audited = await audit(suite, { seed: SEED })
    for (const row of audited.rows) judge(audited, row)
  }
  return { figures, bars }

  function judge({ suite }: Audit, row: AuditRow): void {
    const key = `${suite} ${row.key}`
    const own = OWN_BARS.find((bar) => bar.suite.test(suite) && bar.row.test(row.key))
    const { value, atMost } = own ?? { value: 'gain', atMost: MAX_GAIN }
    const measured = row[value]
    if (measured !== null) {
      const name = value === 'gain' ? `${key}: words gain` : `${key}: words alone`
      figures[name] = 100 * measured
      // A gain that these scenes cannot tell from none has no bar to hold.
      if (value === 'blind' || givesAway(row, 0)) bars[name] = { atMost }
    }
    if (row.ceiling !== null) {
      figures[`${key}: perfect eye`] = 100 * row.ceiling
      bars[`${key}: perfect eye`] = { atLeast: MIN_SIGHT }
    }
  }
}

export default bench
