import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exampleHeader, exampleLine } from '../../test/support/store.ts'
import { readJournal } from './journal.ts'
import { Store } from './store.ts'

let folder: string
let store: Store
let episodesPath: string
let eventsPath: string
let whole: Buffer
let wholeEvents: Buffer

const EPISODES = 5
const event = (i: number) => JSON.stringify({ type: 'answer', text: `größe ${i}` })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-journal-'))
  store = await Store.open(folder)
  const writer = await store.createRun(exampleHeader({ id: 'run', planned: EPISODES + 1 }))
  for (let i = 0; i < EPISODES; i++) await writer.append({ ...exampleLine(i), cluster: 'Küche' }, [event(i)])
  await writer.close()
  episodesPath = join(folder, 'runs', 'run', 'episodes.jsonl')
  eventsPath = join(folder, 'runs', 'run', 'events.jsonl')
  whole = await readFile(episodesPath)
  wholeEvents = await readFile(eventsPath)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Resumes, plays one more episode, and checks that everything can be read. */
async function resumeAndPlay(index: number): Promise<number[]> {
  const writer = await store.resumeRun('run')
  const finished = [...writer.finished.values()].map((line) => line.index)
  await writer.append(exampleLine(index), [event(index)])
  await writer.close()
  const run = await store.openRun('run')
  const episodes = await run.episodes()
  expect(episodes.map((line) => line.index)).toEqual([...new Set([...finished, index])].sort((a, b) => a - b))
  for (const line of episodes) expect(await run.events(line)).toEqual([JSON.parse(event(line.index))])
  return finished
}

describe('a torn end', () => {
  it('is left out when read, wherever the cut is', async () => {
    const path = join(folder, 'cut.jsonl')
    for (let bytes = whole.length - 1000; bytes <= whole.length; bytes++) {
      const cut = whole.subarray(0, bytes)
      await writeFile(path, cut)
      const { episodes, completeBytes, lacksLineEnd } = await readJournal(path)
      const ends = cut.filter((byte) => byte === 0x0a).length
      // All of a line but its line end is still all of the line.
      expect(episodes.size).toBe(ends + (lacksLineEnd ? 1 : 0))
      expect(lacksLineEnd).toBe(bytes < whole.length && whole[bytes] === 0x0a)
      expect(completeBytes).toBe(lacksLineEnd ? bytes : cut.lastIndexOf(0x0a) + 1)
    }
  })

  it.each([
    ['half a line', () => truncate(episodesPath, whole.length - 100), [0, 1, 2, 3]],
    ['only the line end lost', () => truncate(episodesPath, whole.length - 1), [0, 1, 2, 3, 4]],
    ['everything lost', () => truncate(episodesPath, 0), []],
    ['the file lost', () => rm(episodesPath), []],
    ['half a character', () => appendFile(episodesPath, Buffer.from([0x7b, 0xc3])), [0, 1, 2, 3, 4]],
    ['zeros after a power failure', () => appendFile(episodesPath, Buffer.alloc(5000)), [0, 1, 2, 3, 4]],
    ['events whose line was never written', () => appendFile(eventsPath, '{"type":"ask"}\n{"ty'), [0, 1, 2, 3, 4]],
  ])('is cut off on resume: %s', async (_what, tear, expected) => {
    await tear()
    expect(await resumeAndPlay(EPISODES)).toEqual(expected)
    expect((await readFile(eventsPath)).length).toBe((expected.length + 1) * (wholeEvents.length / EPISODES))
  })
})

