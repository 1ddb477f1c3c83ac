import { parquetWriteBuffer } from 'hyparquet-writer'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { Random } from '../random.ts'
import { parquetRows } from './parquet.ts'
import { readParquet, readXlsx } from './read.ts'
import { xlsxRows } from './xlsx.ts'

function parquet(): Uint8Array {
  const question = Array.from({ length: 200 }, (_, i) => `How many chairs are in room ${i}?`)
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'id', data: question.map((_, i) => i), type: 'INT32' },
        { name: 'question', data: question, type: 'STRING' },
      ],
    }),
  )
}

function xlsx(...cells: string[]): Uint8Array {
  const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${cells
    .map((at) => `<row r="${/\d+/.exec(at)?.[0]}"><c r="${at}" t="inlineStr"><is><t>${at}</t></is></c></row>`)
    .join('')}</sheetData></worksheet>`
  const files = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'xl/workbook.xml':
      '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': sheet,
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])))
}

it('reads Parquet and Excel in a thread', async () => {
  const rows = await readParquet(parquet(), 'test.parquet')
  expect(rows).toHaveLength(200)
  expect(rows[7]).toEqual({ id: 7, question: 'How many chairs are in room 7?' })
  expect(await readXlsx(xlsx('A1', 'B2'), 'a.xlsx')).toEqual([
    ['A1', null],
    [null, 'B2'],
  ])
})

it('a stray cell in the last corner of a sheet is an error, not four gigabytes', async () => {
  await expect(readXlsx(xlsx('A1', 'XFD1048576'), 'a.xlsx')).rejects.toMatchObject({
    name: 'UserError',
    message: 'a.xlsx is not a readable Excel sheet: its cells span 1048576 rows and 16384 columns.',
    hint: 'Save it as .tsv and use that.',
  })
})

describe('damaged files are read or refused in a thread that has an end', () => {
  it('a file that makes the reader loop is given up, and the program goes on', async () => {
    const random = new Random('parquet')
    const whole = parquet()
    for (let i = 0; i < 60; i++) {
      const bytes = whole.slice()
      for (let n = 1 + random.int(3); n > 0; n--) bytes[random.int(bytes.length)] = random.int(256)
      await readParquet(bytes, 'damaged.parquet').then(
        (rows) => expect(Array.isArray(rows)).toBe(true),
        (error: unknown) => expect(error).toMatchObject({ name: 'UserError' }),
      )
    }
  })

  it('declared sizes are refused before anything is allocated', async () => {
    await expect(parquetRows(strToU8('PAR1PAR1'))).rejects.toThrow()
    await expect(xlsxRows(strToU8('PK'))).rejects.toThrow()
  })
})
