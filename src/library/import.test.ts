import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defineSuite, type ImportedEpisode, oneOf, type SampleBase, user } from '../suite.ts'
import { score } from './results.ts'
import { importReplies, resume } from './run.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-import-'))
})
afterEach(() => rm(folder, { recursive: true }))

interface Turn extends SampleBase {
  answer: 'north' | 'south'
}

/** Its importer reads lines of `answer: reply`, or `id: reply` with a source. */
const turns = defineSuite({
  name: 'turns',
  version: 1,
  samples: [
    { id: 'a', cluster: 'a', labels: {}, answer: 'north' },
    { id: 'b', cluster: 'b', labels: {}, answer: 'south' },
  ] as Turn[],
  ask: () => [user`Where?`],
  read: oneOf('north', 'south'),
  truth: ({ answer }) => answer,
  importer: {
    title: 'lists of answers',
    async read(path, { source }) {
      const known = new Map<string, Turn>()
      for await (const sample of source?.samples() ?? []) known.set(sample.id, sample)
      const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
      const episodes = lines.map((line, i): ImportedEpisode<Turn> => {
        const [key, ...replies] = line.split(': ')
        const answer = key === 'south' ? 'south' : 'north'
        const sample = known.get(key!) ?? { id: `line-${i}`, cluster: `line-${i}`, labels: {}, answer }
        return { sample, replies: { player: replies } }
      })
      return { model: 'compass-1', notes: ['Two notes.'], episodes }
    },
  },
})

async function imported(text: string, options: { source?: string } = {}) {
  const path = join(folder, 'answers.txt')
  await writeFile(path, text)
  const notes: string[] = []
  const onNote = (note: string): number => notes.push(note)
  return { ...(await importReplies(turns, path, { store: folder, suites: [turns], onNote, ...options })), notes }
}

describe('importing replies for a suite', () => {
  it('parses and scores them like those of a model', async () => {
    const { state, progress, report, notes, id } = await imported('north: I think north.\nsouth: north\nsouth: hm\n')
    expect(state).toBe('done')
    expect(notes).toEqual(['Two notes.'])
    expect(report.models).toEqual({ player: 'imported/compass-1' })
    expect(progress.byStatus).toEqual({ answered: 2, parse_failed: 1 })
    expect(progress.score?.value).toBeCloseTo(1 / 3)
    expect(await score(id, { store: folder, suites: [turns] })).toMatchObject({ episodes: 3 })
  })

  it('pairs them with the samples of a source', async () => {
    const { report, progress } = await imported('b: south\n', { source: 'builtin' })
    expect(progress).toMatchObject({ planned: 1, finished: 1, score: { value: 1 } })
    expect(report.models).toEqual({ player: 'imported/compass-1' })
  })

  it('ends an episode that asks for more replies than there are with a model error', async () => {
    expect((await imported('north\n')).progress.byStatus).toEqual({ model_error: 1 })
  })

  it('explains what it cannot do', async () => {
    await expect(imported('')).rejects.toMatchObject({ hint: 'turns reads lists of answers.' })
    const { id } = await imported('north: north\n')
    await expect(resume(id, { store: folder, suites: [turns] })).rejects.toThrow('was imported and cannot be resumed')
    const { importer: _, ...other } = turns
    await expect(importReplies(other, 'x', { store: folder })).rejects.toThrow(
      'turns cannot import files of other tools',
    )
  })
})
