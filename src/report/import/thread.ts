/** The thread of `index.ts`. */
import type { Ready } from '../../base/foreign/limited-thread.ts'
import { serveThread } from '../../base/thread.ts'
import { parseLogFile } from './parse.ts'
import type { ImportedRun, ImportFormat } from './types.ts'

export interface LogReaders extends Ready {
  log(file: { bytes: Uint8Array; format: ImportFormat; where: string }): Promise<ImportedRun>
}

serveThread<LogReaders>({
  ready: () => null,
  log: ({ bytes, format, where }) =>
    parseLogFile(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), format, where),
})
