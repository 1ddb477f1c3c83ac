import { program } from '../../src/cli/program.ts'
import { settingsSchema } from '../../src/library/config.ts'
import { builtinSuite, suiteNames } from '../../src/suites/index.ts'
import { catalogNames, catalogSuite } from '../../src/questions/catalog.ts'
import { sisterResults } from '../../src/suites/vbench/published/leaderboard.ts'
import { cliPage } from './cli.ts'
import { configPage } from './config.ts'
import { publishedPage } from './published.ts'
import { questionsSchema } from './questions-schema.ts'
import { suitesPage } from './suites.ts'

/** The generated pages by file name. */
export async function referencePages(): Promise<Record<string, string>> {
  const suites = await Promise.all(suiteNames().map(builtinSuite))
  const catalog = catalogNames().map(catalogSuite)
  // The suites of VSI share a board.
  const boards = [...suites, ...catalog]
    .filter(({ name }) => name !== 'vsi/explore' && name !== 'vsi/blind')
    .flatMap((suite) => (suite.published ? [{ published: suite.published(), metrics: suite.metrics }] : []))
  const sisters = sisterResults().map((published) => ({ published, metrics: {} }))
  return {
    'cli.md': cliPage(program),
    'config.md': configPage(settingsSchema, program),
    'suites.md': suitesPage(suites),
    'questions.schema.json': questionsSchema(),
    'published.md': publishedPage([...boards, ...sisters]),
  }
}
