/** `sightline vbench total` */
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { UserError, fileErrorReason } from '../../../base/errors.ts'
import { NONE } from '../../../report/format.ts'
import { listZip, readZip } from '../../../base/foreign/zip.ts'
import {
  type Dimension,
  DIMENSIONS,
  FROM_IMAGE,
  I2V_DIMENSIONS,
  QUALITY,
  SEMANTIC,
  spacedName,
} from '../../../suites/vbench/domain/dimensions.ts'
import { VBENCH2_GROUPS, vbench2Totals } from '../../../suites/vbench/published/vbench2-totals.ts'
import {
  exportResults,
  type Imported,
  importResults,
  isResultName,
  looseName,
  publishedUpload,
  type ResultFile,
  submissionZip,
  SubmissionRefusal,
} from '../../../suites/vbench/published/results.ts'
import { type OwnResults, readOwnResults } from '../../../suites/vbench/published/own-results.ts'
import { i2vTotals, normalised, publishedTotals, strictTotals } from '../../../suites/vbench/domain/totals.ts'
import { listFolder } from '../../../suites/vbench/samples/check.ts'
import { columns, dim, print, say } from '../../terminal/output.ts'
import { printableLines } from '../../../base/printable.ts'
import { writeOutput } from '../../results/output-file.ts'
import { readRegular } from '../../../base/regular-file.ts'

/** Files that `vbench score` writes. */
const OWN_RESULTS = 'results.json'
const OWN_EXPORT = 'sightline_eval_results.json'
const OWN_COPIES: ReadonlySet<string> = new Set(['sightline_full_info.json', 'submission.zip'])

const TITLES = { i2v: 'VBench-I2V', vbench2: 'VBench-2.0' } as const
const VBENCH2_NAMES: readonly string[] = Object.values(VBENCH2_GROUPS).flat()

type Benchmark = 'vbench' | keyof typeof TITLES

interface TotalOptions {
  /** Default: the one whose dimensions the results have. */
  benchmark?: Benchmark
  missing: 'refuse' | 'zero'
  /** Where to write a submission. */
  zip?: string
  json?: boolean
}

export async function total(paths: string[], options: TotalOptions): Promise<void> {
  const read = (await Promise.all(paths.map((path) => resultFiles(path)))).flat()
  const reasons: OwnResults['reasons'] = Object.assign({}, ...read.map((each) => each.reasons))
  const benchmark = options.benchmark ?? benchmarkOf(read, reasons)
  if (benchmark !== 'vbench') {
    if (options.zip !== undefined)
      throw new UserError(`--zip writes submissions of VBench, not of ${TITLES[benchmark]}.`)
    printOtherTotals(benchmark, read, reasons, options)
    return
  }
  const imported = importResults(read)
  const raw = valuesOf(imported, 'VBench')
  if (Object.keys(raw).length === 0 && Object.keys(reasons).length === 0) {
    throw new UserError('No VBench results in these files.', {
      hint: 'For VBench-I2V and VBench-2.0, use --benchmark i2v or --benchmark vbench2.',
    })
  }
  const totals = options.missing === 'zero' ? publishedTotals(submitted(read)) : strictTotals(raw)
  const absent = DIMENSIONS.filter((name) => typeof raw[name] !== 'number')
  const why = (name: Dimension) => reasons[name] ?? (name in raw ? 'not a number (NaN)' : 'not in the files')
  if (options.zip !== undefined) await writeSubmission(options.zip, imported, absent)
  if (options.json) {
    const { quality, semantic, total: overall } = totals
    const dimensions = Object.fromEntries(DIMENSIONS.map((name) => [name, raw[name] ?? null]))
    const missing = Object.fromEntries(absent.map((name) => [name, why(name)]))
    print(JSON.stringify({ quality, semantic, total: overall, dimensions, missing }, null, 1))
    return
  }
  const line = (name: Dimension) => [
    `  ${spacedName(name)}`,
    percent(raw[name]),
    typeof raw[name] === 'number' ? percent(normalised(name, raw[name])) : NONE,
  ]
  const group = (title: string, value: number | null) => [title, percent(value), '']
  print(
    columns(
      [
        ['', 'score', 'normalized'],
        group('Quality', totals.quality),
        ...QUALITY.map(line),
        group('Semantic', totals.semantic),
        ...SEMANTIC.map(line),
        group('Total', totals.total),
      ],
      '',
    ),
  )
  printMissing(absent, why, options.missing)
}

function printMissing<Name extends string>(
  absent: readonly Name[],
  why: (name: Name) => string,
  missing: TotalOptions['missing'],
): void {
  if (absent.length === 0) return
  const how = missing === 'zero' ? 'counted as 0, as in the published script' : 'so there is no total'
  print(`\nMissing, ${how}:`)
  print(columns(absent.map((name) => [spacedName(name), why(name)])))
}

/** By dimensions that no other benchmark has; VBench if there are none. */
function benchmarkOf(read: readonly ReadFile[], reasons: OwnResults['reasons']): Benchmark {
  const has = (names: readonly string[]) =>
    Object.keys(importResults(read, names).values).length > 0 ||
    names.some((name) => Object.hasOwn(reasons, looseName(name)))
  if (has(SEMANTIC)) return 'vbench'
  // Camera motion is a dimension of both.
  if (has(FROM_IMAGE.filter((name) => name !== 'camera_motion'))) return 'i2v'
  if (has(VBENCH2_NAMES.filter((name) => name !== 'Camera Motion'))) return 'vbench2'
  return has(FROM_IMAGE) ? 'i2v' : 'vbench'
}