describe('a journal that was edited by hand', () => {
  const lines = () => whole.toString().split('\n')
  const withLine = (at: number, text: string) => lines().with(at, text).join('\n')
  const changed = (change: object) => JSON.stringify({ ...JSON.parse(lines()[2]!), ...change })

  it.each([
    ['not JSON', () => withLine(2, 'oops'), 'it is not JSON'],
    ['an empty line', () => withLine(2, ''), 'it is not JSON'],
    ['the last line, with its line end', () => withLine(4, '{"index":4'), 'it is not JSON', 5],
    ['another value', () => withLine(2, '[]'), 'it is not an object'],
    ['a status of their own', () => withLine(2, changed({ status: 'great' })), '"status" is not one of answered'],
    ['a score as text', () => withLine(2, changed({ scores: { a: '1' } })), 'the score "a" is not a finite number'],
    ['a negative place', () => withLine(2, changed({ events: [-5, 5] })), '"events" is not an offset and a length'],
    ['no usage', () => withLine(2, changed({ usage: undefined })), '"usage" is not an object'],
    ['two lines in one', () => withLine(2, `${lines()[2]}${lines()[3]}`), 'it is not JSON'],
  ])('%s: one sentence with file and line, and nothing is changed', async (_what, edit, problem, number = 3) => {
    const text = edit()
    await writeFile(episodesPath, text)
    const sentence = {
      name: 'UserError',
      message: expect.stringContaining(`Line ${number} of ${episodesPath} is broken: ${problem}`),
    }
    const run = await store.openRun('run')
    await expect(run.episodes()).rejects.toMatchObject(sentence)
    await expect(store.resumeRun('run')).rejects.toMatchObject(sentence)
    expect(await readFile(episodesPath, 'utf8')).toBe(text)
    expect(await readFile(eventsPath)).toEqual(wholeEvents)
    // The lock was given back: after mending it goes on.
    await writeFile(episodesPath, whole)
    expect(await resumeAndPlay(EPISODES)).toHaveLength(EPISODES)
  })

  it('a deleted line is an episode to play again', async () => {
    await writeFile(episodesPath, lines().toSpliced(1, 1).join('\n'))
    expect(await resumeAndPlay(1)).toEqual([0, 2, 3, 4])
  })

  it('a place outside of the events', async () => {
    const text = withLine(2, changed({ events: [wholeEvents.length - 5, 6] }))
    await writeFile(episodesPath, text)
    await expect(store.resumeRun('run')).rejects.toThrow(
      `Line 3 of ${episodesPath} points to byte ${wholeEvents.length + 1} of events.jsonl, which has only`,
    )
    expect(await readFile(episodesPath, 'utf8')).toBe(text)
    const run = await store.openRun('run')
    const episodes = await run.episodes()
    await expect(run.events(episodes[2]!)).rejects.toThrow('which has only')
    await expect(run.events({ ...episodes[2]!, events: [0, 2 ** 50] })).rejects.toThrow('which has only')
    await expect(run.events({ ...episodes[2]!, events: [3, 20] })).rejects.toThrow('not whole lines of JSON')
  })

  it('events that are gone: what can be read without them still can', async () => {
    await rm(eventsPath)
    const run = await store.openRun('run')
    const episodes = await run.episodes()
    expect(episodes).toHaveLength(EPISODES)
    await expect(run.events(episodes[0]!)).rejects.toThrow('is gone')
    await expect(store.resumeRun('run')).rejects.toThrow('which has only 0')
    expect(await readFile(episodesPath)).toEqual(whole)
  })

  it('derived files: a broken report is no report, broken scores are named', async () => {
    const run = await store.openRun('run')
    await writeFile(join(run.dir, 'report.json'), '{"half":')
    expect(await run.report()).toBeUndefined()
    await writeFile(join(run.dir, 'scores-fixed.jsonl'), '{"sample":"a","epoch":1,"scores":{}}\n{"sample":"b"}\n')
    await expect(run.scores('fixed')).rejects.toThrow('Line 2 of')
  })

  it('lines longer than what is read at a time', async () => {
    const long = JSON.stringify({ ...exampleLine(9), error: 'é'.repeat(5_000_000), events: [0, 0] })
    await writeFile(episodesPath, `${whole.toString()}${long}\n${lines()[0]}\n`)
    const { episodes } = await readJournal(episodesPath)
    expect([...episodes.values()].map((line) => line.error?.length)).toContain(5_000_000)
    expect(episodes.size).toBe(EPISODES + 1)
  })
})
