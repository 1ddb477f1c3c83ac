import { createServer, type Server } from 'node:http'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../base/hash.ts'
import type { ModelDeps } from '../deps.ts'
import { openModel } from '../providers/open.ts'
import { Prices } from '../prices.ts'
import type { ModelRequest } from '../types.ts'
import { commandGenerator, splitWords } from './command.ts'
import { videoType } from '../../media/video-type.ts'
import { httpGenerator } from './http.ts'
import { generatorSettings, openGenerator } from './open.ts'

const signal = new AbortController().signal
/** The first bytes of an MP4, which is all that is checked. */
const video = Buffer.from('\0\0\0\x14ftypisom\0\0\0\0isom', 'latin1')
let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'generators-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

describe('a command', () => {
  test('receives prompt and seed as arguments, never through a shell', async () => {
    const script = `const fs = require('fs'); const [, , video, prompt, seed, out] = process.argv;
      fs.writeFileSync(video + '.asked', prompt + '|' + seed); fs.copyFileSync(video, out)`
    const path = join(root, 'video.mp4')
    await writeFile(path, video)
    await writeFile(join(root, 'make.cjs'), script)
    const generator = commandGenerator(
      `${process.execPath} '${join(root, 'make.cjs')}' "${path}" {prompt} {seed} {out}`,
      null,
    )
    const text = '$(touch pwned); "quoted" `x` && rm -rf /'
    expect(await generator.make({ text, seed: 7, index: 0, signal })).toEqual(Buffer.from(video))
    expect(await readFile(`${path}.asked`, 'utf8')).toBe(`${text}|7`)
  })

  test('that fails reports its exit code and last error line', async () => {
    const failing = commandGenerator(
      `${process.execPath} -e "console.error('out of memory'); process.exit(3)" {out}`,
      null,
    )
    await expect(failing.make({ text: 'x', seed: 1, index: 0, signal })).rejects.toThrow(/3: out of memory/)
    expect(() => commandGenerator('make {prompt}', null)).toThrow('no {out} placeholder')
    expect(splitWords(`a "b c" d'e f'`)).toEqual(['a', 'b c', 'de f'])
  })
})

