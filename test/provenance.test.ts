import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sightline } from './cli/cli.ts'

let store: string
beforeAll(async () => {
  store = await mkdtemp(join(tmpdir(), 'sightline-provenance-'))
})
afterAll(() => rm(store, { recursive: true, force: true }))

interface MediaEvent {
  type: string
  mediaType: string
  provenance: { made: string; renderer?: string; encoder?: string }
}

it.each([
  ['vsi/explore', ['-T', 'steps=2']],
  ['vsi/video', ['-T', 'frames=2']],
  ['space/vision', ['-T', 'questions=1', '-T', 'tasks=dir']],
  ['articulate/joint', ['-T', 'size=320x240', '-T', 'video=true']],
  ['vsig', ['--source', 'builtin:clips=1,language=en']],
])('records renderer and encoder of every rendered image of %s', async (suite, args) => {
  const dir = await mkdtemp(join(store, 'runs-'))
  const run = ['run', suite, '-m', 'baseline/oracle', '-l', '1', '--log-dir', dir, ...args]
  expect(await sightline(run, { cwd: store })).toMatchObject({ code: 0 })
  const [id] = await readdir(join(dir, 'runs'))
  const text = await readFile(join(dir, 'runs', id!, 'events.jsonl'), 'utf8')
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as MediaEvent)
  const rendered = events.filter(
    ({ type, provenance }) => type === 'media' && (provenance.made === 'render' || 'renderer' in provenance),
  )
  expect(rendered.length).toBeGreaterThan(0)
  for (const { provenance } of rendered) {
    expect(provenance).toMatchObject({
      renderer: expect.stringMatching(/^sightline .* \d+$/),
      encoder: expect.stringMatching(/\d/),
    })
  }
})
