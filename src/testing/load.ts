/** The suite under test, and where another process loads it from. */
import { suiteFinder } from '../library/suites.ts'
import type { AnySuite } from '../engine/suite.ts'

export interface CheckedSuite {
  suite: AnySuite
  /** Null for built-in suites, which are found by name. */
  loadFrom: string | null
}

/** Loads a suite by name, file or package, as `sightline run` does. Paths are relative to the working folder. */
export async function loadSuite(spec: string): Promise<CheckedSuite> {
  const { suite, loadFrom } = await suiteFinder().find(spec)
  return { suite, loadFrom }
}
