/** The thread of `read.ts`. */
import { serveReaders } from '../foreign/limited-thread.ts'
import { parquetRows } from './parquet.ts'
import { xlsxRows } from './xlsx.ts'

export interface TableReaders {
  parquet(bytes: Uint8Array): Promise<Record<string, unknown>[]>
  xlsx(bytes: Uint8Array): Promise<unknown[][]>
}

serveReaders<TableReaders>({
  parquet: parquetRows,
  xlsx: xlsxRows,
})
