/** `sightline data`: published datasets on this machine, and training data that is made here. */
import { readdir } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { BASELINE_PREFIX } from '../../base/baseline.ts'
import { UserError } from '../../base/errors.ts'
import { plural } from '../../base/plural.ts'
import { printable } from '../../base/printable.ts'
import { shellCommand } from '../../base/shell-quote.ts'
import { addressOf, type Dataset, originOf } from '../../datasets/dataset.ts'
import { datasetFolder, datasetsFolder } from '../../datasets/folder.ts'
import { type DownloadPlan, getDataset, gigabytes } from '../../datasets/get.ts'
import { hubFromEnvironment } from '../../datasets/hub.ts'
import { DatasetRecord } from '../../datasets/record.ts'
import { findDataset, type KnownDataset, knownDatasets } from '../../library/datasets.ts'
import { packageVersion } from '../../library/environment.ts'
import { suiteFinder } from '../../library/suites.ts'
import type { DataFormat } from '../../training/formats/names.ts'
import { makeData } from '../../training/make.ts'
import { type StoredOptions, storeOptions } from '../options/stored.ts'
import { EXIT } from '../terminal/exit.ts'
import { bold, columns, print, say } from '../terminal/output.ts'
import { interrupted, progress, stepLine } from '../terminal/progress.ts'

interface DataOptions extends StoredOptions {
  folder?: string
  yes?: boolean
  json?: boolean
}

interface GetFlags extends DataOptions {
  revision?: string
  files?: string[]
  model?: boolean
}

export async function get(name: string, options: GetFlags): Promise<void> {
  const known = await find(name, options)
  const dataset = narrowed(known.dataset, options)
  const folder = datasetFolder(dataset.name, options.folder)
  const signal = interrupted()
  const line = stepLine()
  try {
    const fetched = await getDataset(dataset, {
      ...hubFromEnvironment(),
      folder,
      signal,
      confirm: (plan) => confirmDownload(dataset, folder, plan, options.yes === true),
      onProgress: ({ bytes, of, unpacking }) =>
        line.show(
          unpacking === undefined
            ? `${gigabytes(bytes)}${of === null ? '' : ` of ${gigabytes(of)}`}`
            : `Unpacking ${printable(unpacking)}`,
        ),
    })
    line.clear()
    const { from, wasComplete, isPinnedHere } = fetched
    say(`${dataset.name} ${wasComplete ? 'was already complete' : 'is complete'}: ${from}`)
    if (isPinnedHere) say('It keeps to this commit; --revision main fetches the newest.')
    if (options.json) print(JSON.stringify({ ...fetched, sources: sourcesFor(known, folder) }, null, 2))
    else print(usage(known, folder))
  } finally {
    line.clear()
  }
}

export async function check(name: string, options: DataOptions): Promise<void> {
  const { dataset } = await find(name, options)
  const { record, folder } = await recordOf(dataset, options)
  const found = await record.check(progress('files checked'))
  if (found.damaged.length + found.missing.length > 0) process.exitCode = EXIT.episodeErrors
  if (options.json) {
    print(JSON.stringify({ folder, ...record.head, ...found }, null, 2))
    return
  }
  print(`${dataset.name} (${record.head?.from ?? folder}): ${plural(found.intact, 'file')} intact.`)
  for (const path of found.damaged) print(`  damaged: ${printable(path)}`)
  for (const path of found.missing) print(`  missing: ${printable(path)}`)
  if (process.exitCode !== EXIT.episodeErrors) return
  // Nothing can be forgotten in a folder that cannot be written to; there, nothing can be repaired either.
  await record.forget(found.damaged).catch(() => {})
  say(`To fetch them again: sightline data get ${name}`)
}

export async function list(options: DataOptions): Promise<void> {
  const known = await knownDatasets(await finderOf(options))
  const others = await readdir(datasetsFolder()).catch(() => [])
  const listed = [...known.values()].map(({ dataset, readers }) => ({
    name: dataset.name,
    from: addressOf(dataset),
    dataset,
    readers,
  }))
  // Datasets that were fetched by OWNER/NAME.
  const more = others
    .filter((name) => !known.has(name))
    .map((name) => ({ name, from: null, dataset: null, readers: [] }))
  const found = await Promise.all(
    [...listed, ...more].map(async ({ name, from, dataset, readers }) => {
      const folder = datasetFolder(name)
      const { head, files } = await DatasetRecord.read(folder)
      const bytes = [...files.values()].reduce((sum, file) => sum + (file.unpacked ? 0 : file.bytes), 0)
      const known = { name, from: from ?? head?.from ?? '', folder: head && folder, bytes: head && bytes, readers }
      const fetched = head?.from ?? null
      return { ...known, origin: dataset === null ? (fetched ?? '') : originOf(dataset, fetched) }
    }),
  )
  const rows = found.filter(({ name, folder }) => known.has(name) || folder !== null)
  if (options.json) {
    print(
      JSON.stringify(
        rows.map(({ name, from, folder, bytes, readers }) => ({ name, from, folder, bytes, readers })),
        null,
        2,
      ),
    )
    return
  }
  print(`${bold('Datasets')} in ${datasetsFolder()}`)
  print(
    columns(
      rows.map(({ name, origin, folder, bytes }) => [name, folder === null ? '-' : gigabytes(bytes ?? 0), origin]),
    ),
  )
}

