import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { sha256 } from '../../../base/hash.ts'
import { readManifest } from '../../../suites/vbench/samples/manifest.ts'
import { videoSeed } from '../../../suites/vbench/domain/seeds.ts'
import { makeFilm } from '../../../suites/vbench/baselines/films/film.ts'
import { builtinPromptSuite } from '../../../suites/vbench/samples/builtin.ts'
import { sample } from './sample.ts'

const some = { prompts: 'builtin', dimension: ['scene'], samples: 2, json: true }
let root: string
let clip: Uint8Array
let server: Server
let generator: string
let seeds: number[] = []
let answer: Uint8Array
let printed = ''

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vbench-sample-'))
  clip = await makeFilm('a red vase, pan left', 1)
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      seeds.push((JSON.parse(body) as { seed: number }).seed)
      response.setHeader('content-type', 'video/mp4').end(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  generator = `http://127.0.0.1:${(server.address() as AddressInfo).port}/videos`
}, 60_000)
afterAll(async () => {
  server.close()
  await rm(root, { recursive: true, force: true })
})
beforeEach(() => {
  answer = clip
  seeds = []
  printed = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
})
afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = undefined
})

async function sampled(name: string, { store = name, seed }: { store?: string; seed?: number } = {}): Promise<unknown> {
  printed = ''
  const logDir = join(root, `${store}-log`)
  await sample({ ...some, generator, output: join(root, name), logDir, ...(seed === undefined ? {} : { seed }) })
  return JSON.parse(printed)
}

test('gives every video its own seed and records it in the manifest', async () => {
  expect(await sampled('all', { seed: 0 })).toMatchObject({ planned: 6, made: 6, kept: 0, failed: 0, seed: 0 })
  expect(new Set(seeds).size).toBe(6)
  const { lines } = await readManifest(join(root, 'all'))
  expect(lines.get('classroom-1.mp4')).toMatchObject({
    prompt: 'classroom',
    text: 'classroom',
    index: 1,
    seed: videoSeed(0, 'classroom', 1),
    generator: generator.replace('://', ' '),
    frames: 16,
    fps: 8,
    width: 320,
    height: 192,
    bytes: clip.length,
    sha256: sha256(clip),
  })
  expect((await readdir(join(root, 'all'))).filter((name) => name.startsWith('.'))).toEqual([])
}, 60_000)

test('continues with the same command: restores missing videos from the store, or generates them again', async () => {
  const folder = join(root, 'resumed')
  const damage = async () => {
    await rm(join(folder, 'classroom-0.mp4'))
    await truncate(join(folder, 'bathroom-1.mp4'), 100)
  }
  await sampled('resumed', { seed: 5 })
  await damage()
  const manifest = join(folder, 'manifest.jsonl')
  await writeFile(manifest, `${await readFile(manifest, 'utf8')}{"file": "ha`)
  seeds = []
  expect(await sampled('resumed')).toMatchObject({ made: 2, kept: 4, failed: 0, seed: 5 })
  expect(seeds).toEqual([])
  expect((await readManifest(folder)).broken).toBe(0)
  expect(sha256(await readFile(join(folder, 'classroom-0.mp4')))).toBe(sha256(clip))

  await damage()
  expect(await sampled('resumed', { store: 'another' })).toMatchObject({ made: 2, kept: 4, failed: 0, seed: 5 })
  expect(new Set(seeds)).toEqual(new Set([videoSeed(5, 'classroom', 0), videoSeed(5, 'bathroom', 1)]))
  await expect(sampled('resumed', { seed: 6 })).rejects.toThrow('seed 5, not 6')
  // Videos of one set are of one model, and of one text per prompt.
  const logDir = join(root, 'mixed-log')
  const other = { ...some, output: folder, logDir }
  await expect(sample({ ...other, generator: 'built-in' })).rejects.toThrow(/has videos of http .*, not of/)
  const texts = join(root, 'texts.txt')
  const { entries } = builtinPromptSuite()
  await writeFile(texts, entries.map(({ prompt }) => `${prompt} at noon\n`).join(''))
  await expect(sample({ ...other, generator, rewritten: texts })).rejects.toThrow('has videos of other texts')
}, 60_000)

test('does not keep a reply that is not a video, and asks for it again', async () => {
  answer = Buffer.from('not a video')
  await expect(sampled('broken', { seed: 1 })).rejects.toThrow(/the generated file is not a video/)
  expect((await readdir(join(root, 'broken'))).filter((name) => name.endsWith('.mp4'))).toEqual([])
  answer = clip
  expect(await sampled('broken')).toMatchObject({ made: 6, failed: 0 })
}, 60_000)
