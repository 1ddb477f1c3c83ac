/** The thread of `read.ts`. */
import { serveThread } from '../thread.ts'
import type { Ready } from '../foreign/limited-thread.ts'
import { parquetRows } from './parquet.ts'
import { xlsxRows } from './xlsx.ts'

export interface TableReaders extends Ready {
  parquet(bytes: Uint8Array): Promise<Record<string, unknown>[]>
  xlsx(bytes: Uint8Array): Promise<unknown[][]>
}

serveThread<TableReaders>({
  ready: () => null,
  parquet: parquetRows,
  xlsx: xlsxRows,
})
