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
let original: Buffer
let originalEvents: Buffer

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
  original = await readFile(episodesPath)
  originalEvents = await readFile(eventsPath)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Resumes, appends one more episode and verifies that everything is readable. */
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

describe('an incomplete end', () => {
  it('is skipped by readers, wherever the cut is', async () => {
    const path = join(folder, 'cut.jsonl')
    for (let bytes = original.length - 1000; bytes <= original.length; bytes++) {
      const cut = original.subarray(0, bytes)
      await writeFile(path, cut)
      const { episodes, completeBytes, lacksNewline } = await readJournal(path)
      const ends = cut.filter((byte) => byte === 0x0a).length
      // A line without its newline is complete.
      expect(episodes.size).toBe(ends + (lacksNewline ? 1 : 0))
      expect(lacksNewline).toBe(bytes < original.length && original[bytes] === 0x0a)
      expect(completeBytes).toBe(lacksNewline ? bytes : cut.lastIndexOf(0x0a) + 1)
    }
  })

  it.each([
    ['half a line', () => truncate(episodesPath, original.length - 100), [0, 1, 2, 3]],
    ['only the newline lost', () => truncate(episodesPath, original.length - 1), [0, 1, 2, 3, 4]],
    ['everything lost', () => truncate(episodesPath, 0), []],
    ['half a character', () => appendFile(episodesPath, Buffer.from([0x7b, 0xc3])), [0, 1, 2, 3, 4]],
    ['zeros after a power failure', () => appendFile(episodesPath, Buffer.alloc(5000)), [0, 1, 2, 3, 4]],
    ['events whose line was never written', () => appendFile(eventsPath, '{"type":"ask"}\n{"ty'), [0, 1, 2, 3, 4]],
  ])('is truncated on resume: %s', async (_what, tear, expected) => {
    await tear()
    expect(await resumeAndPlay(EPISODES)).toEqual(expected)
    expect((await readFile(eventsPath)).length).toBe((expected.length + 1) * (originalEvents.length / EPISODES))
  })
})

it('a missing journal next to events is an error, and nothing is cut off', async () => {
  await rm(episodesPath)
  await expect(resumeAndPlay(EPISODES)).rejects.toMatchObject({
    message: expect.stringContaining('episodes.jsonl is missing'),
    hint: expect.stringContaining('delete events.jsonl to play every episode again'),
  })
  expect(await readFile(eventsPath)).toEqual(originalEvents)
  await rm(eventsPath)
  expect(await resumeAndPlay(EPISODES)).toEqual([])
})

