/** Reads logs of other tools, as the replies of their models. Re-scoring happens elsewhere. */
import { extname } from 'node:path'
import { codeOf, UserError } from '../../base/errors.ts'
import { readRegular } from '../../base/regular-file.ts'
import { readXlsx } from '../../base/tables/read.ts'
import { delimitedRecords } from './delimited.ts'
import { readInspectEval, readInspectJson } from './inspect.ts'
import { readLmmsEval } from './lmms-eval.ts'
import { type ImportedRun, type ImportFormat, MAX_FILE_BYTES, MAX_JSON_BYTES, invalidLog } from './types.ts'
import { readVlmEvalKitJson, readVlmEvalKitTable } from './vlmevalkit.ts'
import { listZip, toUncompressedZip } from './zip.ts'

export { type ExportedRun, IMPORT_FORMATS, type ImportedRow, type ImportedRun, type ImportFormat } from './types.ts'

/** Reads a log. Its content decides how it is parsed; its name is only used in messages. */
export async function importFile(path: string, format: ImportFormat): Promise<ImportedRun> {
  return importBytes(await readBounded(path), format, path)
}

export async function importBytes(bytes: Buffer, format: ImportFormat, where: string): Promise<ImportedRun> {
  const isZip = bytes.subarray(0, 4).equals(ZIP_MAGIC)
  switch (format) {
    case 'inspect':
      return isZip ? readInspectEval(bytes, where) : readInspectJson(decodeText(bytes, where), where)
    case 'lmms-eval':
      if (isZip) throw invalidLog(where, 'expected the JSON lines of lmms-eval, found a zip archive')
      return readLmmsEval(linesOf(bytes), where)
    case 'vlmevalkit':
      return readVlmEvalKit(bytes, isZip, where)
  }
  throw new UserError(`Unknown import format "${String(format)}".`, {
    hint: 'Use one of inspect, lmms-eval, vlmevalkit.',
  })
}

const ZIP_MAGIC = Buffer.from([0x50, 0x4b, 0x03, 0x04])

async function readVlmEvalKit(bytes: Buffer, isZip: boolean, where: string): Promise<ImportedRun> {
  if (isZip) return readVlmEvalKitTable(await readSheetRecords(bytes, where), where)
  const text = decodeText(bytes, where)
  const start = /^\uFEFF?\s*(.)/.exec(text.slice(0, 200))?.[1]
  if (start === '[' || start === '{') return readVlmEvalKitJson(text, where)
  const firstLine = text.slice(0, text.indexOf('\n') < 0 ? text.length : text.indexOf('\n'))
  return readVlmEvalKitTable(delimitedRecords(text, firstLine.includes('\t') ? '\t' : ','), where)
}

/** Excel sheets are zip archives: sizes are checked before anything is unpacked. */
const MAX_SHEET_BYTES = 256 << 20

async function readSheetRecords(bytes: Buffer, where: string): Promise<readonly unknown[][]> {
  const unpacked = listZip(bytes, where).reduce((sum, entry) => sum + entry.bytes, 0)
  if (unpacked > MAX_SHEET_BYTES) {
    throw invalidLog(
      where,
      `the sheet unpacks to ${unpacked} bytes, more than ${MAX_SHEET_BYTES}`,
      'Save it as .tsv and import that.',
    )
  }
  return readXlsx(toUncompressedZip(bytes, where), where)
}

function decodeText(bytes: Buffer, where: string): string {
  if (bytes.length > MAX_JSON_BYTES) {
    throw invalidLog(
      where,
      `the file has ${bytes.length} bytes, more than the maximum of ${MAX_JSON_BYTES}`,
      `Split it, or use a format that is read in parts (${extname(where) === '.json' ? '.eval' : '.jsonl'}).`,
    )
  }
  return bytes.toString('utf8')
}

function* linesOf(bytes: Buffer): Generator<string> {
  let from = 0
  while (from < bytes.length) {
    const end = bytes.indexOf(10, from)
    yield bytes.toString('utf8', from, end < 0 ? bytes.length : end)
    if (end < 0) return
    from = end + 1
  }
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
