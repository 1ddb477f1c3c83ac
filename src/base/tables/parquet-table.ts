/** Parquet files of any size: the end of the file says where the columns are, and only what is asked for is read. */
import { openRegular } from '../regular-file.ts'
import { tableProcess } from './process.ts'
import type { Row, Table } from './rows.ts'

/** Each call reads a part of a file; its limits are those of a file of at most this size. */
const MAX_PART_BYTES = 32 * 2 ** 20

export class ParquetTable implements Table {
  readonly columns: readonly string[]
  readonly count: number
  readonly #path: string
  readonly #name: string
  readonly #partBytes: number

  private constructor(
    path: string,
    name: string,
    { columns, count }: Pick<Table, 'columns' | 'count'>,
    partBytes: number,
  ) {
    this.#path = path
    this.#name = name
    this.#partBytes = partBytes
    this.columns = columns
    this.count = count
  }

  static async open(path: string, name: string): Promise<ParquetTable> {
    // Rejects a pipe, which would never end.
    const file = await openRegular(path)
    const { size } = await file.stat()
    await file.close()
    const partBytes = Math.min(size, MAX_PART_BYTES)
    const outline = await tableProcess.read(['parquetOutline', path], partBytes, unreadable(name))
    return new ParquetTable(path, name, outline, partBytes)
  }

  hash(columns: readonly string[]): Promise<string> {
    return tableProcess.read(['parquetHash', { path: this.#path, columns }], this.#partBytes, unreadable(this.#name))
  }

  async rows(from: number, to: number, columns: readonly string[]): Promise<Row[]> {
    const end = Math.min(to, this.count)
    const part = { path: this.#path, columns, from, to: end }
    const cells = await tableProcess.read(['parquetPart', part], this.#partBytes, unreadable(this.#name))
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
