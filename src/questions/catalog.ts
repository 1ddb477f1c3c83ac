/** Question suites that ship with Sightline; their data do not. */
import type { AnySuite } from '../suite.ts'
import { catalogText } from './catalog-files.ts'
import { parseQuestionsFile } from './read-file.ts'
import { questionSuite } from './suite.ts'

export { catalogNames } from './catalog-files.ts'

/** A suite of the catalog, by name. */
export function catalogSuite(name: string): AnySuite {
  return questionSuite(parseQuestionsFile(catalogText(name), name), null)
}
