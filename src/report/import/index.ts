/** Reads logs of other tools, as the replies of their models. Re-scoring happens elsewhere. */
import { codeOf, UserError } from '../../base/errors.ts'
import { LimitedProcess } from '../../base/foreign/limited-process.ts'
import { readRegular } from '../../base/regular-file.ts'
import type { LogReaders } from './thread.ts'
import { type ImportedRun, type ImportFormat, MAX_FILE_BYTES } from './types.ts'

export { type ExportedRun, IMPORT_FORMATS, type ImportedRow, type ImportedRun, type ImportFormat } from './types.ts'

const thread = new LimitedProcess<LogReaders>('./thread', import.meta.url)

/** Reads a log. Its content decides how it is parsed; its name is only used in messages. */
export async function importFile(path: string, format: ImportFormat): Promise<ImportedRun> {
  return importBytes(await readBounded(path), format, path)
}

export function importBytes(bytes: Uint8Array, format: ImportFormat, where: string): Promise<ImportedRun> {
  return thread.read(['log', { bytes, format, where }], bytes.length, { message: `${where} cannot be imported` })
}

async function readBounded(path: string): Promise<Buffer> {
  try {
    return await readRegular(path, MAX_FILE_BYTES)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new UserError(`File not found: ${path}`)
    if (codeOf(error) === 'EACCES') throw new UserError(`Cannot read ${path}: permission denied.`)
    throw error
  }
}