function percent(value: number | null | undefined): string {
  return typeof value === 'number' && Number.isFinite(value) ? (value * 100).toFixed(2) : NONE
}

/** The values that the published script reads from a submission; a NaN makes the total NaN. */
function submitted(read: readonly ReadFile[]): Partial<Record<Dimension, number>> {
  try {
    const upload = publishedUpload(read)
    const values = DIMENSIONS.map((name) => [name, upload[spacedName(name)]] as const)
    return Object.fromEntries(values.map(([name, value]) => [name, typeof value === 'number' ? value : Number.NaN]))
  } catch (error) {
    if (!(error instanceof SubmissionRefusal)) throw error
    throw new UserError(`The published script would fail with ${error.message}.`, { cause: error })
  }
}

/** The values of result files; prints a note for unknown dimensions. */
function valuesOf({ values, unknown, notes }: Imported, benchmark: string): Record<string, number | null> {
  for (const note of notes) say(dim(printableLines(note)))
  const ignored = [...new Set(unknown)].slice(0, 20)
  if (ignored.length > 0) say(printableLines(`Ignored, not part of ${benchmark}: ${ignored.join(', ')}`))
  return Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value]))
}

function printOtherTotals(
  benchmark: keyof typeof TITLES,
  read: readonly ReadFile[],
  reasons: Readonly<Record<string, string>>,
  { missing, json }: TotalOptions,
): void {
  const names = benchmark === 'i2v' ? I2V_DIMENSIONS : VBENCH2_NAMES
  const raw = valuesOf(importResults(read, names), TITLES[benchmark])
  const known = Object.fromEntries(Object.entries(raw).filter((entry): entry is [string, number] => entry[1] !== null))
  const absent = names.filter((name) => known[name] === undefined)
  const why = (name: string) => reasons[looseName(name)] ?? (name in raw ? 'not a number (NaN)' : 'not in the files')
  if (Object.keys(raw).length === 0 && !names.some((name) => Object.hasOwn(reasons, looseName(name)))) {
    throw new UserError(`No ${TITLES[benchmark]} results in these files.`)
  }
  const { weighted: _, ...totals } = benchmark === 'i2v' ? i2vTotals(known) : vbench2Totals(known)
  const hasTotal = missing === 'zero' || absent.length === 0
  const shown = Object.fromEntries(Object.entries(totals).map(([name, value]) => [name, hasTotal ? value : null]))
  if (json) {
    const dimensions = Object.fromEntries(names.map((name) => [name, known[name] ?? null]))
    const absences = Object.fromEntries(absent.map((name) => [name, why(name)]))
    print(JSON.stringify({ ...shown, dimensions, missing: absences }, null, 1))
    return
  }
  const rows = names.map((name) => [`  ${spacedName(name)}`, percent(known[name])])
  const sums = Object.entries(shown).map(([name, value]) => [spacedName(name), percent(value)])
  print(columns([[TITLES[benchmark], 'score'], ...rows, ...sums], '', Infinity))
  printMissing(absent, why, missing)
}

/** Refuses an incomplete submission: the leaderboard would silently count missing dimensions as 0. */
async function writeSubmission(zip: string, imported: Imported, absent: readonly Dimension[]): Promise<void> {
  if (absent.length > 0) {
    throw new UserError(`Incomplete submission: ${absent.map(spacedName).join(', ')} would count as 0.`, {
      hint: 'Add more result files; files of the published tool work too.',
    })
  }
  await writeOutput(zip, submissionZip(exportResults(imported.values), null))
}

interface ReadFile extends ResultFile {
  reasons?: OwnResults['reasons']
}

/** Reads a file of the published tool, a zip or folder of them, or our own results.json. */
async function resultFiles(path: string, name = basename(path)): Promise<ReadFile[]> {
  const found = await stat(path).catch((error: unknown) => {
    throw new UserError(`Cannot read ${path}: ${fileErrorReason(error)}.`, { cause: error })
  })
  if (found.isDirectory()) return folderFiles(path)
  const bytes = await readRegular(path)
  if ((bytes[0] === 0x50 && bytes[1] === 0x4b) || /\.zip$/i.test(path)) {
    const entries = listZip(bytes, path).filter((entry) => isResultName(entry.name))
    return [...readZip(bytes, entries, path)].map(([inside, text]) => ({ path: inside, text }))
  }
  const text = bytes.toString('utf8')
  const own = readOwnResults(text)
  return [own === null ? { path: name, text } : { path: name, text: own.exact, reasons: own.reasons }]
}

/** Of our own files, one has the reasons and another the records of every video. */
async function folderFiles(folder: string): Promise<ReadFile[]> {
  const listed = (await listFolder(folder)).filter(
    ({ kind, path, name }) => kind === 'file' && (isResultName(path) || /\.zip$/i.test(name)),
  )
  const has = (wanted: string) => listed.some(({ name }) => name === wanted)
  const isOurs = has(OWN_RESULTS)
  const names = isOurs ? listed.filter(({ name }) => !OWN_COPIES.has(name)) : listed
  const results = names.filter(({ name }) => name === OWN_RESULTS || name.endsWith('_eval_results.json'))
  const read = await Promise.all(
    (results.length > 0 ? results : names).map(async ({ path, name }) => {
      const files = await resultFiles(join(folder, path), path)
      // results.json repeats the values of the export without the videos.
      const isDuplicate = name === OWN_RESULTS && has(OWN_EXPORT)
      return isDuplicate ? files.map((file) => ({ ...file, text: '{}' })) : files
    }),
  )
  return read.flat()
}
