/** Which reader a log needs. Runs in a thread with limits. */
import { extname } from 'node:path'
import { messageOf, trimFullStop, UserError } from '../../base/errors.ts'
import { MAX_TEXT_BYTES } from '../../base/regular-file.ts'
import { unreadableSheet } from '../../base/tables/read.ts'
import { xlsxRows } from '../../base/tables/xlsx.ts'
import { delimitedRecords } from './delimited.ts'
import { readInspectEval, readInspectJson } from './inspect.ts'
import { readLmmsEval } from './lmms-eval.ts'
import { type ImportedRun, type ImportFormat, invalidLog } from './types.ts'
import { readVlmEvalKitJson, readVlmEvalKitTable } from './vlmevalkit.ts'

/** The content decides how a log is parsed; `where` is only used in messages. */
export async function parseLogFile(bytes: Buffer, format: ImportFormat, where: string): Promise<ImportedRun> {
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

async function readSheetRecords(bytes: Buffer, where: string): Promise<readonly unknown[][]> {
  try {
    return await xlsxRows(bytes)
  } catch (error) {
    const { message, hint } = unreadableSheet(where)
    throw new UserError(`${message}: ${trimFullStop(messageOf(error))}.`, { hint })
  }
}

function decodeText(bytes: Buffer, where: string): string {
  if (bytes.length > MAX_TEXT_BYTES) {
    throw invalidLog(
      where,
      `the file has ${bytes.length} bytes, more than the maximum of ${MAX_TEXT_BYTES}`,
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
