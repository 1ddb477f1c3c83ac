/** Tables of others, opened without reading all of them: rows and columns are read when they are asked for. */
import { extname } from 'node:path'
import { UserError } from '../errors.ts'
import { ParquetTable } from './parquet-table.ts'
import { TextTable } from './text-table.ts'

/** A row by column name. Bytes are `Uint8Array`; empty cells of CSV and TSV are null. */
export type Row = Readonly<Record<string, unknown>>

export interface Table {
  /** Names of the columns. In JSON files, those of the first row. */
  readonly columns: readonly string[]
  readonly count: number
  /** The rows from one position up to another, with only these columns. */
  rows(from: number, to: number, columns: readonly string[]): Promise<Row[]>
  /** SHA-256 of the content. Of Parquet: of its structure, and of the content of these columns. */
  hash(columns: readonly string[]): Promise<string>
}

export const TABLE_FORMATS = ['parquet', 'jsonl', 'json', 'csv', 'tsv'] as const
export type TableFormat = (typeof TABLE_FORMATS)[number]

/** The format that a file name ends with; null if it is none of ours. */
export function tableFormat(path: string): TableFormat | null {
  const ending = extname(path).slice(1).toLowerCase()
  if (ending === 'ndjson') return 'jsonl'
  return TABLE_FORMATS.find((format) => format === ending) ?? null
}

/**
 * Opens a table. Parquet costs a look at its end; other formats are read through once to find where their rows begin.
 *
 * @param name for messages
 */
export function openTable(path: string, name: string, format = tableFormat(path)): Promise<Table> {
  if (format === null) {
    throw new UserError(`${name}: unknown format.`, {
      hint: `Use a file that ends with .${TABLE_FORMATS.join(', .')}.`,
    })
  }
  return format === 'parquet' ? ParquetTable.open(path, name) : TextTable.open(path, name, format)
}
