import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exampleHeader, exampleLine } from '../../test/support/store.ts'
import { upgradeHeader, upgradeLine } from './old-spellings.ts'
import { Store } from './store.ts'

const PARTS = { suite: 'space/text', cases: 'all', 'option.rooms': '3' }

let folder: string
let runFolder: string
let store: Store
/** A finished run with the spellings of version 0.1: `case` in lines, `cases` in the fingerprint. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-old-spellings-'))
  store = await Store.open(folder)
  const fingerprint = { parts: PARTS, hash: '0123456789ab' }
  const writer = await store.createRun(exampleHeader({ id: 'run', planned: 3, fingerprint }))
  for (let i = 0; i < 3; i++) await writer.append(exampleLine(i), [`{"index":${i}}`])
  await writer.setStatus({ state: 'done', reason: null })
  await writer.close()
  runFolder = join(folder, 'runs', 'run')
  const journal = join(runFolder, 'episodes.jsonl')
  const text = await readFile(journal, 'utf8')
  await writeFile(journal, text.replaceAll('"sample":', '"case":'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const readText = (name: string): Promise<string> => readFile(join(runFolder, name), 'utf8')

describe('a run of version 0.1', () => {
  it('reads the journal', async () => {
    expect(await readText('episodes.jsonl')).not.toContain('"sample"')
    const run = await store.openRun('run')
    const episodes = await run.episodes()
    expect(episodes.map(({ sample }) => sample)).toEqual([0, 1, 2].map((i) => exampleLine(i).sample))
    expect(episodes[1]).toMatchObject(exampleLine(1))
    expect(episodes[1]).not.toHaveProperty('case')
    for (const line of episodes) expect(await run.events(line)).toEqual([{ index: line.index }])
    expect((await run.episodesSince(0)).lines).toEqual(episodes)
  })

  it('reads a last line without a newline', async () => {
    await writeFile(join(runFolder, 'episodes.jsonl'), (await readText('episodes.jsonl')).trimEnd())
    expect(await (await store.openRun('run')).episodes()).toHaveLength(3)
  })

  it('reads a scores file', async () => {
    const rows = [
      { suiteVersion: 1, journalBytes: 77 },
      { case: 'a', epoch: 1, scores: { accuracy: 0.5 } },
      { case: 'b', epoch: 2, scores: {} },
    ]
    await writeFile(join(runFolder, 'scores-loose.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    const scores = await (await store.openRun('run')).scores('loose')
    expect(scores).toEqual({
      from: { suiteVersion: 1, journalBytes: 77 },
      scores: new Map([
        ['a#1', { accuracy: 0.5 }],
        ['b#2', {}],
      ]),
    })
  })

  it('reads run.json and keeps the fingerprint hash', async () => {
    expect(await readText('run.json')).toContain('"cases": "all"')
    const { header } = await store.openRun('run')
    const { cases, ...others } = PARTS
    expect(header.fingerprint).toEqual({ parts: { ...others, samples: cases }, hash: '0123456789ab' })
  })

  it('resumes with the new spelling and leaves old lines unchanged', async () => {
    const before = await readText('episodes.jsonl')
    const writer = await store.resumeRun('run')
    expect([...writer.finished.keys()]).toEqual([0, 1, 2].map((i) => `${exampleLine(i).sample}#1`))
    await writer.append(exampleLine(3), [])
    await writer.close()
    const after = await readText('episodes.jsonl')
    expect(after.startsWith(before)).toBe(true)
    expect(JSON.parse(after.slice(before.length))).toMatchObject({ sample: exampleLine(3).sample })
    expect(await (await store.openRun('run')).episodes()).toHaveLength(4)
  })
})

describe('upgrading', () => {
  it.each<[string, unknown]>([
    ['a new line', { sample: 'a', epoch: 1 }],
    ['a line with both spellings', { case: 'x', sample: 'a' }],
    ['null', null],
    ['a list', [1]],
    ['text', 'case'],
  ])('leaves %s unchanged', (_what, value) => {
    expect(upgradeLine(value)).toEqual(value)
  })

  it.each<[string, unknown]>([
    ['a new header', { fingerprint: { parts: { samples: 'all' }, hash: 'x' } }],
    ['a header without a fingerprint', { format: 1 }],
    ['a header with an invalid fingerprint', { fingerprint: { parts: 3 } }],
    ['null', null],
  ])('leaves %s unchanged', (_what, value) => {
    expect(upgradeHeader(value)).toEqual(value)
  })
})