export async function remove(name: string, options: DataOptions): Promise<void> {
  const { dataset } = await find(name, options)
  const { record, folder } = await recordOf(dataset, options)
  const files = [...record.files.values()].filter(({ unpacked }) => !unpacked)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  await confirmed(`Remove ${plural(files.length, 'file')} (${gigabytes(bytes)}) from ${folder}?`, options.yes === true)
  await record.remove()
  say(`Removed ${dataset.name} from ${folder}.`)
}

interface MakeFlags extends StoredOptions {
  task?: Record<string, unknown>
  profile?: string
  source?: string
  player?: string
  rejected?: string
  examples: number
  balance: boolean
  reasons: boolean
  images: 'jpeg' | 'png'
  maxSide?: number
  format: DataFormat
  threads?: number
  output?: string
  json?: boolean
}

const JPEG_QUALITY = 90

export async function make(name: string, options: MakeFlags): Promise<void> {
  const { suite, loadFrom } = await (await finderOf(options)).find(name)
  const { task, profile, source, player = 'oracle', rejected, examples, format, images, maxSide, balance } = options
  const folder = options.output ?? `${suite.name.replaceAll('/', '-')}-data`
  const line = stepLine()
  const baseline = (id: string): string => (id.startsWith(BASELINE_PREFIX) ? id : BASELINE_PREFIX + id)
  try {
    const made = await makeData({
      suite,
      loadFrom,
      ...(task && { options: task }),
      profile,
      source,
      player: baseline(player),
      rejected: rejected === undefined ? null : baseline(rejected),
      examples,
      isBalanced: balance,
      reasons: options.reasons,
      images: { type: images, quality: JPEG_QUALITY, maxSide: maxSide ?? null },
      format,
      folder,
      ...(options.threads && { threads: options.threads }),
      version: packageVersion(),
      signal: interrupted(),
      onProgress: (done) => line.show(`${done.examples}/${examples} examples, ${plural(done.pictures, 'picture')}`),
    })
    line.clear()
    if (made.isExhausted && made.examples === 0)
      say(
        rejected === undefined
          ? `${baseline(player)} solved no sample with these options: choose others, or another --player.`
          : `${baseline(player)} was never better than ${baseline(rejected)}: choose another --player or --rejected.`,
      )
    else if (made.isExhausted) say('There are no more different examples.')
    if (options.json) print(JSON.stringify({ folder, ...made }, null, 2))
    else print(`${folder}: ${plural(made.examples, 'example')}, ${plural(made.pictures, 'picture')}`)
  } finally {
    line.clear()
  }
}

async function finderOf(options: StoredOptions) {
  return suiteFinder((await storeOptions(options)).suites)
}

async function find(name: string, options: StoredOptions): Promise<KnownDataset> {
  return findDataset(await finderOf(options), name)
}

/** The dataset with what the command line says about it. */
function narrowed(dataset: Dataset, { revision, files, model }: GetFlags): Dataset {
  if (revision === undefined && files === undefined && model !== true) return dataset
  if (!('hub' in dataset.from)) throw new UserError('--revision, --files and --model are for the Hugging Face Hub.')
  return {
    ...dataset,
    from: { ...dataset.from, ...(revision !== undefined && { revision }), ...(model && { type: 'model' as const }) },
    ...(files !== undefined && { files }),
  }
}

async function recordOf(dataset: Dataset, options: DataOptions): Promise<{ record: DatasetRecord; folder: string }> {
  const folder = datasetFolder(dataset.name, options.folder)
  const record = await DatasetRecord.read(folder)
  if (record.head === null)
    throw new UserError(`${dataset.name} is not in ${folder}.`, {
      hint: `Fetch it with: sightline data get ${dataset.name}. If it is elsewhere: --folder FOLDER`,
    })
  return { record, folder }
}

async function confirmDownload(dataset: Dataset, folder: string, plan: DownloadPlan, yes: boolean): Promise<void> {
  const { from, license, files, bytes, kept, free } = plan
  say(`${dataset.name}: ${from}`)
  say(`License: ${license === null ? `not stated; see ${addressOf(dataset)}` : printable(license)}`)
  const size = bytes === null ? 'one archive' : `${plural(files, 'file')}, ${gigabytes(bytes)}`
  say(`${size}${kept > 0 ? ` (${kept} there already)` : ''}, to ${folder} (${gigabytes(free)} free)`)
  await confirmed('Download?', yes)
}

async function confirmed(question: string, yes: boolean): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UserError(question, { hint: 'There is no terminal to answer: add --yes.' })
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    if (!/^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())) throw new UserError('Nothing done.')
  } finally {
    terminal.close()
  }
}

function sourcesFor({ readers }: KnownDataset, folder: string): string[] {
  return readers.map(({ suite, source }) =>
    shellCommand(['sightline', 'run', suite, '--source', `${source}:${folder}`]),
  )
}

function usage(known: KnownDataset, folder: string): string {
  const lines = sourcesFor(known, folder)
  return lines.length === 0 ? folder : lines.join('\n')
}
