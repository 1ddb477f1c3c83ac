/** Turns rows into questions. Opening reads only the columns that say which rows are asked; images stay where they are. */
import { z } from 'zod'
import {
  type Dataset,
  defineSource,
  fetchedFolder,
  hashOf,
  messageOf,
  type OpenedSource,
  plural,
  UserError,
} from '../../suite.ts'
import { allConditions, matches, profileNames, type QuestionsFile, type Rules, rulesFor } from '../domain/format.ts'
import type { Answer, MediaItem, QuestionSample } from '../domain/sample.ts'
import { placeholders } from '../domain/template.ts'
import { readOptions, readTruth } from '../domain/truth.ts'
import { columnsIn, imageColumns, imageSources, outlineColumns, textColumns, textsOf, valueOf } from './columns.ts'
import { looksLikePath, pathsIn } from './images.ts'
import { CHUNK_ROWS, type DataRow, type DataRows, openRows } from './tables.ts'

export const ROOT = 'data'
const MAX_PROBLEMS_SHOWN = 3
const MAX_ID = 120

/** @param folder of the suite's file; null for suites that come without data */
export function dataSource(file: QuestionsFile, folder: string | null) {
  return defineSource({
    title: [file.data.hub?.dataset ?? 'the tables that the file names', file.license].filter(Boolean).join(', '),
    usage: folder === null ? 'data:/path/to/data' : 'data or data:/path/to/data',
    ...datasetOf(file),
    args: z.object({ path: z.string().min(1).optional().describe('folder with the data') }),
    open({ args }): Promise<OpenedSource<QuestionSample>> {
      const path = args.path ?? folder ?? fetchedFolder(file.name)
      if (path !== null) return openData(file, path)
      throw new UserError(`${file.name} needs ${file.data.hub?.dataset ?? 'its data'}.`, {
        hint: file.data.hub
          ? `Download it with "sightline data get ${file.name}". If it is here already: --source data:/path/to/data`
          : 'Use --source data:/path/to/data.',
      })
    },
  })
}

/**
 * The dataset on the Hub that the tables are from. Parquet tables contain their images; rows of others, and videos, are
 * named by path and come with everything else.
 */
function datasetOf({ name, license, data, columns }: QuestionsFile): { dataset?: Dataset } {
  if (data.hub === undefined) return {}
  const { dataset: hub, revision } = data.hub
  const isWhole = columns.video === undefined && [data.files].flat().every((file) => file.endsWith('.parquet'))
  const byPath =
    !isWhole || data.paths !== undefined || [columns.images ?? []].flat().some((image) => image.includes('{'))
  return {
    dataset: {
      name,
      ...(license !== undefined && { license }),
      from: { hub, ...(revision !== undefined && { revision }) },
      ...(byPath ? { unpack: ['**/*.zip'] } : { files: [data.files].flat() }),
    },
  }
}

/** What is known of a row when the data are open. */
interface Outline {
  /** Position among all rows. */
  at: number
  id: string
  cluster: string
  labels: Readonly<Record<string, string>>
  options: readonly string[] | null
  /** Questions of one kind have the same labels and the same rules. */
  kind: string
  /** Null if the row has no usable ground truth. */
  truth: Answer | null
  problem?: string
}

async function openData(file: QuestionsFile, folder: string): Promise<OpenedSource<QuestionSample>> {
  const rows = await openRows(file.data, folder)
  const outlined = outlineColumns(file)
  const texts = textColumns(file)
  const images = imageColumns(file)
  rows.checkColumns(new Map([...outlined, ...texts, ...images.map((column) => [column, 'columns.images'] as const)]))
  const paths = new Set(await pathColumns(rows, images))
  const small = [...new Set([...outlined.keys(), ...texts.keys(), ...paths])]
  const scene = sceneOf(file, paths)
  const outlines = await outlinesOf(file, rows, [...new Set([...outlined.keys(), ...columnsIn(scene)])], scene)
  const frequent = mostFrequent(outlines)
  const toSample = (outline: Outline, row: DataRow): QuestionSample =>
    sampleOf(file, outline, row, { small, paths, frequent: frequent.get(outline.kind) ?? '' })
  const about = hashOf([file.columns, file.data.where ?? {}, file.answer ?? {}, file.cases ?? []])
  return {
    fingerprint: `${file.name}/${(await rows.hash(small)).slice(0, 16)}/${about.slice(0, 8)}`,
    count: outlines.length,
    isScattered: true,
    roots: { [ROOT]: folder },
    notes: problemNotes(outlines),
    async *samples() {
      for (let from = 0; from < outlines.length; from += CHUNK_ROWS) {
        const part = outlines.slice(from, from + CHUNK_ROWS)
        for (const [first, run] of runsOf(part)) {
          const found = await rows.read(first, first + run.length, small)
          for (const [i, outline] of run.entries()) yield toSample(outline, found[i]!)
        }
      }
    },
    *outline() {
      for (const { cluster, labels } of outlines) yield { cluster, labels }
    },
    async at(index) {
      const outline = outlines[index]
      if (outline === undefined) throw new RangeError(`There is no sample ${index}.`)
      const [row] = await rows.read(outline.at, outline.at + 1, small)
      return toSample(outline, row!)
    },
  }
}

