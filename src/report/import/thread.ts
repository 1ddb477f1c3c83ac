/** The thread of `index.ts`. */
import { serveReaders } from '../../base/foreign/limited-process.ts'
import { parseLogFile } from './parse.ts'
import type { ImportedRun, ImportFormat } from './types.ts'

export interface LogReaders {
  log(file: { bytes: Uint8Array; format: ImportFormat; where: string }): Promise<ImportedRun>
}

serveReaders<LogReaders>({
  log: ({ bytes, format, where }) =>
    parseLogFile(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), format, where),
})
