import { program } from '../../src/cli/program.ts'
import { settingsSchema } from '../../src/library/config.ts'
import { builtinSuite, suiteNames } from '../../src/suites/index.ts'
import { cliPage } from './cli.ts'
import { configPage } from './config.ts'
import { suitesPage } from './suites.ts'

/** The generated pages by file name. */
export async function referencePages(): Promise<Record<string, string>> {
  return {
    'cli.md': cliPage(program),
    'config.md': configPage(settingsSchema, program),
    'suites.md': suitesPage(await Promise.all(suiteNames().map(builtinSuite))),
  }
}
