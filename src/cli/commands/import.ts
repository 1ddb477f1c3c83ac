/** `sightline import` */
import { UserError } from '../../base/errors.ts'
import { didYouMean } from '../../base/nearest.ts'
import { plural } from '../../base/plural.ts'
import { writeImported } from '../../engine/imported.ts'
import { makeReport } from '../../engine/reporting.ts'
import { importBatchResults } from '../../library/batch-files.ts'
import { loadSettings } from '../../library/config.ts'
import { openEnvironment } from '../../library/environment.ts'
import { importReplies } from '../../library/run.ts'
import { suiteFinder } from '../../library/suites.ts'
import { importFile, IMPORT_FORMATS, type ImportFormat } from '../../report/import/index.ts'
import { tablesToFit } from '../results/tables.ts'
import { rolesOf } from '../options/roles.ts'
import { type StoredOptions, storeOptions } from '../options/stored.ts'
import { playWithDisplay, presentResults } from '../results/played.ts'
import { openDisplay } from '../terminal/display.ts'
import { print, say } from '../terminal/output.ts'
import { printableLines } from '../../base/printable.ts'
import { Store } from '../../store/store.ts'

const BATCH_JSONL = 'batch-jsonl'

interface ImportOptions extends StoredOptions {
  from: string
  json?: boolean
  model?: string
  modelRole?: string[]
  modelOption?: Record<string, string>
  task?: Record<string, string>
  profile?: string
  source?: string
}

export async function importRun(path: string, options: ImportOptions): Promise<void> {
  const format = IMPORT_FORMATS.find((each) => each === options.from)
  if (format) return importLog(path, format, options)
  if (options.from === BATCH_JSONL) return importBatch(path, options)
  return importForSuite(path, options)
}

/** Replies that a run waits for. */
async function importBatch(path: string, { logDir, json }: ImportOptions): Promise<void> {
  const imported = await importBatchResults(await Store.open(logDir), path)
  if (json) return print(JSON.stringify(imported, null, 2))
  const { answered, failed, unknown, runs } = imported
  say(`${plural(answered, 'reply', 'replies')} stored.`)
  if (failed > 0) say(`${plural(failed, 'request')} failed. Requests that may succeed are sent again.`)
  if (unknown > 0) say(`${plural(unknown, 'line')} ignored: they belong to no request of this store.`)
  for (const run of runs) say(`Score them: sightline resume ${run}`)
}

/** A log with the scores of the tool that wrote it. */
async function importLog(file: string, format: ImportFormat, { json, logDir }: ImportOptions): Promise<void> {
  const imported = await importFile(file, format)
  for (const note of imported.notes) say(printableLines(note))
  const environment = await openEnvironment(logDir)
  const id = await writeImported(imported, environment)
  const reader = await environment.store.openRun(id)
  const report = await makeReport(reader, await suiteFinder().ofRun(reader))
  if (json) print(JSON.stringify({ id, report }, null, 2))
  else {
    say(`Imported ${plural(imported.rows.length, 'episode')} as run ${id}.`)
    print(tablesToFit([report], { command: '`sightline report latest`' }))
  }
}

/** Files that were written for one of our suites, scored by that suite. */
async function importForSuite(path: string, options: ImportOptions): Promise<void> {
  const { from, model, profile, source, task, modelRole, modelOption } = options
  const { run: defaults = {} } = await loadSettings(options.config)
  const stored = await storeOptions(options)
  const names = await suiteFinder(stored.suites).names()
  if (!names.includes(from)) {
    throw new UserError(`Cannot import from "${from}".`, {
      hint: didYouMean(from, [...IMPORT_FORMATS, BATCH_JSONL, ...names], 'Tools and suites'),
    })
  }
  const outcome = await playWithDisplay(`import ${from}`, openDisplay({ quiet: options.json === true }), (hooks) =>
    importReplies(from, path, {
      ...stored,
      ...hooks,
      model,
      profile,
      source,
      options: task,
      roles: rolesOf(modelRole ?? [], defaults.modelRole ?? {}),
      modelOptions: modelOption,
      onLog: say,
    }),
  )
  await presentResults([outcome], options)
}
