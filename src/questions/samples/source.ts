/** Turns rows into questions. Opening reads only the columns that say which rows are asked; images stay where they are. */
import { z } from 'zod'
import {
  containedFile,
  defineSource,
  fetchedFolder,
  hashOf,
  messageOf,
  maskFromImage,
  type OpenedSource,
  plural,
  readRegular,
  UserError,
} from '../../suite.ts'
import type { QuestionsFile } from '../domain/format.ts'
import { runsOf } from '../domain/masks.ts'
import type { Answer, QuestionSample } from '../domain/sample.ts'
import { placeholders } from '../domain/template.ts'
import { blindAnswers } from './blind.ts'
import { columnsIn, mediaColumns, mediaSources, outlineColumns, textColumns, textsOf } from './columns.ts'
import { datasetOf } from './dataset.ts'
import { imagesIn, looksLikePath } from './images.ts'
import { mediaOf, placedPath } from './media.ts'
import { mostFrequent, type Outline, outlinesOf, sizeOf } from './outline.ts'
import { CHUNK_ROWS, type DataRow, type DataRows, openRows } from './tables.ts'

export const ROOT = 'data'
const MAX_PROBLEMS_SHOWN = 3

/**
 * @param folder of the suite's file; null for suites that come without data
 * @param dataset what `data get` finds the data by: the name of the dataset, or the suite's file
 */
export function dataSource(file: QuestionsFile, folder: string | null, dataset = file.data.name ?? file.name) {
  return defineSource({
    title: [file.data.hub?.dataset ?? 'the tables that the file names', file.license].filter(Boolean).join(', '),
    usage: folder === null ? 'data:/path/to/data' : 'data or data:/path/to/data',
    ...datasetOf(file),
    args: z.object({ path: z.string().min(1).optional().describe('folder with the data') }),
    async open({ args }): Promise<OpenedSource<QuestionSample>> {
      if (args.path !== undefined) return openData(file, args.path)
      const isKnown = file.data.hub !== undefined || file.data.get !== undefined
      const fetched = isKnown || folder === null ? fetchedFolder(file.data.name ?? file.name) : null
      if (folder === null && fetched !== null) return openData(file, fetched)
      if (folder === null) throw noData(file, dataset)
      try {
        return await openData(file, folder)
      } catch (error) {
        if (!(error instanceof UserError) || !isKnown) throw error
        if (fetched !== null) return openData(file, fetched)
        const { hint } = noData(file, dataset)
        throw new UserError(error.message, { ...(hint !== undefined && { hint }), cause: error })
      }
    },
  })
}

function noData({ name, data }: QuestionsFile, dataset: string): UserError {
  return new UserError(`${name} needs ${data.hub?.dataset ?? 'its data'}.`, {
    hint:
      data.hub || data.get
        ? `Get it with "sightline data get ${dataset}". If it is here already: --source data:/path/to/data`
        : 'Use --source data:/path/to/data.',
  })
}

async function openData(file: QuestionsFile, folder: string): Promise<OpenedSource<QuestionSample>> {
  const rows = await openRows(file.data, folder)
  const outlined = outlineColumns(file)
  const texts = textColumns(file)
  const cells = mediaColumns(file)
  const { mask } = file.columns
  const masks = mask === undefined ? [] : [[mask, 'columns.mask'] as const]
  rows.checkColumns(new Map([...outlined, ...texts, ...cells, ...masks]))
  const paths = new Set(await pathColumns(rows, [...cells.keys()]))
  const small = [...new Set([...outlined.keys(), ...texts.keys(), ...paths])]
  const scene = sceneOf(file, paths)
  const outlines = await outlinesOf(file, rows, [...new Set([...outlined.keys(), ...columnsIn(scene)])], scene)
  const frequent = mostFrequent(outlines)
  let blind: ReturnType<typeof blindAnswers> | undefined
  const toSample = async (outline: Outline, row: DataRow): Promise<QuestionSample> => {
    const known = sampleOf(file, outline, row, { small, paths, frequent: frequent.get(outline.kind) ?? [] })
    const guess = (blind ??= blindAnswers(outlines)).get(outline)
    const sample = guess === undefined ? known : { ...known, blind: guess }
    const isMask = outline.truth === null && outline.problem === undefined
    return isMask ? withMask(sample, rows, outline.at, folder, file) : sample
  }
  const { where = {}, derive = {}, paths: placed = {} } = file.data
  const about = hashOf([file.columns, where, derive, placed, file.answer ?? {}, file.cases ?? []])
  const hash = await rows.hash([...small, ...masks.map(([column]) => column)])
  return {
    fingerprint: `${file.name}/${hash.slice(0, 16)}/${about.slice(0, 8)}`,
    count: outlines.length,
    isScattered: true,
    roots: { [ROOT]: folder },
    notes: problemNotes(outlines),
    async *samples() {
      for (let from = 0; from < outlines.length; from += CHUNK_ROWS) {
        const part = outlines.slice(from, from + CHUNK_ROWS)
        for (const [first, run] of rowRuns(part)) {
          const found = await rows.read(first, first + run.length, small)
          for (const [i, outline] of run.entries()) yield await toSample(outline, found[i]!)
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
function rowRuns(outlines: readonly Outline[]): [number, Outline[]][] {
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
  const named = mediaSources(file, 'images').find((source) => placeholders(source).length > 0 || paths.has(source))
  return file.columns.cluster ?? named ?? mediaSources(file, 'video')[0]
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
    ...sizeOf(file, cells),
    frequent,
    ...(problem !== undefined && { problem: `row ${row.row + 1} of ${row.table}: ${problem}` }),
  }
}

async function withMask(
  sample: QuestionSample,
  rows: DataRows,
  at: number,
  folder: string,
  { columns: { mask: column = '' }, data }: QuestionsFile,
): Promise<QuestionSample> {
  try {
    const [row] = await rows.read(at, at + 1, [column])
    const [image] = imagesIn(row?.cells[column])
    if (image === undefined) throw new Error('no mask')
    const bytes =
      typeof image === 'string' ? await readRegular(await containedFile(folder, placedPath(image, data.paths))) : image
    const { width, height, inside } = await maskFromImage(bytes)
    return { ...sample, truth: runsOf(width, height, inside) }
  } catch (error) {
    return { ...sample, problem: `row ${at + 1}: ${messageOf(error)}` }
  }
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
