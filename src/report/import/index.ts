/** Other tools' logs, read as what their models said. Scoring them anew is someone else's business. */
import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import { codeOf, messageOf, UserError } from '../../base/errors.ts'
import { delimitedRecords } from './delimited.ts'
import { readInspectEval, readInspectJson } from './inspect.ts'
import { readLmmsEval } from './lmms-eval.ts'
import { type ImportedRun, type ImportFormat, MAX_FILE_BYTES, MAX_JSON_BYTES, notAsExpected } from './types.ts'
import { readVlmEvalKitJson, readVlmEvalKitTable } from './vlmevalkit.ts'
import { listZip, withoutCompression } from './zip.ts'

export type { ImportedRow, ImportedRun, ImportFormat } from './types.ts'

/** Reads a log. What is in the file decides how it is read; its name only appears in messages. */
export async function importFile(path: string, format: ImportFormat): Promise<ImportedRun> {
  return importBytes(await readBounded(path), format, path)
}

export async function importBytes(bytes: Buffer, format: ImportFormat, where: string): Promise<ImportedRun> {
  const isZip = bytes.subarray(0, 4).equals(ZIP_START)
  switch (format) {
    case 'inspect':
      return isZip ? readInspectEval(bytes, where) : readInspectJson(textOf(bytes, where), where)
    case 'lmms-eval':
      if (isZip) throw notAsExpected(where, 'it is a zip archive; lmms-eval’s samples are lines of JSON')
      return readLmmsEval(linesOf(bytes), where)
    case 'vlmevalkit':
      return readVlmEvalKit(bytes, isZip, where)
  }
  throw new UserError(`Cannot import from ${String(format)}.`)
}

const ZIP_START = Buffer.from([0x50, 0x4b, 0x03, 0x04])

async function readVlmEvalKit(bytes: Buffer, isZip: boolean, where: string): Promise<ImportedRun> {
  if (isZip) return readVlmEvalKitTable(await sheetOf(bytes, where), where)
  const text = textOf(bytes, where)
  const start = /^\uFEFF?\s*(.)/.exec(text.slice(0, 200))?.[1]
  if (start === '[' || start === '{') return readVlmEvalKitJson(text, where)
  const firstLine = text.slice(0, text.indexOf('\n') < 0 ? text.length : text.indexOf('\n'))
  return readVlmEvalKitTable(delimitedRecords(text, firstLine.includes('\t') ? '\t' : ','), where)
}

/** Excel sheets are zip archives of XML: look at the sizes before anything is unpacked. */
const MAX_SHEET_BYTES = 256 << 20

async function sheetOf(bytes: Buffer, where: string): Promise<readonly unknown[][]> {
  const unpacked = listZip(bytes, where).reduce((sum, entry) => sum + entry.bytes, 0)
  if (unpacked > MAX_SHEET_BYTES) {
    throw notAsExpected(
      where,
      `the sheet unpacks to ${unpacked} bytes, more than ${MAX_SHEET_BYTES}`,
      'Save it as .tsv and import that.',
    )
  }
  const { readSheet } = await import('read-excel-file/node')
  try {
    return await readSheet(Buffer.from(withoutCompression(bytes, where)), 1, { trim: false })
  } catch (error) {
    throw notAsExpected(
      where,
      `it is not an Excel sheet that can be read (${messageOf(error)})`,
      'Save it as .tsv and import that.',
    )
  }
}

function textOf(bytes: Buffer, where: string): string {
  if (bytes.length > MAX_JSON_BYTES) {
    throw notAsExpected(
      where,
      `it has ${bytes.length} bytes; a single text of more than ${MAX_JSON_BYTES} cannot be read`,
      `Split it, or give a format that is read piece by piece (${extname(where) === '.json' ? '.eval' : '.jsonl'}).`,
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
    const file = await open(path, 'r')
    try {
      const stats = await file.stat()
      if (stats.isDirectory()) throw new UserError(`${path} is a folder; give the log file in it.`)
      // A device has no size and no end.
      if (!stats.isFile()) throw new UserError(`${path} is not a file.`)
      const { size } = stats
      if (size > MAX_FILE_BYTES) throw notAsExpected(path, `it has ${size} bytes, more than ${MAX_FILE_BYTES}`)
      return await file.readFile()
    } finally {
      await file.close()
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new UserError(`There is no file ${path}.`)
    if (codeOf(error) === 'EACCES') throw new UserError(`The file ${path} may not be read by this user.`)
    throw error
  }
}
