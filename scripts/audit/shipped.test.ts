/** The floors and ceilings that the suites ship hold for their default runs, and hold the bars of docs/validity.md. */
import { expect, test } from 'vitest'
import { holds } from '../../bench/harness.ts'
import { judge } from '../../bench/validity/bars.ts'
import { suiteOptions } from '../../src/engine/options.ts'
import { profileOf } from '../../src/engine/plan.ts'
import { defaultSource } from '../../src/engine/source.ts'
import { auditFor } from '../../src/report/audit.ts'
import { builtinSuite, suiteNames } from '../../src/suites/index.ts'

const audited = (await Promise.all(suiteNames().map(builtinSuite))).filter((suite) => suite.audit !== undefined)

test.each(audited.map((suite) => [suite.name, suite] as const))('%s', (name, suite) => {
  const run = {
    suite: name,
    suiteVersion: suite.version,
    profile: profileOf(suite, undefined),
    source: defaultSource(suite),
    options: suiteOptions(suite, {}) as Readonly<Record<string, unknown>>,
  }
  const { audit, ...found } = auditFor(run, suite.audits?.() ?? [])
  expect(found).toEqual({})
  expect(judge(audit!).filter(({ bar, value }) => bar && !holds(bar, value))).toEqual([])
})
