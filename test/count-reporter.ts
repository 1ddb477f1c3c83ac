import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Closes a test run with one plain line, `N passed, N failed, N skipped`, that any log reader understands. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      const outcomes = [...module.children.allTests()].map(outcomeOf)
      for (const outcome of outcomes) counts[outcome] += 1
      // A file that cannot even be loaded has no tests; it must not look like a clean run.
      if (module.state() === 'failed' && !outcomes.includes('failed')) counts.failed += 1
    }
    console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  }
}

function outcomeOf(test: TestCase): 'passed' | 'failed' | 'skipped' {
  const { state } = test.result()
  return state === 'pending' ? 'failed' : state
}
