import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exampleHeader, exampleLine } from '../../test/support/store.ts'
import { isRunId, newRunId } from './run-id.ts'
import { Store } from './store.ts'

let folder: string
let store: Store
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-store-'))
  store = await Store.open(join(folder, '.sightline'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function finishedRun(id: string, created: string, episodes = 1): Promise<void> {
  const writer = await store.createRun(exampleHeader({ id, created, planned: episodes }))
  for (let i = 0; i < episodes; i++) await writer.append(exampleLine(i), [`{"type":"answer","text":"ü${i}"}`])
  await writer.setStatus({ state: 'done', reason: null })
  await writer.close()
}

describe('a run', () => {
  it('stores its header, episodes, events, report and scores', async () => {
    const header = exampleHeader({ id: 'run', planned: 4, options: { rooms: 2, nested: [1, { a: null }] } })
    const writer = await store.createRun(header)
    const events = (i: number) => ['{"type":"ask"}', JSON.stringify({ type: 'answer', text: `näh\n${i}` })]
    await Promise.all([3, 1, 0].map((i) => writer.append(exampleLine(i), events(i))))
    await writer.append({ ...exampleLine(2), status: 'model_error', error: 'no\nanswer', scores: {} }, [])

    const run = await store.openRun('run')
    expect(await run.status()).toMatchObject({ state: 'running', pid: process.pid })
    await run.keepReport('{"score":1}')
    await writer.setStatus({ state: 'interrupted', reason: 'The budget is spent.' })
    await writer.close()

    expect(run.header).toEqual(header)
    expect(await run.status()).toMatchObject({ state: 'interrupted', reason: 'The budget is spent.', pid: null })
    const episodes = await run.episodes()
    expect(episodes.map((line) => line.index)).toEqual([0, 1, 2, 3])
    expect(episodes[2]).toMatchObject({ status: 'model_error', error: 'no\nanswer' })
    for (const line of episodes) {
      expect(await run.events(line)).toEqual(line.index === 2 ? [] : events(line.index).map((text) => JSON.parse(text)))
    }
    expect(await run.report()).toEqual({ score: 1 })
    expect(await run.scores('fixed')).toBeUndefined()
    const from = { suiteVersion: 1, journalBytes: 77 }
    await run.writeScores('fixed', from, [{ sample: 'a#1', epoch: 2, scores: { accuracy: 0.5 } }])
    expect(await run.scores('fixed')).toEqual({ from, scores: new Map([['a#1#2', { accuracy: 0.5 }]]) })
  })

  it('uses the last line of a replayed episode and counts it once', async () => {
    await finishedRun('run', '2026-01-01T00:00:00.000Z', 2)
    const writer = await store.resumeRun('run')
    expect([...writer.finished.keys()]).toEqual(['scene-0/question-0#1', 'scene-0/question-1#1'])
    await writer.append({ ...exampleLine(1), scores: { accuracy: 0.25 } }, ['{"again":true}'])
    await writer.append(exampleLine(0, 2), [])
    await writer.close()
    const run = await store.openRun('run')
    const episodes = await run.episodes()
    expect(episodes.map((line) => [line.index, line.epoch])).toEqual([
      [0, 1],
      [0, 2],
      [1, 1],
    ])
    expect(episodes[2]!.scores).toEqual({ accuracy: 0.25 })
    expect(await run.events(episodes[2]!)).toEqual([{ again: true }])
    expect((await store.listRuns())[0]!.finished).toBe(3)
  })

  it('rejects invalid episodes and records the others', async () => {
    const writer = await store.createRun(exampleHeader({ id: 'run' }))
    const results = await Promise.allSettled([
      writer.append({ ...exampleLine(0), scores: { accuracy: Number.NaN } }, []),
      writer.append(exampleLine(1), ['{"a":\n1}']),
      writer.append(exampleLine(2), ['{}']),
    ])
    await writer.close()
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect((await (await store.openRun('run')).episodes()).map((line) => line.index)).toEqual([2])
    await expect(writer.append(exampleLine(3), [])).rejects.toThrow('closed')
  })

  it('removes old temporary files of killed processes', async () => {
    await finishedRun('run', '2026-01-01T00:00:00.000Z')
    const run = join(store.dir, 'runs', 'run')
    await mkdir(join(store.dir, 'tmp'))
    const old = [join(store.dir, 'tmp', '.abc.1-0.tmp'), join(run, '.state.json.1-0.tmp')]
    const fresh = join(store.dir, 'tmp', '.def.2-0.tmp')
    for (const path of [...old, fresh]) await writeFile(path, 'half')
    for (const path of old) await utimes(path, new Date(0), new Date(0))
    await (await store.resumeRun('run')).close()
    expect(await readdir(join(store.dir, 'tmp'))).toEqual(['.def.2-0.tmp'])
    expect((await readdir(run)).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('leaves no temporary files behind', async () => {
    await finishedRun('run', '2026-01-01T00:00:00.000Z')
    expect((await readdir(join(store.dir, 'runs', 'run'))).sort()).toEqual([
      'episodes.jsonl',
      'events.jsonl',
      'run.json',
      'state.json',
    ])
  })
})

describe('run ids', () => {
  it('contain time, suite and model, and sort by time', () => {
    const id = newRunId('space/text', 'openai/gpt-5.2', new Date('2026-11-15T10:02:33.456Z'))
    expect(id).toMatch(/^2026-11-15T10-02-33_space-text_gpt-5\.2_[2-9a-z]{4}$/)
    expect(newRunId('space/text', 'openai/gpt-5.2', new Date('2026-11-15T10:02:34Z')) > id).toBe(true)
  })

  it.each([
    ['vsi/explore', 'openrouter/meta-llama/llama-4:free'],
    ['../../etc', '../..'],
    ['', ''],
    ['x'.repeat(500), '名前/模型'],
  ])('are plain file names for %j and %j', (suite, model) => {
    const id = newRunId(suite, model, new Date())
    expect(isRunId(id)).toBe(true)
    expect(id.length).toBeLessThan(200)
  })

  it.each(['', '.', '..', '../x', 'a/b', 'a\\b', '.hidden', '-rf', 'a b', 'a\0', 'latest', 'é', 'x'.repeat(300)])(
    'reject %j',
    async (id) => {
      expect(isRunId(id)).toBe(false)
      await expect(store.createRun(exampleHeader({ id }))).rejects.toThrow('is not a valid run id')
      await expect(store.openRunById(id)).rejects.toThrow('is not a valid run id')
    },
  )
})

describe('finding a run', () => {
  beforeEach(async () => {
    await finishedRun('2026-01-02T00-00-00_space-text_b_aaaa', '2026-01-02T00:00:00.000Z', 2)
    await finishedRun('2026-01-01T00-00-00_space-text_a_bbbb', '2026-01-01T00:00:00.000Z')
    await finishedRun('2026-02-01T00-00-00_vsi-video_a_cccc', '2026-02-01T00:00:00.000Z')
  })

  it.each([
    ['latest', 'cccc'],
    ['2026-01-02', 'aaaa'],
    ['2026-01-01T00-00-00_space-text_a_bbbb', 'bbbb'],
  ])('by %s', async (name, suffix) => {
    expect((await store.openRun(name)).header.id).toMatch(new RegExp(`${suffix}$`))
  })

  it('by the path of its folder, also from another store', async () => {
    const elsewhere = await Store.open(join(folder, 'other'))
    const path = join(store.dir, 'runs', '2026-02-01T00-00-00_vsi-video_a_cccc')
    expect((await elsewhere.openRun(path)).header.suite).toBe('space/text')
    await expect(elsewhere.openRun('latest')).rejects.toThrow('No runs in')
    await expect(elsewhere.openRun(join(path, '..'))).rejects.toThrow('is not a run folder')
    await mkdir(join(elsewhere.dir, 'runs'), { recursive: true })
    await expect(elsewhere.resumeRun(path)).rejects.toThrow('not in the store')
  })

  it('by a symbolic link to its folder', async () => {
    await finishedRun('run', '2026-01-01T00:00:00.000Z')
    const link = join(folder, 'link')
    await symlink(join(store.dir, 'runs', 'run'), link)
    expect((await store.openRun(link)).header.id).toBe('run')
  })

  it('lists matching runs for an ambiguous prefix, and close matches or the newest runs for a wrong id', async () => {
    await expect(store.openRun('2026-01')).rejects.toThrow(
      'matches 2 runs: 2026-01-01T00-00-00_space-text_a_bbbb, 2026-01-02T00-00-00_space-text_b_aaaa.',
    )
    await expect(store.openRun('2026-01-01T00-00-00_space-text_a_bbbc')).rejects.toMatchObject({
      message: expect.stringContaining('Run 2026-01-01T00-00-00_space-text_a_bbbc not found'),
      hint: expect.stringContaining('Closest matches: 2026-01-01T00-00-00_space-text_a_bbbb'),
    })
    await expect(store.openRun('nope')).rejects.toMatchObject({
      hint: expect.stringContaining('Newest runs: 2026-02-01T00-00-00_vsi-video_a_cccc, 2026-01-02T00-00-00_space'),
    })
  })

  it('lists the newest first and reports unreadable runs', async () => {
    await mkdir(join(store.dir, 'runs', 'empty'))
    await mkdir(join(store.dir, 'runs', 'broken'))
    await writeFile(join(store.dir, 'runs', 'broken', 'run.json'), '{"format":2}')
    const problems: string[] = []
    const runs = await store.listRuns({ onProblem: (problem) => problems.push(problem) })
    expect(runs.map(({ id, finished, status }) => [id.slice(-4), finished, status.state])).toEqual([
      ['cccc', 1, 'done'],
      ['aaaa', 2, 'done'],
      ['bbbb', 1, 'done'],
    ])
    expect(problems).toEqual([expect.stringMatching(/Invalid run header .*broken.run\.json: at "format"/)])
  })

  it('counts episodes if the state is missing or outdated', async () => {
    const [newest] = await store.listRuns()
    await rm(join(newest!.dir, 'state.json'))
    const [again] = await store.listRuns()
    expect(again).toMatchObject({ finished: 1, status: { state: 'interrupted' } })
  })

  it('rejects a duplicate run id', async () => {
    const id = '2026-02-01T00-00-00_vsi-video_a_cccc'
    const before = await readFile(join(store.dir, 'runs', id, 'episodes.jsonl'), 'utf8')
    await expect(store.createRun(exampleHeader({ id }))).rejects.toThrow('already exists')
    expect(await readFile(join(store.dir, 'runs', id, 'episodes.jsonl'), 'utf8')).toBe(before)
  })
})

describe('reports', () => {
  it('a file in place of the store', async () => {
    const path = join(folder, 'file')
    await writeFile(path, '')
    await expect(Store.open(path)).rejects.toThrow(`${path} is a file, but the store must be a folder.`)
    const below = await Store.open(join(path, 'below')).catch((error: unknown) => error)
    expect(below).toMatchObject({
      name: 'UserError',
      message: expect.stringContaining('a file is in the place of a folder'),
    })
  })

  it('a file in place of a folder of the store', async () => {
    await mkdir(store.dir)
    for (const name of ['runs', 'media', 'replies']) await writeFile(join(store.dir, name), '')
    const expected = { name: 'UserError', message: expect.stringContaining('a file is in the place of a folder') }
    await expect(store.createRun(exampleHeader({ id: 'run' }))).rejects.toMatchObject(expected)
    await expect(store.media.keep(new Uint8Array(3), 'image/png')).rejects.toMatchObject(expected)
    await expect(store.replies.put('ab'.repeat(32), 1)).rejects.toMatchObject(expected)
  })

  it('a run folder that is deleted while it is written', async () => {
    const writer = await store.createRun(exampleHeader({ id: 'run' }))
    await writer.append(exampleLine(0), [])
    await rm(store.dir, { recursive: true })
    await expect(writer.append(exampleLine(1), [])).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringContaining('was deleted or replaced while the run was being written'),
    })
    await expect(writer.setStatus({ state: 'done', reason: null })).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringContaining('does not exist'),
    })
    await writer.close()
  })

  it('a journal that is edited while it is written, without losing either change', async () => {
    const writer = await store.createRun(exampleHeader({ id: 'run', planned: 3 }))
    await writer.append(exampleLine(0), [])
    const path = join(store.dir, 'runs', 'run', 'episodes.jsonl')
    const theirs = `${JSON.stringify({ ...exampleLine(1), events: [0, 0] })}\n`
    await writeFile(path, theirs, { flag: 'a' })
    await expect(writer.append(exampleLine(2), [])).rejects.toThrow('was modified by another program')
    await writer.close()
    expect((await (await store.openRun('run')).episodes()).map((line) => line.index)).toEqual([0, 1])
  })
})
