/** `sightline compare` */
import { headerUnder } from '../../engine/fingerprint.ts'
import { profileOf } from '../../engine/plan.ts'
import type { AnySuite } from '../../engine/suite.ts'
import { linesUnder } from '../../engine/rescore.ts'
import { compare, type ComparedRun } from '../../report/compare.ts'
import { type ComparisonFormat, renderComparison } from '../../report/render/comparison.ts'
import { Store } from '../../store/store.ts'
import { suiteOf } from '../../suites/suite-of.ts'
import { print } from '../output.ts'

interface CompareOptions {
  profile?: string
  format: ComparisonFormat
  json?: boolean
  logDir: string
}

export async function compareRuns(a: string, b: string, options: CompareOptions): Promise<void> {
  const store = await Store.open(options.logDir)
  const sides: ComparedRun[] = []
  const suites: AnySuite[] = []
  for (const id of [a, b]) {
    const reader = await store.openRun(id)
    const suite = await suiteOf(reader)
    suites.push(suite)
    const profile = profileOf(suite, options.profile ?? reader.header.profile)
    sides.push({ header: headerUnder(reader.header, profile), rows: await linesUnder(reader, suite, profile) })
  }
  const [left, right] = sides as [ComparedRun, ComparedRun]
  const comparison = compare(left, right, suites[0]!)
  print(renderComparison(comparison, options.json ? 'json' : options.format))
}