/** Rows that follow each other directly, so that they are read at once. */
function runsOf(outlines: readonly Outline[]): [number, Outline[]][] {
  const runs: [number, Outline[]][] = []
  for (const outline of outlines) {
    const last = runs.at(-1)
    if (last && last[0] + last[1].length === outline.at) last[1].push(outline)
    else runs.push([outline.at, [outline]])
  }
  return runs
}

/** What says which rows share a scene: the file, or else the first image or video, where it is a file of its own. */
function sceneOf(file: QuestionsFile, paths: ReadonlySet<string>): string | undefined {
  const { cluster, video } = file.columns
  const named = imageSources(file).find((source) => placeholders(source).length > 0 || paths.has(source))
  return cluster ?? named ?? video
}

async function outlinesOf(
  file: QuestionsFile,
  rows: DataRows,
  columns: readonly string[],
  scene: string | undefined,
): Promise<Outline[]> {
  const { where } = file.data
  const [profile] = profileNames(file)
  const rulesOf = sharedRules(file, profile)
  const groupOf = sharedGroups()
  const outlines: Outline[] = []
  const seen = new Map<string, number>()
  for (let from = 0; from < rows.count; from += 16 * CHUNK_ROWS) {
    const part = await rows.read(from, from + 16 * CHUNK_ROWS, columns)
    for (const [i, { cells }] of part.entries()) {
      const texts = textsOf(cells, columns)
      if (where !== undefined && !matches(where, texts)) continue
      const outline = outlineOf(file, scene, {
        at: from + i,
        cells,
        texts,
        rules: rulesOf(texts),
        groupOf,
      })
      const twin = seen.get(outline.id)
      if (twin !== undefined) {
        throw new UserError(`Rows ${twin + 1} and ${outline.at + 1} have the same id "${outline.id}".`, {
          hint: 'Choose other columns for columns.id, such as "{task}-{id}", or leave it out to use row numbers.',
        })
      }
      seen.set(outline.id, outline.at)
      outlines.push(outline)
    }
  }
  return outlines
}

function outlineOf(
  file: QuestionsFile,
  scene: string | undefined,
  {
    at,
    cells,
    texts,
    rules,
    groupOf,
  }: {
    groupOf: ReturnType<typeof sharedGroups>
    at: number
    cells: DataRow['cells']
    texts: Readonly<Record<string, string>>
    rules: Rules
  },
): Outline {
  const { columns } = file
  const named = columns.id === undefined ? '' : valueOf(columns.id, texts)
  const id = (/\s/.test(named) ? named.replaceAll(/\s+/g, '_') : named).slice(0, MAX_ID) || String(at + 1)
  const { labels, kind } = groupOf(columns.labels, texts, rules)
  const cluster = (scene === undefined ? '' : valueOf(scene, texts)) || id
  const known = { at, id, cluster, labels, kind }
  try {
    const options = optionsOf(columns.options, cells, rules.answer)
    return { ...known, options, truth: readTruth(cells[columns.answer], options, rules.answer) }
  } catch (error) {
    return { ...known, options: null, truth: null, problem: messageOf(error) }
  }
}

/** The same rules apply to all rows whose columns have the same values in conditions. */
function sharedRules(file: QuestionsFile, profile: string): (texts: Readonly<Record<string, string>>) => Rules {
  const columns = [...new Set(allConditions(file).flatMap((when) => Object.keys(when)))]
  const known = new Map<string, Rules>()
  return (texts) => {
    const key = columns.map((column) => texts[column]).join('\0')
    let rules = known.get(key)
    if (rules === undefined) known.set(key, (rules = rulesFor(file, profile, texts)))
    return rules
  }
}

interface Group {
  labels: Readonly<Record<string, string>>
  /** Questions of one kind have a most frequent answer. */
  kind: string
}

