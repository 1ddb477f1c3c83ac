import { unzipSync } from 'fflate'

/** Cells of the rectangle around all cells: that is what a reader allocates. */
const MAX_CELLS = 20_000_000
const COLUMNS = 26
const FIRST_LETTER = 'A'.charCodeAt(0) - 1

export async function xlsxRows(bytes: Uint8Array): Promise<unknown[][]> {
  checkExtent(bytes)
  const { readSheet } = await import('read-excel-file/node')
  return readSheet(Buffer.from(bytes), 1, { trim: false })
}

/** A sheet may have one cell at XFD1048576. */
function checkExtent(bytes: Uint8Array): void {
  const sheets = unzipSync(bytes, { filter: ({ name }) => /^xl\/worksheets\/[^/]+\.xml$/.test(name) })
  for (const sheet of Object.values(sheets)) {
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
}
