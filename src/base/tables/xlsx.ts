import { zipSync } from 'fflate'
import { listZip, unzip } from '../foreign/zip.ts'

/** Unpacked bytes of all parts. */
const MAX_BYTES = 256 * 2 ** 20
/** Cells of the rectangle around all cells: that is what a reader allocates. */
const MAX_CELLS = 20_000_000
const COLUMNS = 26
const FIRST_LETTER = 'A'.charCodeAt(0) - 1

/** The rows of the first sheet. The reader gets the parts unpacked, because it does not bound what it unpacks. */
export async function xlsxRows(bytes: Uint8Array): Promise<unknown[][]> {
  const unpacked = listZip(bytes, 'the sheet').reduce((sum, entry) => sum + entry.bytes, 0)
  if (unpacked > MAX_BYTES) throw new Error(`it unpacks to ${unpacked} bytes, more than ${MAX_BYTES}`)
  const parts = unzip(bytes, () => true, 'the sheet')
  for (const [name, part] of parts) if (/^xl\/worksheets\/[^/]+\.xml$/.test(name)) checkExtent(part)
  const { readSheet } = await import('read-excel-file/node')
  return readSheet(Buffer.from(zipSync(Object.fromEntries(parts), { level: 0 })), 1, { trim: false })
}

/** A sheet may have one cell at XFD1048576. */
function checkExtent(sheet: Uint8Array): void {
  const text = Buffer.from(sheet).toString('latin1')
  let rows = 0
  let columns = 0
  for (const [, letters = '', digits = ''] of text.matchAll(/\br="([A-Z]{0,4})(\d{1,9})"/g)) {
    rows = Math.max(rows, Number(digits))
    let column = 0
    for (const letter of letters) column = column * COLUMNS + letter.charCodeAt(0) - FIRST_LETTER
    columns = Math.max(columns, column)
  }
  if (rows * columns > MAX_CELLS) throw new Error(`its cells span ${rows} rows and ${columns} columns`)
}
