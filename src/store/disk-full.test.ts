/** Full, read-only and inaccessible disks: clear errors, no data loss, and recovery once there is space. */
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

const UNCHALLENGED = { check: async () => {}, release: async () => {} }

/** The current failures of a disk. */
interface Faults {
  /** Free bytes. A larger write is partial and then fails, as on a real disk. */
  freeBytes: number
  sync: boolean
  truncate: boolean
}

async function openFaulty(path: string, faults: Faults): Promise<LogFile> {
  const file = await open(path, 'w+')
  return {
    write: async (bytes, offset, position) => {
      const fits = Math.min(bytes.length - offset, faults.freeBytes)
      if (fits === 0) throw full()
      faults.freeBytes -= fits
      return (await file.write(bytes, offset, fits, position)).bytesWritten
    },
    datasync: () => (faults.sync ? Promise.reject(full()) : file.datasync()),
    truncate: (length) => (faults.truncate ? Promise.reject(full()) : file.truncate(length)),
    stat: () => file.stat(),
    close: () => file.close(),
  }
}

describe('recovers when the disk fills up', () => {
  it.each<[string, { events?: Partial<Faults>; episodes?: Partial<Faults> }]>([
    ['while writing events', { events: { freeBytes: 7 } }],
    ['while writing the line', { episodes: { freeBytes: 100 } }],
    ['while writing the line, and truncating fails', { episodes: { freeBytes: 100, truncate: true } }],
    ['while writing both', { events: { freeBytes: 0 }, episodes: { freeBytes: 0 } }],
    ['while syncing the events', { events: { sync: true } }],
    ['while syncing the line', { episodes: { sync: true } }],
    ['while syncing the line, and truncating fails', { episodes: { sync: true, truncate: true } }],
    [
      'while writing events, and truncating fails for both files',
      { events: { freeBytes: 3, truncate: true }, episodes: { truncate: true } },
    ],
  ])('%s', async (_where, faults) => {
    const none: Faults = { freeBytes: Infinity, sync: false, truncate: false }
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
      UNCHALLENGED,
      await Ledger.open(join(folder, 'paid.jsonl'), UNCHALLENGED),
      true,
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

    // If the process ended here, the next one could resume from this journal.
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

/** Mounts a small file system; false if that is not permitted. */
function mountSmall(path: string, size: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'sightline-test', path], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('a small file system', () => {
  it('keeps every acknowledged episode when full, and continues when there is space', async (context) => {
    const disk = join(folder, 'disk')
    await mkdir(disk)
    if (!mountSmall(disk, '512k')) context.skip('mounting a file system is not permitted here')
    try {
      const store = await Store.open(join(disk, 'store'))
      const writer = await store.createRun(exampleHeader({ id: 'run', planned: 10_000 }))
      const filler = join(disk, 'filler')
      await writeFile(filler, Buffer.alloc(200 * 1024))
      const acknowledged: number[] = []
      let failure: unknown
      for (let i = 0; failure === undefined; i++) {
        try {
          await writer.append(exampleLine(i), [JSON.stringify({ index: i, text: 'x'.repeat(500) })])
          acknowledged.push(i)
        } catch (error) {
          failure = error
        }
      }
      expect(failure).toMatchObject({ name: 'UserError', message: expect.stringContaining('The disk is full') })
      const expected = { name: 'UserError', message: expect.stringContaining('The disk is full') }
      await expect(store.media.keep(Buffer.alloc(100_000, 1), 'image/png')).rejects.toMatchObject(expected)
      await expect(store.replies.put('ab'.repeat(32), 'y'.repeat(100_000))).rejects.toMatchObject(expected)
      const run = await store.openRun('run')
      // A report that cannot be written is built again.
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

  it('can be read when mounted read-only', async (context) => {
    const disk = join(folder, 'disk')
    await mkdir(disk)
    if (!mountSmall(disk, '4m')) context.skip('mounting a file system is not permitted here')
    try {
      const store = await Store.open(join(disk, 'store'))
      const writer = await store.createRun(exampleHeader({ id: 'run' }))
      await writer.append(exampleLine(0), ['{}'])
      const ref = await store.media.keep(Buffer.from('image'), 'image/png')
      await writer.close()
      execFileSync('mount', ['-o', 'remount,ro', disk])

      const run = await store.openRun('latest')
      expect(await run.episodes()).toHaveLength(1)
      expect(await store.listRuns()).toHaveLength(1)
      expect(await store.media.read(ref)).toEqual(Buffer.from('image'))
      const expected = { name: 'UserError', message: expect.stringContaining('the file system is read-only') }
      const reopened = await Store.open(store.dir)
      await expect(reopened.createRun(exampleHeader({ id: 'new' }))).rejects.toMatchObject(expected)
      await expect(reopened.resumeRun('run')).rejects.toMatchObject(expected)
      await expect(reopened.media.keep(Buffer.from('other'), 'image/png')).rejects.toMatchObject(expected)
      await expect(reopened.replies.put('ab'.repeat(32), 1)).rejects.toMatchObject(expected)
      await expect(run.writeScores('fixed', { suiteVersion: 1, journalBytes: 0 }, [])).rejects.toMatchObject(expected)
    } finally {
      execFileSync('umount', [disk])
    }
  })
})

it('reports a folder without write permission', async (context) => {
  if (process.getuid?.() === 0) context.skip('root can write everywhere')
  await chmod(folder, 0o555)
  const store = await Store.open(join(folder, 'store'))
  await expect(store.createRun(exampleHeader({ id: 'run' }))).rejects.toThrow('permission denied')
  await chmod(folder, 0o755)
})

it.each([
  ['ENOSPC', 'The disk is full: /x could not be written.'],
  ['EDQUOT', 'Disk quota exceeded: /x could not be written.'],
  ['EROFS', 'Cannot write /x: the file system is read-only.'],
  ['EACCES', 'Cannot access /x: permission denied.'],
  ['ENOENT', '/x does not exist: it was deleted or moved.'],
  ['ENOTDIR', 'Cannot use /x: a file is in the place of a folder.'],
  ['EMFILE', 'Cannot open /x: too many open files.'],
  ['EWEIRD', 'Cannot read or write /x: EWEIRD: strange'],
])('%s has a readable message', (code, message) => {
  const problem = toDiskError(Object.assign(new Error(`${code}: strange`), { code }), '/x')
  expect(problem.message).toBe(message)
})
