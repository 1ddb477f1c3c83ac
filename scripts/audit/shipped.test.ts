/** The floors and ceilings that the suites ship are those of their present versions, and hold the bars of docs/validity.md. */
import { expect, test } from 'vitest'
import { holds } from '../../bench/harness.ts'
import { judge } from '../../bench/validity/bars.ts'
import { builtinSuite, suiteNames } from '../../src/suites/index.ts'

test.each(suiteNames())('%s', async (name) => {
  const suite = await builtinSuite(name)
  const own = (suite.audits?.() ?? []).filter((audit) => audit.suite === name)
  expect(own.map(({ suiteVersion }) => suiteVersion)).toEqual(suite.audit ? [suite.version] : [])
  const missed = own.flatMap(judge).filter(({ bar, value }) => bar && !holds(bar, value))
  expect(missed).toEqual([])
})
