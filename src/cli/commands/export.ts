/** `sightline export` */
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UserError } from '../../base/errors.ts'
import { hubOf } from '../../datasets/dataset.ts'
import { episodeDescriber } from '../../engine/describe.ts'
import { makeReport } from '../../engine/reporting.ts'
import {
  EXPORT_FORMATS,
  type ExportedFile,
  exportedFiles,
  type ExportFormat,
  type ExportInput,
} from '../../report/export/index.ts'
import { successMetric } from '../../report/passes.ts'
import { sourceOf } from '../../report/published.ts'
import { Table } from '../../report/table.ts'
import { redaction } from '../../server/share/redact.ts'
import { writeSharedRun } from '../../server/share/write.ts'
import type { RunReader } from '../../store/run-reader.ts'
import { withDiskErrors } from '../../store/disk.ts'
import { Store } from '../../store/store.ts'
import { batchRequests } from '../../library/batch-files.ts'
import { EASI_8, EASI_SUITES, easiPayload, easiScores, isEasiRun } from '../../library/easi.ts'
import { packageVersion } from '../../library/environment.ts'
import { type SuiteFinder, suiteFinder } from '../../library/suites.ts'
import { plural } from '../../base/plural.ts'
import { say } from '../terminal/output.ts'
import { type StoredOptions, storeOptions } from '../options/stored.ts'
import { checkWritable, withOutputErrors } from '../results/output-file.ts'

interface ExportOptions extends StoredOptions {
  to?: ExportFormat | 'batch-jsonl' | 'easi' | 'html'
  html?: boolean
  episode?: string
  dataset?: string
  taskId?: string
  output?: string
  withAddresses?: boolean
}

export async function exportRun(run: string, options: ExportOptions): Promise<void> {
  const { output, logDir, episode } = options
  const to = options.html ? 'html' : options.to
  if (to === undefined) {
    throw new UserError(
      'No export format given. Use --html, or --to with one of ' +
        [...EXPORT_FORMATS, 'batch-jsonl', 'easi'].join(', ') +
        '.',
    )
  }
  if (options.html && options.to !== undefined && options.to !== 'html') {
    throw new UserError(`--html and --to ${options.to} cannot be combined.`)
  }
  if (episode !== undefined && to !== 'html')
    throw new UserError('--episode only works with --html; other formats export whole runs.')
  const store = await Store.open(logDir)
  const reader = await store.openRun(run)
  const finder = suiteFinder((await storeOptions(options)).suites)
  if (to === 'html') return share(store, finder, reader, options)
  const files = await filesFor(to, store, finder, reader, options)
  const single = files.length === 1 && output !== undefined && /\.\w+$/.test(output)
  const folder = output ?? join(reader.dir, 'export')
  if (single) await checkWritable(output)
  else await withDiskErrors(folder, () => mkdir(folder, { recursive: true }))
  for (const { name, chunks } of files) {
    const path = single ? output : join(folder, name)
    if (!single) await withDiskErrors(path, () => mkdir(dirname(path), { recursive: true }))
    await withDiskErrors(path, () => pipeline(Readable.from(chunks), createWriteStream(path)))
    say(`Wrote ${path}`)
  }
}

async function filesFor(
  to: ExportFormat | 'batch-jsonl' | 'easi',
  store: Store,
  finder: SuiteFinder,
  reader: RunReader,
  options: ExportOptions,
): Promise<ExportedFile[]> {
  if (to === 'easi') return easiFiles(store, finder, reader, options)
  if (to === 'batch-jsonl') return batchRequests(store, reader.header.id)
  return exportedFiles(await exportInput(store, finder, reader, options), to)
}

