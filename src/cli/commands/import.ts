/** `sightline import` */
import { writeImported } from '../../engine/imported.ts'
import { makeReport } from '../../engine/reporting.ts'
import { importFile, type ImportFormat } from '../../report/import/index.ts'
import { renderReports } from '../../report/render/index.ts'
import { plural } from '../../base/plural.ts'
import { plain, print, say } from '../terminal/output.ts'
import { openEnvironment } from '../../library/environment.ts'
import { suiteFinder } from '../../library/suites.ts'

interface ImportOptions {
  from: ImportFormat
  json?: boolean
  logDir: string
}

export async function importRun(file: string, { from, json, logDir }: ImportOptions): Promise<void> {
  const imported = await importFile(file, from)
  for (const note of imported.notes) say(plain(note))
  const environment = await openEnvironment(logDir)
  const id = await writeImported(imported, environment)
  const reader = await environment.store.openRun(id)
  const report = await makeReport(reader, await suiteFinder().ofRun(reader))
  if (json) print(JSON.stringify({ id, report }, null, 2))
  else {
    say(`Imported ${plural(imported.rows.length, 'episode')} as run ${id}.`)
    print(renderReports([report], 'table'))
  }
}
