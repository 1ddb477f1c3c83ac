/** The audit of a question suite sees the options as a reader of the file would: their text, length and place. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Random } from '../base/random.ts'
import { auditSuite } from '../engine/audit/audit.ts'
import { parseQuestionsFile } from './read-file.ts'
import { questionSuite } from './suite.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-blind-'))
})
afterAll(() => rm(folder, { recursive: true }))

const WORDS = 'red blue green wooden metal glass round square small large old new soft hard'.split(' ')

async function blindScore(write: (random: Random) => { options: string[]; answer: number }): Promise<number> {
  const random = new Random('questions/audit')
  const rows = Array.from({ length: 160 }, (_, i) => {
    const { options, answer } = write(random)
    return { scene: `s${Math.floor(i / 4)}`, question: 'Which one is it?', options, answer: 'ABCD'[answer] }
  })
  await writeFile(join(folder, 'rows.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'))
  const file = `
format: 1
name: things
data: { files: rows.jsonl }
columns: { question: question, options: options, answer: answer, cluster: scene }
`
  const audit = await auditSuite({ suite: questionSuite(parseQuestionsFile(file, 'things.yaml'), folder) })
  return audit.rows.find(({ key }) => key === 'correct')!.blind!
}

const words = (random: Random, count: number): string =>
  random
    .shuffle([...WORDS])
    .slice(0, count)
    .join(' ')

it.each([
  ['the longest option is right', 5, 0.95, 1],
  ['options are alike', 2, 0, 0.4],
])('%s', async (_, length, least, most) => {
  const blind = await blindScore((random) => {
    const answer = random.int(4)
    return { answer, options: Array.from({ length: 4 }, (_, i) => words(random, i === answer ? length : 2)) }
  })
  expect(blind).toBeGreaterThanOrEqual(least)
  expect(blind).toBeLessThanOrEqual(most)
})