async function exportInput(
  store: Store,
  finder: SuiteFinder,
  reader: RunReader,
  options: ExportOptions,
): Promise<ExportInput> {
  const suite = await finder.ofRun(reader)
  const redact = redaction(store.dir, reader.header, options.withAddresses)
  const rows = redact.value(await reader.episodes())
  const header = redact.header(reader.header)
  const dataset = options.dataset ?? hubOf(suite.sources[sourceOf(header).name]?.dataset)
  return {
    header,
    rows,
    report: redact.value(await makeReport(reader, suite)),
    eventsOf: async (line) => redact.value(await reader.events(line)),
    describe: episodeDescriber(suite, reader.header),
    success: successMetric(suite.summary(new Table(rows, suite.metrics), reader.header), suite.metrics),
    ...(dataset !== undefined && { dataset }),
    ...(options.taskId !== undefined && { taskId: options.taskId }),
    exported: new Date(),
  }
}

/** The latest runs of this run's model on the benchmarks of EASI: its payload, and the answers to each question. */
async function easiFiles(
  store: Store,
  finder: SuiteFinder,
  { header: { models } }: RunReader,
  options: ExportOptions,
): Promise<ExportedFile[]> {
  const model = models['player']!
  const runs = (await store.listRuns()).filter(
    ({ header, status }) => status.state === 'done' && header.models['player'] === model,
  )
  const latest = EASI_SUITES.flatMap(
    (suite) => runs.find(({ header }) => header.suite === suite && isEasiRun(header)) ?? [],
  )
  for (const { id, header } of runs)
    if (EASI_SUITES.includes(header.suite) && !isEasiRun(header))
      say(`Left out: ${id} has another profile, other data, or only some of the samples.`)
  const played = []
  for (const { id } of latest) played.push(await exportInput(store, finder, await store.openRun(id), options))
  if (played.length === 0)
    throw new UserError(`${model} has no finished run on a benchmark of EASI.`, {
      hint: `Play them: sightline run ${EASI_8}`,
    })
  const scores = easiScores(
    model,
    played.map(({ report }) => report),
  )
  const about = played.map(({ header }) => `${header.suite} ${header.suiteVersion} ${header.profile}`)
  const payload = easiPayload(scores, `Sightline ${packageVersion()}: ${about.join(', ')}`)
  return [
    { name: 'easi_results.json', chunks: text(`${JSON.stringify(payload, null, 2)}\n`) },
    ...played.flatMap((input) => exportedFiles(input, 'csv')),
  ]
}

async function* text(content: string): AsyncGenerator<string> {
  yield content
}

/** Writes a run, or one episode, as a folder of web pages. */
async function share(
  store: Store,
  finder: SuiteFinder,
  reader: RunReader,
  { output, episode, withAddresses = false }: ExportOptions,
): Promise<void> {
  const folder = output ?? `${reader.header.id}${episode === undefined ? '' : `_${episode}`}`
  const asked = episode === undefined ? {} : { episode: parseEpisode(episode) }
  const shared = await withOutputErrors(folder, () =>
    writeSharedRun({
      store,
      finder,
      reader,
      folder,
      version: packageVersion(),
      keepAddresses: withAddresses,
      ...asked,
    }),
  )
  const { episodes, media, missing, scenes } = shared
  const parts = [plural(episodes, 'episode'), plural(media, 'media file')]
  if (scenes > 0) parts.push(plural(scenes, 'scene'))
  say(`Wrote ${folder}: ${parts.join(', ')}. Open ${join(folder, 'index.html')}`)
  if (missing > 0) say(`${plural(missing, 'media file')} no longer in the store.`)
}

/** `12` is sample 12, `12.3` its third epoch, as in the URL of the episode's page. */
function parseEpisode(text: string): { index: number; epoch: number } {
  const match = /^(\d{1,12})(?:[./](\d{1,12}))?$/.exec(text)
  if (!match) throw new UserError(`Invalid --episode "${text}". Use INDEX or INDEX.EPOCH, such as 12 or 12.1.`)
  return { index: Number(match[1]), epoch: Number(match[2] ?? 1) }
}
