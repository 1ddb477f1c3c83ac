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

describe('a run from start to end', () => {
  it('gives back what was put in: header, episodes in order of their cases, events, report, scores', async () => {
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

  it('takes the last line of an episode that was played again, and counts it once', async () => {
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

  it('refuses what could not be read back, and goes on with the rest', async () => {
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

  it('clears what a killed process left half written, once it is old', async () => {
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

  it('leaves no unfinished files behind', async () => {
    await finishedRun('run', '2026-01-01T00:00:00.000Z')
    expect((await readdir(join(store.dir, 'runs', 'run'))).sort()).toEqual([
      'episodes.jsonl',
      'events.jsonl',
      'run.json',
      'state.json',
    ])
  })
})

describe('ids', () => {
  it('says when, what and who, and sorts by time', () => {
    const id = newRunId('space/text', 'openai/gpt-5.2', new Date('2026-11-15T10:02:33.456Z'))
    expect(id).toMatch(/^2026-11-15T10-02-33_space-text_gpt-5\.2_[2-9a-z]{4}$/)
    expect(newRunId('space/text', 'openai/gpt-5.2', new Date('2026-11-15T10:02:34Z')) > id).toBe(true)
  })

  it.each([
    ['vsi/explore', 'openrouter/meta-llama/llama-4:free'],
    ['../../etc', '../..'],
    ['', ''],
    ['x'.repeat(500), '名前/模型'],
  ])('is a plain file name for %j and %j', (suite, model) => {
    const id = newRunId(suite, model, new Date())
    expect(isRunId(id)).toBe(true)
    expect(id.length).toBeLessThan(200)
  })

  it.each(['', '.', '..', '../x', 'a/b', 'a\\b', '.hidden', '-rf', 'a b', 'a\0', 'latest', 'é', 'x'.repeat(300)])(
    'never leads out of the store: %j',
    async (id) => {
      expect(isRunId(id)).toBe(false)
      await expect(store.createRun(exampleHeader({ id }))).rejects.toThrow('cannot be the id of a run')
      await expect(store.openRunById(id)).rejects.toThrow('cannot be the id of a run')
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
  ])('%s', async (name, suffix) => {
    expect((await store.openRun(name)).header.id).toMatch(new RegExp(`${suffix}$`))
  })

  it('by the path of its folder, from another store too', async () => {
    const elsewhere = await Store.open(join(folder, 'other'))
    const path = join(store.dir, 'runs', '2026-02-01T00-00-00_vsi-video_a_cccc')
    expect((await elsewhere.openRun(path)).header.suite).toBe('space/text')
    await expect(elsewhere.openRun('latest')).rejects.toThrow('no run')
    await expect(elsewhere.openRun(join(path, '..'))).rejects.toThrow('not the folder of a run')
    await mkdir(join(elsewhere.dir, 'runs'), { recursive: true })
    await expect(elsewhere.resumeRun(path)).rejects.toThrow('not in the store')
  })

  it('says which runs a short name could mean, and which are near a wrong one', async () => {
    await expect(store.openRun('2026-01')).rejects.toThrow(
      'is the start of 2 runs: 2026-01-01T00-00-00_space-text_a_bbbb, 2026-01-02T00-00-00_space-text_b_aaaa.',
    )
    await expect(store.openRun('2026-01-01T00-00-00_space-text_a_bbbc')).rejects.toMatchObject({
      message: expect.stringContaining('There is no run 2026-01-01T00-00-00_space-text_a_bbbc'),
      hint: expect.stringContaining('Nearest: 2026-01-01T00-00-00_space-text_a_bbbb'),
    })
  })

  it('lists the newest first, and tells what it cannot read', async () => {
    await mkdir(join(store.dir, 'runs', 'empty'))
    await mkdir(join(store.dir, 'runs', 'broken'))
    await writeFile(join(store.dir, 'runs', 'broken', 'run.json'), '{"format":2}')
    const problems: string[] = []
    const runs = await store.listRuns({ onProblem: (sentence) => problems.push(sentence) })
    expect(runs.map(({ id, finished, status }) => [id.slice(-4), finished, status.state])).toEqual([
      ['cccc', 1, 'done'],
      ['aaaa', 2, 'done'],
      ['bbbb', 1, 'done'],
    ])
    expect(problems).toEqual([
      expect.stringMatching(/broken.run\.json cannot be read as the header of a run: at "format"/),
    ])
  })

  it('counts episodes also when the state is lost or older than the journal', async () => {
    const [newest] = await store.listRuns()
    await rm(join(newest!.dir, 'state.json'))
    const [again] = await store.listRuns()
    expect(again).toMatchObject({ finished: 1, status: { state: 'interrupted' } })
  })

  it('will not start a run twice', async () => {
    const id = '2026-02-01T00-00-00_vsi-video_a_cccc'
    const before = await readFile(join(store.dir, 'runs', id, 'episodes.jsonl'), 'utf8')
    await expect(store.createRun(exampleHeader({ id }))).rejects.toThrow('There is already a run')
    expect(await readFile(join(store.dir, 'runs', id, 'episodes.jsonl'), 'utf8')).toBe(before)
  })
})

describe('what stands in the way', () => {
  it('a file where the store should be', async () => {
    const path = join(folder, 'file')
    await writeFile(path, '')
    await expect(Store.open(path)).rejects.toThrow(`${path} is a file; the store of runs must be a folder.`)
    const below = await Store.open(join(path, 'below')).catch((error: unknown) => error)
    expect(below).toMatchObject({ name: 'UserError', message: expect.stringContaining('a file stands where a folder') })
  })

  it('a file where a folder of the store should be', async () => {
    await mkdir(store.dir)
    for (const name of ['runs', 'media', 'replies']) await writeFile(join(store.dir, name), '')
    const sentence = { name: 'UserError', message: expect.stringContaining('a file stands where a folder is expected') }
    await expect(store.createRun(exampleHeader({ id: 'run' }))).rejects.toMatchObject(sentence)
    await expect(store.media.keep(new Uint8Array(3), 'image/png')).rejects.toMatchObject(sentence)
    await expect(store.replies.put('ab'.repeat(32), 1)).rejects.toMatchObject(sentence)
  })

  it('a run folder that is deleted or moved under the writer', async () => {
    const writer = await store.createRun(exampleHeader({ id: 'run' }))
    await writer.append(exampleLine(0), [])
    await rm(store.dir, { recursive: true })
    await expect(writer.append(exampleLine(1), [])).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringContaining('was deleted or replaced while the run was being written'),
    })
    await expect(writer.setStatus({ state: 'done', reason: null })).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringContaining('is gone'),
    })
    await writer.close()
  })

  it('a journal that someone edits while it is written: nothing of either is lost', async () => {
    const writer = await store.createRun(exampleHeader({ id: 'run', planned: 3 }))
    await writer.append(exampleLine(0), [])
    const path = join(store.dir, 'runs', 'run', 'episodes.jsonl')
    const theirs = `${JSON.stringify({ ...exampleLine(1), events: [0, 0] })}\n`
    await writeFile(path, theirs, { flag: 'a' })
    await expect(writer.append(exampleLine(2), [])).rejects.toThrow('was changed by something else')
    await writer.close()
    expect((await (await store.openRun('run')).episodes()).map((line) => line.index)).toEqual([0, 1])
  })

  it('a link in the place of a run folder is only followed for the user who names it', async () => {
    await finishedRun('run', '2026-01-01T00:00:00.000Z')
    const link = join(folder, 'link')
    await symlink(join(store.dir, 'runs', 'run'), link)
    expect((await store.openRun(link)).header.id).toBe('run')
  })
})
