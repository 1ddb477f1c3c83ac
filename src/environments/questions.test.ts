import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { encodePng } from '../media/image.ts'
import { parseQuestionsFile } from '../questions/read-file.ts'
import { questionSuite } from '../questions/suite.ts'
import { Environment } from './environment.ts'
import { Session } from './session.ts'

const FILE = `
format: 1
name: discs
data: { files: rows.jsonl }
columns: { id: id, question: question, options: options, answer: answer, images: image }
`

it('serves questions about files, to every session anew', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-served-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const row = { id: 'a', question: 'Where?', options: ['left', 'right'], answer: 'B', image: 'a.png' }
  await writeFile(join(folder, 'rows.jsonl'), JSON.stringify(row))
  const pixels = { width: 4, height: 4, channels: 3 as const, data: new Uint8Array(48).fill(99) }
  await writeFile(join(folder, 'a.png'), await encodePng(pixels))
  const suite = questionSuite(parseQuestionsFile(FILE, 'discs.yaml'), folder)
  const environment = await Environment.open({ suite, test: true })
  for (let i = 0; i < 2; i++) {
    const session = new Session(environment, () => 0)
    const { observation } = await session.reset({ seed: 0 })
    const image = { type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/png;base64,/) } }
    expect(observation.messages).toMatchObject([{ content: [image, { type: 'text' }] }])
    expect(await session.step('B')).toMatchObject({ done: true, reward: 1 })
  }
})
