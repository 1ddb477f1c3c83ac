import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../random.ts'
import { openTable, type Table } from './rows.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-tables-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function tableOf(name: string, content: string | Uint8Array): Promise<Table> {
  const path = join(folder, name)
  await writeFile(path, content)
  return openTable(path, name)
}

/** Larger than a chunk of the reader, so that rows cross its border. */
const LONG = 'Is the "red" chair,\tor the blue one,\nnearer? é '.repeat(30_000)

describe.each([
  ['a.jsonl', (text: string) => `{"id": 1, "text": ${JSON.stringify(text)}}\n\n{"id": 2, "text": "b", "more": [1]}\n`],
  ['a.json', (text: string) => `\uFEFF [\n {"id": 1, "text": ${JSON.stringify(text)}} , {"id": 2, "text": "b"}]\n`],
  ['a.csv', (text: string) => `id,text\r\n1,"${text.replaceAll('"', '""')}"\r\n\r\n2,b\r\n`],
  ['a.tsv', (text: string) => `id\ttext\n1\t"${text.replaceAll('"', '""')}"\n2\tb`],
])('%s', (name, write) => {
  it.each(['short', LONG])('has its rows, one by one and together', async (text) => {
    const table = await tableOf(name, write(text))
    expect([table.columns, table.count]).toEqual([['id', 'text'], 2])
    const rows = await table.rows(0, 9, ['text', 'id'])
    expect(rows.map((row) => [String(row['id']), row['text']])).toEqual([
      ['1', text],
      ['2', 'b'],
    ])
    expect(await table.rows(1, 2, ['text'])).toEqual([{ text: 'b' }])
  })
})

it('reads Parquet by columns and rows, with images as bytes', async () => {
  const images = Array.from({ length: 300 }, (_, i) => Uint8Array.of(0x89, 0x50, 0xff, i))
  const content = parquetWriteBuffer({
    columnData: [
      { name: 'id', data: images.map((_, i) => BigInt(i)), type: 'INT64' },
      { name: 'question', data: images.map((_, i) => `Which way? ${i}`), type: 'STRING' },
      { name: 'image', data: images, type: 'BYTE_ARRAY' },
    ],
    rowGroupSize: 100,
  })
  const table = await tableOf('a.parquet', new Uint8Array(content))
  expect([table.columns, table.count]).toEqual([['id', 'question', 'image'], 300])
  expect(await table.rows(98, 102, ['id', 'question'])).toEqual(
    [98, 99, 100, 101].map((id) => ({ id, question: `Which way? ${id}` })),
  )
  expect((await table.rows(250, 251, ['image']))[0]!['image']).toEqual(images[250])
  expect(await table.hash(['question'])).not.toBe(await table.hash(['id']))
})

it.each([
  ['no.jsonl', '{"a": 1}\n{"a": \n', 'row 2'],
  ['list.jsonl', '[1]\n', 'not an object'],
  ['object.json', '{"rows": []}', 'not a list'],
  ['numbers.json', '{"rows": [1, 2]}', 'not a list'],
  ['two.json', '{"a": [{"b": 1}], "c": [{"d": 1}]}', 'several lists of rows'],
  ['cut.json', '[{"a": 1}, {"a"', 'ends in the middle'],
  ['more.csv', 'a,b\n1,2,3\n', '3 fields'],
  ['twice.csv', 'a,a\n1,2\n', 'two columns "a"'],
  ['empty.csv', '', 'no rows'],
  ['no.parquet', 'PAR1 this is not Parquet PAR1', 'cannot be read as Parquet'],
])('says what is wrong with %s', async (name, content, problem) => {
  const read = async (): Promise<unknown> => {
    const table = await tableOf(name, content)
    return table.rows(0, table.count, table.columns)
  }
  await expect(read()).rejects.toThrow(problem)
})

it('finds the only list of objects in an object', async () => {
  const table = await tableOf(
    'wrapped.json',
    '{"v": "[{", "tags": ["a"], "info": {"x": [{}]}, "items": [{"a": 1}, {"a": [2]}], "n": 2}',
  )
  expect(await table.rows(0, 9, ['a'])).toEqual([{ a: 1 }, { a: [2] }])
})

it('survives damaged tables', async () => {
  const random = new Random('tables')
  const parquet = new Uint8Array(
    parquetWriteBuffer({
      columnData: [{ name: 'a', data: Array.from({ length: 50 }, (_, i) => `row ${i}`), type: 'STRING' }],
    }),
  )
  const text = new TextEncoder().encode('[{"a": "x,\\"y\\""}, {"a": [1, {"b": null}]}]')
  for (let i = 0; i < 150; i++) {
    const [name, whole] =
      i % 3 === 0
        ? (['d.parquet', parquet] as const)
        : ([`d.${random.pick(['json', 'csv', 'tsv', 'jsonl'])}`, text] as const)
    const damaged = whole.slice(0, random.chance(0.3) ? random.int(whole.length) : whole.length)
    for (let k = 0; k < 3 && damaged.length > 0; k++) damaged[random.int(damaged.length)] = random.int(256)
    try {
      const table = await tableOf(name, damaged)
      await table.rows(0, Math.min(table.count, 100), table.columns)
    } catch (error) {
      expect((error as Error).name).toBe('UserError')
    }
  }
})
