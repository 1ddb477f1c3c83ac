import { IMPORTED_PREFIX, importedSuite } from '../engine/imported.ts'
import type { AnySuite } from '../engine/suite.ts'
import type { RunReader } from '../store/run-reader.ts'
import { findSuite } from './index.ts'

/** The suite of a run, also of one that was read from another tool's log. */
export async function suiteOf(reader: RunReader): Promise<AnySuite> {
  const { suite } = reader.header
  return suite.startsWith(IMPORTED_PREFIX) ? importedSuite(suite, await reader.episodes()) : findSuite(suite)
}
