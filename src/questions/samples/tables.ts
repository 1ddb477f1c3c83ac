/** The tables of a suite's file, as one list of rows. */
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import {
  containedFile,
  didYouMean,
  fileErrorReason,
  hashOf,
  LruCache,
  MissingAssetError,
  openTable,
  Pattern,
  type Row,
  type Table,
  UserError,
} from '../../suite.ts'
import type { QuestionsFile } from '../domain/format.ts'
import { columnsIn, textsOf, valueOf } from './columns.ts'
import { splitFiles } from './dataset.ts'
import { folderTable } from './folder-table.ts'
import { baseColumns, readRows } from './nested.ts'

/** Rows that are read at once. */
export const CHUNK_ROWS = 256
const MAX_FILES = 10_000
/** Tables whose rows were looked up last, by path. */
const opened = new LruCache<Promise<Table>>(16)

export interface DataRow {
  /** The file, relative to the data folder, and the position in it. */
  table: string
  row: number
  cells: Row
}

/** All rows of the tables, one after the other. */
export class DataRows {
  readonly #tables: readonly { name: string; table: Table }[]
  readonly #derived: ReadonlyMap<string, { from: string; pattern: Pattern }>
  readonly count: number

  constructor(tables: readonly { name: string; table: Table }[], derive: QuestionsFile['data']['derive'] = {}) {
    this.#tables = tables
    this.#derived = new Map(
      Object.entries(derive).map(([name, { from, pattern }]) => [name, { from, pattern: new Pattern(pattern) }]),
    )
    this.count = tables.reduce((sum, { table }) => sum + table.count, 0)
  }

  /** Throws if a table lacks one of these columns. Rows of JSON may differ, so only their first one is looked at. */
  checkColumns(needed: ReadonlyMap<string, string>): void {
    for (const { name, table } of this.#tables) {
      for (const [wanted, use] of needed) {
        const column = baseColumns(table, this.#read([wanted])).find((each) => !table.columns.includes(each))
        if (column === undefined) continue
        throw new UserError(`${name} has no column "${column}" (${use}).`, {
          hint: didYouMean(column, table.columns, 'Columns'),
        })
      }
    }
  }

  /** The columns of the tables that these are made of. */
  #read(columns: readonly string[]): string[] {
    return [...new Set(columns.flatMap((column) => columnsIn(this.#derived.get(column)?.from ?? column)))]
  }

  #withDerived(cells: Row, columns: readonly string[]): Row {
    const derived = columns.flatMap((column) => {
      const rule = this.#derived.get(column)
      if (rule === undefined) return []
      const text = valueOf(rule.from, textsOf(cells, columnsIn(rule.from)))
      return [[column, rule.pattern.first(text)?.text ?? '']]
    })
    return derived.length === 0 ? cells : { ...cells, ...Object.fromEntries(derived) }
  }

  async hash(columns: readonly string[]): Promise<string> {
    const hashes = await Promise.all(
      this.#tables.map(
        async ({ name, table }) => [name, await table.hash(baseColumns(table, this.#read(columns)))] as const,
      ),
    )
    return hashOf(hashes)
  }

  async read(from: number, to: number, columns: readonly string[]): Promise<DataRow[]> {
    const rows: DataRow[] = []
    let first = 0
    for (const { name, table } of this.#tables) {
      const [start, end] = [Math.max(0, from - first), Math.min(table.count, to - first)]
      if (start < end) {
        const found = await readRows(table, start, end, this.#read(columns))
        for (const [i, cells] of found.entries())
          rows.push({ table: name, row: start + i, cells: this.#withDerived(cells, columns) })
      }
      first += table.count
    }
    return rows
  }
}

export async function openRows(
  { files, hub, format, derive }: QuestionsFile['data'],
  folder: string,
): Promise<DataRows> {
  const names: string[] = []
  if (files === undefined) names.push(...(await filesOfSplit(folder, hub)))
  for (const wanted of [files ?? []].flat())
    names.push(...(wanted.includes('*') ? await matching(folder, wanted) : [wanted]))
  const tables = []
  for (const name of names) tables.push({ name, table: await tableAt(folder, name, format) })
  return new DataRows(tables, derive)
}

/** The tables of a split of a dataset. */
async function filesOfSplit(folder: string, hub: QuestionsFile['data']['hub']): Promise<string[]> {
  const wanted = hub === undefined ? [] : splitFiles(hub)
  for (const each of wanted) {
    const found = await matching(folder, each).catch((error: unknown) => {
      if (error instanceof UserError) return []
      throw error
    })
    if (found.length > 0) return found
  }
  throw new UserError(`${folder} has no tables of the split "${hub?.split}".`, {
    hint: `Name them with data.files. Looked for: ${wanted.join(', ')}.`,
  })
}

/** Opens a table of the data folder, or returns the one that is open. */
export async function tableAt(folder: string, name: string, format?: QuestionsFile['data']['format']): Promise<Table> {
  if (format === 'folder' && name === '.') return folderTable(folder, name)
  const path = await containedFile(folder, name).catch((error: unknown) => {
    if (!(error instanceof MissingAssetError)) throw error
    throw new UserError(`${folder}: ${error.message}.`, { hint: 'Give the data folder with --source data:/path.' })
  })
  if (format === 'folder') return folderTable(path, name)
  // A file that has changed is another one.
  const { size, mtimeMs } = await stat(path)
  const key = [format ?? '', size, mtimeMs, path].join(':')
  return opened.getOrCreate(key, () => openTable(path, name, format))
}

async function matching(folder: string, wanted: string): Promise<string[]> {
  const inside = dirname(wanted)
  if (inside.includes('*')) throw new UserError(`${wanted}: * may stand only in the last part of a path.`)
  // Checks that it is inside.
  const path = inside === '.' ? folder : await containedFile(folder, inside).catch(noSuchFolder)
  const entries = await readdir(path, { withFileTypes: true }).catch(noSuchFolder)
  const pieces = basename(wanted).split('*')
  const found = entries
    .map(({ name }) => name)
    .filter((name) => fits(name, pieces))
    .sort()
  if (found.length === 0)
    throw new UserError(`No file matches ${wanted} in ${folder}.`, {
      hint: 'Give the data folder with --source data:/path.',
    })
  if (found.length > MAX_FILES) throw new UserError(`${wanted} matches ${found.length} files, more than ${MAX_FILES}.`)
  return found.map((name) => (inside === '.' ? name : `${inside}/${name}`))

  function noSuchFolder(error: unknown): never {
    throw new UserError(`Cannot read folder ${folder}: ${fileErrorReason(error)}.`)
  }
}

/** Whether a name consists of these pieces, in order, with anything between them. */
function fits(name: string, pieces: readonly string[]): boolean {
  const first = pieces[0]!
  if (pieces.length === 1) return name === first
  const last = pieces.at(-1)!
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return at <= name.length - last.length
}
