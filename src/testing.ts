/**
 * `sightline/testing`: checks that every suite must pass, for any test runner.
 *
 * @example
 * import test from 'node:test'
 * import { loadSuite, suiteChecks } from 'sightline/testing'
 *
 * const suite = await loadSuite('./bearings.ts')
 * for (const { name, run } of suiteChecks(suite)) test(name, run)
 */
export { type CheckedSuite, loadSuite } from './testing/load.ts'
export { type CheckOptions, type SuiteCheck, suiteChecks } from './testing/checks.ts'
export { replyingModel } from './testing/temporary-store.ts'
