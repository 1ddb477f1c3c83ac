/** `sightline vbench total` */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError, whyUnreadable } from '../../../base/errors.ts'
import { NONE } from '../../../report/format.ts'
import { listZip, readZip } from '../../../report/import/zip.ts'
import { type Dimension, DIMENSIONS, QUALITY, SEMANTIC, spacedName } from '../../../suites/vbench/dimensions.ts'
import {
  importResults,
  mergedResults,
  type ResultFile,
  submissionZip,
} from '../../../suites/vbench/totals/published-results.ts'
import { type OwnResults, readOwnResults } from '../../../suites/vbench/totals/own-results.ts'
import { normalised, publishedTotals, strictTotals } from '../../../suites/vbench/totals/totals.ts'
import { listFolder } from '../../../suites/vbench/videos/check.ts'
import { columns, dim, plain, print, say } from '../../terminal/output.ts'
import { writeAsked } from '../../results/written-file.ts'

/** What `vbench score` writes. */
const OWN_RESULTS = 'results.json'
const OWN_EXPORT = 'sightline_eval_results.json'
const OWN_COPIES: ReadonlySet<string> = new Set(['sightline_full_info.json', 'submission.zip'])

interface TotalOptions {
  missing: 'refuse' | 'zero'
  /** Writes all results as one submission. */
  zip?: string
  json?: boolean
}

export async function total(paths: string[], options: TotalOptions): Promise<void> {
  const read = (await Promise.all(paths.map((path) => resultFiles(path)))).flat()
  const reasons: OwnResults['reasons'] = Object.assign({}, ...read.map((each) => each.reasons))
  const { values, unknown, notes } = importResults(read.map(({ file }) => file))
  for (const note of notes) say(dim(plain(note)))
  if (unknown.length > 0) say(plain(`not of VBench, left out: ${unknown.slice(0, 20).join(', ')}`))
  const raw = Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value])) as Partial<
    Record<Dimension, number | null>
  >
  if (Object.keys(raw).length === 0 && Object.keys(reasons).length === 0) {
    throw new UserError('There is no result of VBench in these files.')
  }
  const totals = options.missing === 'zero' ? publishedTotals(raw) : strictTotals(raw)
  const absent = DIMENSIONS.filter((name) => typeof raw[name] !== 'number')
  const why = (name: Dimension) => reasons[name] ?? (name in raw ? 'no number (NaN)' : 'in none of the files')
  if (options.zip !== undefined) await writeSubmission(options.zip, read, absent)
  if (options.json) {
    const { quality, semantic, total: overall } = totals
    const dimensions = Object.fromEntries(DIMENSIONS.map((name) => [name, raw[name] ?? null]))
    const missing = Object.fromEntries(absent.map((name) => [name, why(name)]))
    print(JSON.stringify({ quality, semantic, total: overall, dimensions, missing }, null, 1))
    return
  }
  const percent = (value: number | null | undefined) =>
    typeof value === 'number' && Number.isFinite(value) ? (value * 100).toFixed(2) : NONE
  const line = (name: Dimension) => [
    `  ${spacedName(name)}`,
    percent(raw[name]),
    typeof raw[name] === 'number' ? percent(normalised(name, raw[name])) : NONE,
  ]
  const group = (title: string, value: number | null) => [title, percent(value), '']
  print(
    columns(
      [
        ['', 'score', 'normalised'],
        group('Quality', totals.quality),
        ...QUALITY.map(line),
        group('Semantic', totals.semantic),
        ...SEMANTIC.map(line),
        group('Total', totals.total),
      ],
      '',
    ),
  )
  if (absent.length > 0) {
    const how =
      options.missing === 'zero' ? 'counted as 0, as the published script does' : 'so there is no total of them'
    print(`\nMissing, ${how}:`)
    print(columns(absent.map((name) => [spacedName(name), why(name)])))
  }
}

/** The leaderboard counts what a submission lacks as 0, without a word: an incomplete one is not written. */
async function writeSubmission(zip: string, read: readonly ReadFile[], absent: readonly Dimension[]): Promise<void> {
  if (absent.length > 0) {
    throw new UserError(`No submission is written: ${absent.map(spacedName).join(', ')} would count as 0.`, {
      hint: 'Give further result files, of the published tool too: all of them go into one submission.',
    })
  }
  const merged = mergedResults(read.map(({ file }) => file))
  await writeAsked(zip, submissionZip(`${JSON.stringify(merged, null, 4)}\n`, null))
}

interface ReadFile {
  file: ResultFile
  reasons: OwnResults['reasons']
}

/** Files of the published tool, a zip of them, a folder of them, or our own results.json. */
async function resultFiles(path: string): Promise<ReadFile[]> {
  const found = await stat(path).catch((error: unknown) => {
    throw new UserError(`${path} cannot be read: ${whyUnreadable(error)}.`, { cause: error })
  })
  if (found.isDirectory()) return folderFiles(path)
  const bytes = await readFile(path)
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    const entries = listZip(bytes, path).filter(({ name }) => name.endsWith('.json'))
    return [...readZip(bytes, entries, path)].map(([name, text]) => ({ file: { path: name, text }, reasons: {} }))
  }
  const text = bytes.toString('utf8')
  const own = readOwnResults(text)
  return [{ file: { path, text: own?.exact ?? text }, reasons: own?.reasons ?? {} }]
}

/** Of our own files one has the reasons, and one the records of every video. */
async function folderFiles(folder: string): Promise<ReadFile[]> {
  const listed = (await listFolder(folder)).filter(({ kind, name }) => kind === 'file' && /\.(json|zip)$/i.test(name))
  const has = (wanted: string) => listed.some(({ name }) => name === wanted)
  const isOurs = has(OWN_RESULTS)
  const names = isOurs ? listed.filter(({ name }) => !OWN_COPIES.has(name)) : listed
  const results = names.filter(({ name }) => name === OWN_RESULTS || name.endsWith('_eval_results.json'))
  const read = await Promise.all(
    (results.length > 0 ? results : names).map(async ({ path, name }) => {
      const files = await resultFiles(join(folder, path))
      // The same values, but without the videos.
      const isRepeated = name === OWN_RESULTS && has(OWN_EXPORT)
      return isRepeated ? files.map(({ file, reasons }) => ({ file: { ...file, text: '{}' }, reasons })) : files
    }),
  )
  return read.flat()
}
