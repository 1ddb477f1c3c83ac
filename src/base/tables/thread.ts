/** What `process.ts` runs. */
import { serveReaders } from '../foreign/limited-process.ts'
import { parquetRows } from './parquet.ts'
import {
  type ParquetCells,
  parquetHash,
  type ParquetOutline,
  parquetOutline,
  type ParquetPart,
  parquetPart,
} from './parquet-file.ts'
import { xlsxRows } from './xlsx.ts'

export interface TableReaders {
  parquet(bytes: Uint8Array): Promise<Record<string, unknown>[]>
  parquetOutline(path: string): Promise<ParquetOutline>
  parquetPart(part: ParquetPart): Promise<ParquetCells>
  parquetHash(part: Pick<ParquetPart, 'path' | 'columns'>): Promise<string>
  xlsx(bytes: Uint8Array): Promise<unknown[][]>
}

serveReaders<TableReaders>({
  parquet: parquetRows,
  parquetOutline,
  parquetPart,
  parquetHash,
  xlsx: xlsxRows,
})
