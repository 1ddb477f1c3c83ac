/** A disk that is full, read-only or not ours: one clear sentence, nothing lost, and it goes on once there is room. */
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppendLog } from './append-log.ts'
import type { LogFile } from './append-log.ts'
import { toDiskError } from './disk.ts'
import { exampleHeader, exampleLine } from '../../test/support/store.ts'
import { readJournal } from './journal.ts'
import { Ledger } from './ledger.ts'
import { JournalWriter } from './run-writer.ts'
import { Store } from './store.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-full-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function full(): Error {
  return Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
}

/** What the disk refuses at the moment. */
interface Refusals {
  /** Bytes that still fit; a write that needs more puts down what fits and then fails, as a real disk does. */
  room: number
  sync: boolean
  truncate: boolean
}

async function openFaulty(path: string, refusals: Refusals): Promise<LogFile> {
  const file = await open(path, 'w+')
  const write = async (bytes: Uint8Array, offset: number, length: number, position: number) => {
    const fits = Math.min(length, refusals.room)
    if (fits === 0) throw full()
    refusals.room -= fits
    return file.write(bytes, offset, fits, position)
  }
  return {
    write: write as LogFile['write'],
    datasync: () => (refusals.sync ? Promise.reject(full()) : file.datasync()),
    truncate: (length) => (refusals.truncate ? Promise.reject(full()) : file.truncate(length)),
    stat: file.stat.bind(file),
    close: () => file.close(),
  }
}

describe('a disk that fills up in the middle of a write', () => {
  it.each<[string, { events?: Partial<Refusals>; episodes?: Partial<Refusals> }]>([
    ['of the events', { events: { room: 7 } }],
    ['of the line', { episodes: { room: 100 } }],
    ['of the line, which cannot be cut back either', { episodes: { room: 100, truncate: true } }],
    ['of both', { events: { room: 0 }, episodes: { room: 0 } }],
    ['when the events are synced', { events: { sync: true } }],
    ['when the line is synced', { episodes: { sync: true } }],
    ['when the line is synced, which cannot be cut back either', { episodes: { sync: true, truncate: true } }],
    ['and neither file can be cut back', { events: { room: 3, truncate: true }, episodes: { truncate: true } }],
  ])('%s', async (_where, faults) => {
    const none: Refusals = { room: Infinity, sync: false, truncate: false }
    const faultsNow = { events: { ...none }, episodes: { ...none } }
    const episodesPath = join(folder, 'episodes.jsonl')
    const eventsPath = join(folder, 'events.jsonl')
    const logs = {
      episodes: new AppendLog(episodesPath, await openFaulty(episodesPath, faultsNow.episodes), 0),
      events: new AppendLog(eventsPath, await openFaulty(eventsPath, faultsNow.events), 0),
    }
    const header = exampleHeader({ id: 'run', planned: 10 })
    const writer = new JournalWriter(
      folder,
      header,
      new Map(),
      logs,
      { release: async () => {} },
      await Ledger.open(join(folder, 'paid.jsonl')),
    )
    const append = (i: number) => writer.append(exampleLine(i), [`{"index":${i}}`, '{"text":"äöü"}'])

    await append(0)
    Object.assign(faultsNow.events, faults.events)
    Object.assign(faultsNow.episodes, faults.episodes)
    const failed = await Promise.allSettled([append(1), append(2), append(3)])
    for (const result of failed) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: {
          name: 'UserError',
          message: expect.stringContaining('The disk is full'),
          hint: expect.stringContaining('resume'),
        },
      })
    }
    await expect(append(4)).rejects.toThrow('The disk is full')

    // Were the process to end here, the next one would find a journal that it can go on with.
    const found = await readJournal(episodesPath)
    expect(found.episodes.keys().next().value).toBe('scene-0/question-0#1')
    expect((await readFile(eventsPath)).length).toBeGreaterThanOrEqual(found.eventsEnd)
    if (!faults.events?.truncate && !faults.episodes?.truncate) {
      expect(found.episodes.size).toBe(1)
      expect((await readFile(episodesPath)).length).toBe(found.completeBytes)
      expect((await readFile(eventsPath)).length).toBe(found.eventsEnd)
    }

    Object.assign(faultsNow.events, none)
    Object.assign(faultsNow.episodes, none)
    await append(5)
    await append(1)
    await writer.close()

    const { episodes, completeBytes } = await readJournal(episodesPath)
    expect([...episodes.values()].map((line) => line.index)).toEqual([0, 5, 1])
    expect((await readFile(episodesPath)).length).toBe(completeBytes)
    const events = await readFile(eventsPath)
    for (const line of episodes.values()) {
      const text = events.subarray(line.events[0], line.events[0] + line.events[1]).toString()
      expect(text).toBe(`{"index":${line.index}}\n{"text":"äöü"}\n`)
    }
  })
})