describe('an edited journal', () => {
  const lines = () => original.toString().split('\n')
  const withLine = (at: number, text: string) => lines().with(at, text).join('\n')
  const changed = (change: object) => JSON.stringify({ ...JSON.parse(lines()[2]!), ...change })

  it.each([
    ['not JSON', () => withLine(2, 'oops'), 'not valid JSON'],
    ['an empty line', () => withLine(2, ''), 'not valid JSON'],
    ['the last line, with its newline', () => withLine(4, '{"index":4'), 'not valid JSON', 5],
    ['another value', () => withLine(2, '[]'), 'not an object'],
    ['an unknown status', () => withLine(2, changed({ status: 'great' })), '"status" is not one of answered'],
    ['a score as text', () => withLine(2, changed({ scores: { a: '1' } })), 'score "a" is not a finite number'],
    ['a negative offset', () => withLine(2, changed({ events: [-5, 5] })), '"events" is not [offset, length]'],
    ['no usage', () => withLine(2, changed({ usage: undefined })), '"usage" is not an object'],
    ['two lines in one', () => withLine(2, `${lines()[2]}${lines()[3]}`), 'not valid JSON'],
  ])('reports file and line, and changes nothing: %s', async (_what, edit, problem, number = 3) => {
    const text = edit()
    await writeFile(episodesPath, text)
    const expected = {
      name: 'UserError',
      message: expect.stringContaining(`Line ${number} of ${episodesPath} is invalid: ${problem}`),
    }
    const run = await store.openRun('run')
    await expect(run.episodes()).rejects.toMatchObject(expected)
    await expect(store.resumeRun('run')).rejects.toMatchObject(expected)
    expect(await readFile(episodesPath, 'utf8')).toBe(text)
    expect(await readFile(eventsPath)).toEqual(originalEvents)
    // The lock was released, so it resumes once the file is fixed.
    await writeFile(episodesPath, original)
    expect(await resumeAndPlay(EPISODES)).toHaveLength(EPISODES)
  })

  it('replays the episode of a deleted line', async () => {
    await writeFile(episodesPath, lines().toSpliced(1, 1).join('\n'))
    expect(await resumeAndPlay(1)).toEqual([0, 2, 3, 4])
  })

  it('reports a byte range outside the events', async () => {
    const text = withLine(2, changed({ events: [originalEvents.length - 5, 6] }))
    await writeFile(episodesPath, text)
    await expect(store.resumeRun('run')).rejects.toThrow(
      `Line 3 of ${episodesPath} points to byte ${originalEvents.length + 1} of events.jsonl, which has only`,
    )
    expect(await readFile(episodesPath, 'utf8')).toBe(text)
    const run = await store.openRun('run')
    const episodes = await run.episodes()
    await expect(run.events(episodes[2]!)).rejects.toThrow('which has only')
    await expect(run.events({ ...episodes[2]!, events: [0, 2 ** 50] })).rejects.toThrow('which has only')
    await expect(run.events({ ...episodes[2]!, events: [3, 20] })).rejects.toThrow('not complete lines of JSON')
  })

  it('reads episodes without the events file', async () => {
    await rm(eventsPath)
    const run = await store.openRun('run')
    const episodes = await run.episodes()
    expect(episodes).toHaveLength(EPISODES)
    await expect(run.events(episodes[0]!)).rejects.toThrow('does not exist')
    await expect(store.resumeRun('run')).rejects.toThrow('which has only 0')
    expect(await readFile(episodesPath)).toEqual(original)
  })

  it('ignores an invalid report and reports invalid scores', async () => {
    const run = await store.openRun('run')
    await writeFile(join(run.dir, 'report.json'), '{"half":')
    expect(await run.report()).toBeUndefined()
    await writeFile(join(run.dir, 'scores-fixed.jsonl'), '{"sample":"a","epoch":1,"scores":{}}\n{"sample":"b"}\n')
    await expect(run.scores('fixed')).rejects.toThrow('Line 2 of')
  })

  it('reads lines longer than a chunk', async () => {
    const long = JSON.stringify({ ...exampleLine(9), error: 'é'.repeat(5_000_000), events: [0, 0] })
    await writeFile(episodesPath, `${original.toString()}${long}\n${lines()[0]}\n`)
    const { episodes } = await readJournal(episodesPath)
    expect([...episodes.values()].map((line) => line.error?.length)).toContain(5_000_000)
    expect(episodes.size).toBe(EPISODES + 1)
  })
})

it('a line with tens of thousands of scores is refused in a long run: tables have a column for each', async () => {
  const line = (index: number, scores: Record<string, number>) =>
    JSON.stringify({ ...exampleLine(index), scores, events: [0, 0] })
  const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`s${i}`, 1]))
  const path = join(folder, 'names.jsonl')
  const others = Array.from({ length: 2_000 }, (_, i) => line(i + 1, { score: 1 }))
  await writeFile(path, [line(0, many), ...others, ''].join('\n'))
  await expect(readJournal(path)).rejects.toThrow(/60\d{3} different scores and labels in 1\d{3} episodes/)
  await writeFile(path, [...others, ''].join('\n'))
  expect((await readJournal(path)).episodes.size).toBe(2_000)
})