/** Many rows have the same labels: they share them. */
function sharedGroups(): (
  columns: Readonly<Record<string, string>>,
  texts: Readonly<Record<string, string>>,
  rules: Rules,
) => Group {
  const byAnswer = new Map<Rules['answer'], Map<string, Group>>()
  return (columns, texts, { answer }) => {
    const values = Object.values(columns).map((from) => valueOf(from, texts))
    let groups = byAnswer.get(answer)
    if (groups === undefined) byAnswer.set(answer, (groups = new Map()))
    const key = values.join('\0')
    let group = groups.get(key)
    if (group === undefined) {
      const labels = Object.fromEntries(Object.keys(columns).map((label, i) => [label, values[i]!]))
      groups.set(key, (group = { labels, kind: JSON.stringify([labels, answer]) }))
    }
    return group
  }
}

function optionsOf(
  columns: QuestionsFile['columns']['options'],
  cells: DataRow['cells'],
  answer: Rules['answer'],
): string[] | null {
  if ((answer?.kind ?? 'choice') !== 'choice') return null
  if (columns !== undefined) return readOptions([columns].flat().map((column) => cells[column]))
  if (answer?.letters !== undefined) return Array.from({ length: answer.letters }, () => '')
  throw new Error('a choice needs columns.options, or answer.letters')
}

/** Questions of one kind have a most frequent answer; the first one in the data on a tie. */
function mostFrequent(outlines: readonly Outline[]): ReadonlyMap<string, Answer> {
  const counts = new Map<string, Map<string, { truth: Answer; count: number }>>()
  for (const { kind, truth } of outlines) {
    if (truth === null) continue
    const ofKind = counts.get(kind) ?? new Map<string, { truth: Answer; count: number }>()
    counts.set(kind, ofKind)
    const key = typeof truth === 'string' ? truth : JSON.stringify(truth)
    const entry = ofKind.get(key) ?? { truth, count: 0 }
    entry.count++
    ofKind.set(key, entry)
  }
  return new Map(
    [...counts].map(([kind, answers]) => [
      kind,
      [...answers.values()].reduce((best, each) => (each.count > best.count ? each : best)).truth,
    ]),
  )
}

function sampleOf(
  file: QuestionsFile,
  outline: Outline,
  row: DataRow,
  { small, paths, frequent }: { small: readonly string[]; paths: ReadonlySet<string>; frequent: Answer },
): QuestionSample {
  const { id, cluster, labels, options, truth, problem } = outline
  const cells = textsOf(row.cells, small)
  return {
    id,
    cluster,
    labels,
    question: file.columns.question === undefined ? '' : (cells[file.columns.question] ?? ''),
    options: options && [...options],
    truth: truth ?? '',
    cells,
    media: mediaOf(file, row, cells, paths),
    frequent,
    ...(problem !== undefined && { problem: `row ${row.row + 1} of ${row.table}: ${problem}` }),
  }
}

function mediaOf(
  file: QuestionsFile,
  { table, row, cells: raw }: DataRow,
  texts: Readonly<Record<string, string>>,
  paths: ReadonlySet<string>,
): MediaItem[] {
  const { video } = file.columns
  const placed = (path: string): string => placedPath(path, file.data.paths ?? {})
  const images = imageSources(file).flatMap((source): MediaItem[] => {
    if (placeholders(source).length > 0) return [fileAt(placed(valueOf(source, texts)))]
    if (!paths.has(source)) return [{ kind: 'image', table, row, column: source }]
    return pathsIn(raw[source]).map((path) => fileAt(placed(path)))
  })
  return video === undefined ? images : [...images, { kind: 'video', path: placed(valueOf(video, texts)) }]
}

const VIDEO = /\.(?:mp4|m4v|webm|mov|mkv|avi)$/i

function fileAt(path: string): MediaItem {
  return { kind: VIDEO.test(path) ? 'video' : 'image', path }
}

/** Where a path of the data leads in the data folder. */
function placedPath(path: string, paths: Readonly<Record<string, string>>): string {
  const found = Object.entries(paths).find(([beginning]) => path.startsWith(beginning))
  return found === undefined ? path : found[1] + path.slice(found[0].length)
}

/** Columns that name files, judged by their first row; the others hold the images themselves. */
async function pathColumns(rows: DataRows, columns: readonly string[]): Promise<string[]> {
  if (columns.length === 0) return []
  const [first] = await rows.read(0, 1, columns)
  return columns.filter((column) => looksLikePath(first?.cells[column]))
}

function problemNotes(outlines: readonly Outline[]): string[] {
  const problems = outlines.filter(({ problem }) => problem !== undefined)
  if (problems.length === 0) return []
  const shown = problems.slice(0, MAX_PROBLEMS_SHOWN).map(({ id, problem }) => `${id}: ${problem}`)
  const more = problems.length > shown.length ? ' …' : ''
  return [`${problems.length} of ${plural(outlines.length, 'row')} cannot be asked: ${shown.join('; ')}${more}`]
}
