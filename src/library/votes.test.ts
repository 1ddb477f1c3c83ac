import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testEnvironment } from '../../test/support/engine.ts'
import { planRun } from '../engine/plan.ts'
import { startRun } from '../engine/run.ts'
import type { Store } from '../store/store.ts'
import { vbench } from '../suites/vbench/suite.ts'
import { createBallot, Voting } from './votes.ts'

let root: string
let store: Store
const runs: string[] = []
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'votes-'))
  const here = await testEnvironment(root)
  store = here.store
  const options = { dimension: 'color', samples: 1, tier: 'none' }
  for (const seed of [1, 2]) {
    const plan = await planRun({ suite: vbench, models: { player: 'baseline/noise' }, options, seed })
    runs.push((await startRun(plan, here)).id)
  }
}, 60_000)
afterAll(() => rm(root, { recursive: true, force: true }))

test('votes are blinded, kept, resumed and taken back', async () => {
  const { id, questions } = await createBallot(store, { runs, seed: 0, count: 10 })
  expect(questions).toHaveLength(3)
  expect((await createBallot(store, { runs: runs.toReversed(), seed: 0, count: 10 })).id).toBe(id)
  const voting = new Voting(store)
  const start = await voting.state(id, 'ada')
  expect(start).toMatchObject({ done: 0, total: 3, canUndo: false })
  for (const run of runs) expect(JSON.stringify(start)).not.toContain(run)
  const left = start.question!.left.sha256

  // The page may send a vote twice; the second changes nothing.
  await voting.vote(id, 'ada', start.question!.key, 'left')
  const after = await voting.vote(id, 'ada', start.question!.key, 'right')
  expect(after).toMatchObject({ done: 1, canUndo: true })
  const back = await voting.undo(id, 'ada')
  expect(back.question).toEqual(start.question)
  await voting.vote(id, 'ada', start.question!.key, 'left')

  // Another process goes on, whatever a crash left at the end of the file.
  const folder = join(root, 'votes', id)
  const file = (await readdir(folder)).find((name) => name.startsWith('rater-'))
  await appendFile(join(folder, file!), '{"key": "hal')
  const again = new Voting(store)
  const next = await again.state(id, 'ada')
  expect(next.done).toBe(1)
  await again.vote(id, 'ada', next.question!.key, 'tie')
  await again.vote(id, 'ada', (await again.state(id, 'ada')).question!.key, 'skip')
  expect(await again.state(id, 'ada')).toMatchObject({ done: 3, question: null })
  expect((await readFile(join(folder, file!), 'utf8')).match(/"undo"/g)).toHaveLength(1)

  const bob = await voting.state(id, 'bob')
  await voting.vote(id, 'bob', bob.question!.key, bob.question!.left.sha256 === left ? 'left' : 'right')
  const report = await voting.report(id)
  expect(report).toMatchObject({ votes: 3, skipped: 1, questions: 3, notes: [] })
  const won = questions.find(({ key }) => key === start.question!.key)!
  const winner = won.a.media.sha256 === left ? won.a.run : won.b.run
  const ratio = (run: string) => report.ratios.find((each) => each.run === run)!.ratio
  expect(ratio(winner)).toBeGreaterThanOrEqual(0.5)
  expect(runs.reduce((sum, run) => sum + ratio(run), 0)).toBeCloseTo(1, 12)
  expect(report.correlations).toMatchObject([{ dimension: 'color', models: 0, spearman: null }])
  expect(await voting.list()).toMatchObject([{ id, total: 3, raters: [{ name: 'ada' }, { name: 'bob', done: 1 }] }])
})

test('refuses what cannot be voted on', async () => {
  await expect(createBallot(store, { runs: [runs[0]!], seed: 0, count: 1 })).rejects.toThrow('two or more')
  const scene = createBallot(store, { runs, dimensions: ['scene'], seed: 0, count: 1 })
  await expect(scene).rejects.toThrow('no video of the same prompt')
  const voting = new Voting(store)
  await expect(voting.state('../../etc', 'ada')).rejects.toThrow('is not the id of a ballot')
  await expect(voting.state('votes-000000000000', 'ada')).rejects.toThrow('no ballot')
  const { id } = await createBallot(store, { runs, seed: 0, count: 10 })
  await expect(voting.vote(id, 'ada', 'nothing', 'left')).rejects.toThrow('not on the ballot')
})

test('a ballot that was not made to its end is made again, and hides no other', async () => {
  const voting = new Voting(store)
  const { id } = await createBallot(store, { runs, seed: 5, count: 10 })
  await mkdir(join(root, 'votes', 'votes-000000000000'))
  await rm(join(root, 'votes', id, 'ballot.json'))
  const known = new Set((await voting.list()).map((row) => row.id))
  await createBallot(store, { runs, seed: 5, count: 10 })
  const all = (await voting.list()).map((row) => row.id)
  expect(all.filter((each) => !known.has(each))).toEqual([id])
})

test.skipIf(process.platform === 'win32')('votes do not follow a link out of the store', async () => {
  const voting = new Voting(store)
  const { id } = await createBallot(store, { runs, seed: 6, count: 10 })
  const elsewhere = join(root, 'elsewhere')
  await symlink(elsewhere, join(root, 'votes', id, `rater-${Buffer.from('eve').toString('hex')}.jsonl`))
  const { question } = await voting.state(id, 'eve')
  await expect(voting.vote(id, 'eve', question!.key, 'left')).rejects.toThrow('links are not followed')
  expect(await readdir(root)).not.toContain('elsewhere')
})
