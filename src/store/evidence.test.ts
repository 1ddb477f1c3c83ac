import { mkdtemp, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { exampleHeader, exampleLine } from '../../test/support/store.ts'
import { Store } from './store.ts'

let store: Store
let events: string
beforeEach(async () => {
  store = await Store.open(await mkdtemp(join(tmpdir(), 'sightline-evidence-')))
  events = join(store.dir, 'runs', 'run', 'events.jsonl')
  const writer = await store.createRun(exampleHeader({ id: 'run' }))
  for (const index of [0, 1, 2]) await writer.append(exampleLine(index), [`{"text":"reply ${index}"}`])
  await writer.setStatus({ state: 'done', reason: null })
  await writer.close()
})
afterEach(() => rm(store.dir, { recursive: true, force: true }))

const run = () => store.openRun('run')
const samples = (lines: readonly { sample: string }[]) => lines.map(({ sample }) => sample)

async function changeReplyOne(): Promise<void> {
  await writeFile(events, (await readFile(events, 'utf8')).replace('reply 1', 'reply 7'))
}

it('finds the episode whose events were changed by one character', async () => {
  expect(await (await run()).verify()).toEqual({ intact: 3, unknown: 0, damaged: [] })
  expect(await (await run()).damaged()).toEqual([])
  await changeReplyOne()
  expect(samples(await (await run()).damaged())).toEqual(['scene-0/question-1'])
  expect(await (await run()).verify()).toMatchObject({ intact: 2, damaged: [{ index: 1 }] })
})

it('finds all episodes damaged if their events are gone', async () => {
  await rm(events)
  expect(await (await run()).damaged()).toHaveLength(3)
  expect((await (await run()).verify()).damaged).toHaveLength(3)
})

it('is not forgotten when the run is written again', async () => {
  await changeReplyOne()
  const writer = await store.resumeRun('run')
  await writer.append(exampleLine(3), ['{"text":"reply 3"}'])
  await writer.setStatus({ state: 'done', reason: null })
  await writer.close()
  expect(samples(await (await run()).damaged())).toEqual(['scene-0/question-1'])
})

it('a changed file that was given its old time is found by verify', async () => {
  const { mtime } = await stat(events)
  await changeReplyOne()
  await utimes(events, mtime, mtime)
  expect(samples((await (await run()).verify()).damaged)).toEqual(['scene-0/question-1'])
})

it.skipIf(process.platform === 'win32')('only the owner can open a new store', async () => {
  const folder = join(store.dir, 'another', '.sightline')
  const writer = await (await Store.open(folder)).createRun(exampleHeader({ id: 'run' }))
  await writer.close()
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

it('events that were cut off are damaged, and lines without a hash are unknown', async () => {
  await truncate(events, (await readFile(events)).length - 3)
  const journal = join(store.dir, 'runs', 'run', 'episodes.jsonl')
  const [first = '', ...others] = (await readFile(journal, 'utf8')).split('\n')
  await writeFile(journal, [first.replace(/,"hash":"[0-9a-f]*"/, ''), ...others].join('\n'))
  expect(await (await run()).verify()).toMatchObject({ intact: 1, unknown: 1, damaged: [{ index: 2 }] })
})

it('episodes that claim the events of others are damaged, however many claim them', async () => {
  const journal = join(store.dir, 'runs', 'run', 'episodes.jsonl')
  const [first = '', ...others] = (await readFile(journal, 'utf8')).split('\n')
  const claims = [7, 8, 9].map((index) => JSON.stringify({ ...JSON.parse(first), index, sample: `claim-${index}` }))
  await writeFile(journal, [first, ...claims, ...others].join('\n'))
  expect(await (await run()).verify()).toMatchObject({ intact: 3, damaged: claims.map(() => ({})) })
})