describe('a server', () => {
  let server: Server
  let url: string
  const asked: string[] = []
  let busy = 1
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`)
      const json = (value: unknown, status = 200) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(value))
      }
      const sendVideo = () => {
        response.writeHead(200, { 'content-type': 'video/mp4' })
        response.end(video)
      }
      const path = request.url ?? ''
      if (path === '/v1/videos')
        json(busy-- > 0 ? { error: 'busy' } : { id: 'job/1', status: 'queued' }, busy >= 0 ? 503 : 200)
      else if (path === '/v1/videos/job%2F1') json({ status: asked.length > 5 ? 'completed' : 'in_progress' })
      else if (path === '/v1/videos/job%2F1/content' || path === '/direct') sendVideo()
      else if (path === '/link') json({ status: 'succeeded', video_url: '/direct' })
      else if (path === '/inline') json({ b64_json: Buffer.from(video).toString('base64') })
      else if (path === '/failed') json({ id: 1, status: 'failed', error: { message: 'not allowed' } })
      else if (path === '/file') json({ status: 'done', video_url: 'file:///etc/passwd' })
      else if (path === '/nothing') json({ hello: 'there' })
      else if (path === '/full') json({ error: 'all busy' }, 503)
      else json({ error: 'no such thing' }, 404)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))
  const ask = (path: string, more: { timeoutMs?: number; retries?: number } = {}) =>
    httpGenerator({ url: url + path, key: 'secret', pollMs: 5, ...more }).make({
      text: 'x',
      seed: 1,
      index: 0,
      signal,
    })

  test('is polled until the video is ready, with a retry after an overload', async () => {
    expect(await ask('/v1/videos')).toEqual(Buffer.from(video))
    expect(asked.at(-1)).toBe('GET /v1/videos/job%2F1/content Bearer secret')
  })

  test('that times out: the error includes the last failure', async () => {
    await expect(ask('/full', { timeoutMs: 2000, retries: 50 })).rejects.toThrow(
      /no video from .* within 2 s: HTTP 503 from .*all busy/,
    )
  })

  test.each(['/direct', '/link', '/inline'])('can return the video immediately: %s', async (path) => {
    expect(await ask(path)).toEqual(Buffer.from(video))
  })

  test.each([
    ['/failed', 'not allowed'],
    ['/file', 'only http and https are supported'],
    ['/nothing', 'neither a video nor a job id'],
    ['/gone', 'HTTP 404'],
  ])('that returns no video: the error says why (%s)', async (path, words) => {
    await expect(ask(path)).rejects.toThrow(words)
  })
})

describe('a generator as a player', () => {
  /** Dependencies with an in-memory store. */
  function fakeDeps(command: string): { deps: ModelDeps; kept: Map<string, Uint8Array>; log: string[] } {
    const kept = new Map<string, Uint8Array>()
    const replies = new Map<string, unknown>()
    const log: string[] = []
    const deps: ModelDeps = {
      readMedia: (ref) => Promise.resolve(kept.get(ref.sha256)!),
      storeMedia: (bytes, type) => {
        kept.set(sha256(bytes), bytes)
        return Promise.resolve({ sha256: sha256(bytes), type, bytes: bytes.length })
      },
      hasMedia: ({ sha256: hash }) => Promise.resolve(kept.has(hash)),
      generators: { mine: { command, model: 'mine-1' } },
      replies: {
        get: (key) => Promise.resolve(replies.get(key)),
        put: (key, value) => {
          replies.set(key, JSON.parse(JSON.stringify(value)))
          return Promise.resolve()
        },
      },
      env: {},
      options: {},
      maxRetries: 0,
      timeoutMs: 1000,
      prices: new Prices([]),
      log: (line) => log.push(line),
    }
    return { deps, kept, log }
  }
  const request = (text: string, seed: number): ModelRequest => ({
    messages: [{ role: 'user', content: text }],
    sampling: { seed },
    epoch: 1,
    origin: { sampleId: 'a', ordinal: 0, role: 'player' },
  })
  /** A command that writes a video and counts its runs. */
  async function countingCommand(name: string): Promise<{ command: string; count: () => Promise<number> }> {
    const source = join(root, `${name}.mp4`)
    await writeFile(source, video)
    const script = join(root, `${name}.cjs`)
    await writeFile(
      script,
      `const fs = require('fs'); const [, , seed, out] = process.argv
       fs.appendFileSync(${JSON.stringify(`${source}.count`)}, 'x'); fs.writeFileSync(out, Buffer.concat([fs.readFileSync(${JSON.stringify(source)}), Buffer.from(seed)]))`,
    )
    return {
      command: `${process.execPath} ${script} {seed} {out} {prompt}`,
      count: async () => (await readFile(`${source}.count`, 'utf8')).length,
    }
  }

  test('of a run from elsewhere does not get the key, unless the user has named its address', async () => {
    const destinations = { allowed: [], variables: [], thisMachine: true, hint: 'Allow it.', variableHint: '' }
    const { deps } = fakeDeps('unused {out}')
    const url = 'http://attacker.example/v1/videos'
    await expect(openModel(`generator/${url}`, { ...deps, destinations })).rejects.toThrow(
      `at ${url}, an address that nobody on this machine has named`,
    )
    const named = { ...destinations, allowed: [{ url }] }
    await (await openModel(`generator/${url}`, { ...deps, destinations: named })).close()
    await (await openModel('generator/mine', { ...deps, destinations })).close()
  })

  test('generates a video once per prompt and seed, and again if the file is gone', async () => {
    const { command, count } = await countingCommand('once')
    const { deps, kept } = fakeDeps(command)
    const model = await openModel('generator/mine', deps)
    const first = await model.ask(request('a fox', 7), signal)
    expect(first).toMatchObject({ text: '', cached: false, media: [{ type: 'video/mp4' }] })
    expect(Buffer.from(kept.get(first.media![0]!.sha256)!).subarray(video.length).toString()).toBe('7')
    expect(await model.ask(request('a fox', 7), signal)).toMatchObject({ cached: true, media: first.media })
    expect(await count()).toBe(1)
    await model.ask(request('a fox', 8), signal)
    kept.clear()
    expect((await model.ask(request('a fox', 7), signal)).cached).toBe(false)
    expect(await count()).toBe(3)
    await model.close()
  })

  test('reports a failed generation as a model error and rejects unknown names', async () => {
    const page = join(root, 'page.cjs')
    await writeFile(page, `require('fs').writeFileSync(process.argv[2], '<html>')`)
    const bad = await openModel('generator/mine', fakeDeps(`${process.execPath} ${page} {out}`).deps)
    await expect(bad.ask(request('x', 1), signal)).rejects.toMatchObject({ name: 'ModelError', kind: 'bad-reply' })
    const gone = await openModel('generator/mine', fakeDeps('there-is-no-such-program {out}').deps)
    await expect(gone.ask(request('x', 1), signal)).rejects.toThrow(
      'generator/mine: Program not found: there-is-no-such-program.',
    )
    await expect(openModel('generator/min', fakeDeps('x {out}').deps)).rejects.toThrow('Unknown generator "min"')
  })

  test('accepts commands only from the config, and any URL', () => {
    expect(() => openGenerator('cmd:rm -rf {out}', {}, {})).toThrow('Unknown generator')
    expect(openGenerator('http://localhost:9/v1/videos', {}, {})).toMatchObject({ name: 'http localhost:9/v1/videos' })
    expect(generatorSettings.safeParse({ url: 'http://x', key: 'secret' }).success).toBe(false)
  })
})

test.each([
  ['\0\0\0\x14ftypisom', 'video/mp4'],
  ['\0\0\0\x14ftypqt  ', 'video/quicktime'],
  ['GIF89a', 'image/gif'],
  ['\x1aE\xdf\xa3webm', 'application/octet-stream'],
  ['<html>', null],
  ['', null],
])('%j is %s', (bytes, type) => {
  expect(videoType(Buffer.from(bytes, 'latin1'))).toBe(type)
})
