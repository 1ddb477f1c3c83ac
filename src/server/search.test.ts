import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exampleLine } from '../../test/support/store.ts'
import { EVENTS_FILE } from '../store/run-files.ts'
import { type Searchable, Searches } from './search.ts'

const EPISODES = 300
let run: Searchable
let searches: Searches
const stays = (): AbortSignal => new AbortController().signal

beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'sightline-search-'))
  searches = new Searches()
  const said = (row: number): string =>
    JSON.stringify({ type: 'reply', text: `${'ÄÖ x'.repeat(row % 7)}Word${row} in Room ${row % 3} „ZÄUNE“` })
  const rows = Array.from({ length: EPISODES }, (_, at) => ({
    row: EPISODES - 1 - at,
    bytes: `${said(EPISODES - 1 - at)}\n`,
  }))
  // Episodes are logged as they finish, here the last one first.
  let offset = 0
  const lines = rows.map(({ row, bytes }) => {
    const length = Buffer.byteLength(bytes)
    offset += length
    return { ...exampleLine(row), events: [offset - length, length] as [number, number] }
  })
  await writeFile(join(dir, EVENTS_FILE), rows.map(({ bytes }) => bytes).join(''))
  run = { dir, stamp: '1', lines: lines.reverse() }
})
afterAll(async () => {
  await searches.close()
  await rm(run.dir, { recursive: true })
})

it('answers many clients at once, each with the rows of its text', async () => {
  const asked = Array.from({ length: 40 }, (_, i) => searches.search(run, `wORD${i} IN`, stays()))
  expect(await Promise.all(asked)).toEqual(asked.map((_, i) => [i]))
  const equal = Array.from({ length: 200 }, () => searches.search(run, 'room 1', stays()))
  const every = Array.from({ length: EPISODES / 3 }, (_, i) => i * 3 + 1)
  for (const rows of await Promise.all(equal)) expect(rows).toEqual(every)
})

it.each([
  ['„zÄune“', EPISODES],
  ['„zäune“', 0],
  ['öx', 0],
  ['reply', 0],
  ['', 0],
])('finds "%s" without regard to ASCII case, in values only', async (text, count) => {
  expect(await searches.search(run, text, stays())).toHaveLength(count)
})

it('drops a search when its last client leaves, not those of others', async () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const left = [first, second].map(({ signal }) => searches.search(run, 'left alone', signal))
  const stayed = searches.search(run, 'word7 ', stays())
  first.abort()
  second.abort()
  for (const search of left) await expect(search).rejects.toThrow('aborted')
  expect(await stayed).toEqual([7])
})

it('limits how many different searches wait', async () => {
  const some = Array.from({ length: 64 }, (_, i) => searches.search({ ...run, stamp: '2' }, `word${i} `, stays()))
  await expect(searches.search(run, 'one more', stays())).rejects.toThrow('Too many searches.')
  expect((await Promise.all(some)).flat()).toHaveLength(64)
  expect(await searches.search(run, 'one more', stays())).toEqual([])
})
