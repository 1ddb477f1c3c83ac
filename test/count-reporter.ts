import type { Reporter, TestCase, TestModule } from 'vitest/node'

/**
 * Closes a test run with one plain line, `N passed, N failed, N skipped`, that any log reader understands. Above it
 * stand the tests that passed only at their second try: each of them is a fault to be found, in it or in the product.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    const unsteady: string[] = []
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      for (const test of tests) {
        counts[outcomeOf(test)] += 1
        if (test.diagnostic()?.flaky) unsteady.push(`${module.relativeModuleId} > ${test.fullName}`)
      }
      // A file that cannot even be loaded has no tests; it must not look like a clean run.
      if (module.state() === 'failed' && !tests.some((test) => outcomeOf(test) === 'failed')) counts.failed += 1
    }
    if (unsteady.length > 0) console.log(`\nPassed only at the second try:\n  ${unsteady.join('\n  ')}`)
    console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  }
}

function outcomeOf(test: TestCase): 'passed' | 'failed' | 'skipped' {
  const { state } = test.result()
  return state === 'pending' ? 'failed' : state
}
