/** Parquet files of any size: the end of the file says where the columns are, and only what is asked for is read. */
import { openRegular } from '../regular-file.ts'
import { tableProcess } from './process.ts'
import type { Row, Table } from './rows.ts'

/** Each call reads a part of a file; its limits are those of a file of this size. */
const PART_BYTES = 32 * 2 ** 20

export class ParquetTable implements Table {
  readonly columns: readonly string[]
  readonly count: number
  readonly #path: string
  readonly #name: string

  private constructor(path: string, name: string, columns: readonly string[], count: number) {
    this.#path = path
    this.#name = name
    this.columns = columns
    this.count = count
  }

  static async open(path: string, name: string): Promise<ParquetTable> {
    // Rejects a pipe, which would never end.
    await (await openRegular(path)).close()
    const { columns, count } = await tableProcess.read(['parquetOutline', path], PART_BYTES, unreadable(name))
    return new ParquetTable(path, name, columns, count)
  }

  hash(columns: readonly string[]): Promise<string> {
    return tableProcess.read(['parquetHash', { path: this.#path, columns }], PART_BYTES, unreadable(this.#name))
  }

  async rows(from: number, to: number, columns: readonly string[]): Promise<Row[]> {
    const end = Math.min(to, this.count)
    const part = { path: this.#path, columns, from, to: end }
    const cells = await tableProcess.read(['parquetPart', part], PART_BYTES, unreadable(this.#name))
    return Array.from({ length: Math.max(0, end - from) }, (_, i) => {
      const row: Record<string, unknown> = {}
      for (const column of columns) row[column] = cells[column]?.[i]
      return row
    })
  }
}

function unreadable(name: string): { message: string; hint: string } {
  return { message: `${name} cannot be read as Parquet`, hint: 'Download it again.' }
}