/** A small file system of its own, where the system lets us have one. */
function mountSmall(path: string, size: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'sightline-test', path], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('a real small disk', () => {
  it('keeps every acknowledged episode when it is full, and goes on when there is room', async (context) => {
    const disk = join(folder, 'disk')
    await mkdir(disk)
    if (!mountSmall(disk, '512k')) context.skip('mounting a file system is not permitted here')
    try {
      const store = await Store.open(join(disk, 'store'))
      const writer = await store.createRun(exampleHeader({ id: 'run', planned: 10_000 }))
      const filler = join(disk, 'filler')
      await writeFile(filler, Buffer.alloc(200 * 1024))
      const acknowledged: number[] = []
      let refused: unknown
      for (let i = 0; refused === undefined; i++) {
        try {
          await writer.append(exampleLine(i), [JSON.stringify({ index: i, text: 'x'.repeat(500) })])
          acknowledged.push(i)
        } catch (error) {
          refused = error
        }
      }
      expect(refused).toMatchObject({ name: 'UserError', message: expect.stringContaining('The disk is full') })
      const sentence = { name: 'UserError', message: expect.stringContaining('The disk is full') }
      await expect(store.media.keep(Buffer.alloc(100_000, 1), 'image/png')).rejects.toMatchObject(sentence)
      await expect(store.replies.put('ab'.repeat(32), 'y'.repeat(100_000))).rejects.toMatchObject(sentence)
      const run = await store.openRun('run')
      // A report is derived: where it cannot be kept it is made again.
      await run.keepReport('z'.repeat(100_000))
      expect(await run.report()).toBeUndefined()
      expect((await run.episodes()).map((line) => line.index)).toEqual(acknowledged)

      await rm(filler)
      await writer.append(exampleLine(9999), ['{"index":9999}'])
      const ref = await store.media.keep(Buffer.alloc(100_000, 1), 'image/png')
      expect(await store.media.read(ref)).toHaveLength(100_000)
      expect(await store.replies.get('ab'.repeat(32))).toBeUndefined()
      await writer.close()
      const resumed = await store.resumeRun('run')
      await resumed.close()
      expect([...resumed.finished.values()].map((line) => line.index)).toEqual([...acknowledged, 9999])
      for (const line of resumed.finished.values())
        expect(await run.events(line)).toMatchObject([{ index: line.index }])
    } finally {
      execFileSync('umount', [disk])
    }
  })

  it('can be read, not written, when it is read-only', async (context) => {
    const disk = join(folder, 'disk')
    await mkdir(disk)
    if (!mountSmall(disk, '4m')) context.skip('mounting a file system is not permitted here')
    try {
      const store = await Store.open(join(disk, 'store'))
      const writer = await store.createRun(exampleHeader({ id: 'run' }))
      await writer.append(exampleLine(0), ['{}'])
      const ref = await store.media.keep(Buffer.from('picture'), 'image/png')
      await writer.close()
      execFileSync('mount', ['-o', 'remount,ro', disk])

      const run = await store.openRun('latest')
      expect(await run.episodes()).toHaveLength(1)
      expect(await store.listRuns()).toHaveLength(1)
      expect(await store.media.read(ref)).toEqual(Buffer.from('picture'))
      const sentence = { name: 'UserError', message: expect.stringContaining('read-only file system') }
      const reopened = await Store.open(store.dir)
      await expect(reopened.createRun(exampleHeader({ id: 'new' }))).rejects.toMatchObject(sentence)
      await expect(reopened.resumeRun('run')).rejects.toMatchObject(sentence)
      await expect(reopened.media.keep(Buffer.from('other'), 'image/png')).rejects.toMatchObject(sentence)
      await expect(reopened.replies.put('ab'.repeat(32), 1)).rejects.toMatchObject(sentence)
      await expect(run.writeScores('fixed', { suiteVersion: 1, journalBytes: 0 }, [])).rejects.toMatchObject(sentence)
    } finally {
      execFileSync('umount', [disk])
    }
  })
})

it('a folder without permission', async (context) => {
  if (process.getuid?.() === 0) context.skip('root may write everywhere')
  await chmod(folder, 0o555)
  const store = await Store.open(join(folder, 'store'))
  await expect(store.createRun(exampleHeader({ id: 'run' }))).rejects.toThrow('permission denied')
  await chmod(folder, 0o755)
})

it.each([
  ['ENOSPC', 'The disk is full: /x could not be written.'],
  ['EDQUOT', 'Your disk quota is used up: /x could not be written.'],
  ['EROFS', '/x cannot be written: it is on a read-only file system.'],
  ['EACCES', '/x cannot be used: permission denied.'],
  ['ENOENT', '/x is gone: it was deleted or moved.'],
  ['ENOTDIR', '/x cannot be used: a file stands where a folder is expected.'],
  ['EMFILE', '/x could not be opened: too many files are open.'],
  ['EWEIRD', '/x could not be read or written: EWEIRD: strange'],
])('%s has a sentence for people', (code, sentence) => {
  const problem = toDiskError(Object.assign(new Error(`${code}: strange`), { code }), '/x')
  expect(problem.message).toBe(sentence)
})
