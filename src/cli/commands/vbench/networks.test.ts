/** The checkpoints that `vbench networks --download` fetches: the part of it that needs no PyTorch. */
import { execFile, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const PYTHON = 'python3'
const hasPython = spawnSync(PYTHON, ['--version']).status === 0
const TOOLS = resolve(import.meta.dirname, '../../../../tools/vbench-export')
const CONTENT = randomBytes(300_000)
const SHA256 = createHash('sha256').update(CONTENT).digest('hex')

let folder: string
let asked: string[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-checkpoints-'))
  asked = []
})
afterEach(() => rm(folder, { recursive: true, force: true }))

type Serve = (request: IncomingMessage, response: ServerResponse) => void

const ETAG = '"one"'
const PART = CONTENT.subarray(0, 100_000)

/** A server whose file is `CONTENT`, in the version `ETAG`. */
const resumable: Serve = (request, response) => {
  const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
  const continues = from > 0 && request.headers['if-range'] === ETAG
  asked.push(request.headers.range ?? 'all')
  if (continues && from >= CONTENT.length)
    return void response.writeHead(416, { 'Content-Range': `bytes */${CONTENT.length}` }).end()
  const rest = continues ? CONTENT.subarray(from) : CONTENT
  const range = { 'Content-Range': `bytes ${from}-${CONTENT.length - 1}/${CONTENT.length}` }
  response.writeHead(continues ? 206 : 200, { ETag: ETAG, 'Content-Length': rest.length, ...(continues ? range : {}) })
  response.end(rest)
}

/** Drops the first connection halfway. */
const flaky =
  (headers: Record<string, string>): Serve =>
  (request, response) => {
    if (asked.length > 0) return resumable(request, response)
    asked.push('all')
    response.writeHead(200, { ...headers, 'Content-Length': CONTENT.length })
    response.write(CONTENT.subarray(0, CONTENT.length / 2), () => response.destroy())
  }

/** What an interrupted download left. */
async function leave(content: Uint8Array, version: string): Promise<void> {
  await writeFile(join(folder, 'network.pth.part'), content)
  await writeFile(join(folder, 'network.pth.part.version'), version)
}

const DOWNLOAD = 'checkpoints.download(url, folder / "network.pth", sha256)'
const FETCH_MEMBER =
  'checkpoints.ORIGINS["network.pth"] = checkpoints.Origin(url, member="a/b.pth"); checkpoints.fetch(folder, "network.pth")'

async function download(sha256: string, serve: Serve, what = DOWNLOAD): Promise<{ code: number; said: string }> {
  const server = createServer(serve)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  try {
    return await python(`http://127.0.0.1:${address.port}/network.pth`, sha256, what)
  } finally {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
}

async function python(url: string, sha256: string, what = DOWNLOAD): Promise<{ code: number; said: string }> {
  const program = `import sys, pathlib, checkpoints; url, sha256, folder = *sys.argv[1:3], pathlib.Path(sys.argv[3]); ${what}`
  try {
    const { stdout } = await promisify(execFile)(PYTHON, ['-c', program, url, sha256, folder], {
      env: { ...process.env, PYTHONPATH: TOOLS, PYTHONDONTWRITEBYTECODE: '1' },
    })
    return { code: 0, said: stdout }
  } catch (error) {
    if (!(error instanceof Error) || !('stderr' in error) || !('code' in error)) throw error
    return { code: Number(error.code), said: String(error.stderr) }
  }
}

async function expectContent(): Promise<void> {
  expect(CONTENT.equals(await readFile(join(folder, 'network.pth')))).toBe(true)
  expect(await readdir(folder)).toEqual(['network.pth'])
}

describe.skipIf(!hasPython)('a checkpoint', () => {
  it('resumes where a dropped connection stopped', async () => {
    expect(await download(SHA256.slice(0, 8), flaky({ ETag: ETAG }))).toMatchObject({ code: 0 })
    expect(asked).toHaveLength(2)
    expect(asked[1]).toMatch(/^bytes=\d{3,}-$/)
    await expectContent()
  })

  it('starts again if the server does not say which version it sends', async () => {
    expect(await download(SHA256, flaky({ ETag: 'W/"one"' }))).toMatchObject({ code: 0 })
    expect(asked).toEqual(['all', 'all'])
    await expectContent()
  })

  it('that is complete but was not put in its place is not downloaded twice', async () => {
    await leave(CONTENT, ETAG)
    expect(await download(SHA256, resumable)).toMatchObject({ code: 0 })
    expect(asked).toEqual([`bytes=${CONTENT.length}-`])
    await expectContent()
  })

  it.each([
    ['of another version', randomBytes(100), '"other"', resumable, 1],
    ['of which nobody knows the version', randomBytes(100), '', resumable, 1],
    ['that is longer than the file', randomBytes(400_000), ETAG, resumable, 2],
    ['of another version, with a server that does not care', randomBytes(100), '"other"', careless({}), 2],
    ['that continues elsewhere', PART, ETAG, careless({ 'Content-Range': 'bytes 7-299999/300000' }), 2],
    ['of which the server does not say where it continues', PART, ETAG, careless({ 'Content-Range': '' }), 2],
  ])('starts again from a partial file %s', async (_, content, version, serve, requests) => {
    await leave(content, version)
    // No checksum would find the mistake.
    expect(await download('', serve)).toMatchObject({ code: 0 })
    expect(asked).toHaveLength(requests)
    await expectContent()
  })

  it('with another checksum than the published one is not kept', async () => {
    const { code, said } = await download('00000000', resumable)
    expect(code).toBe(1)
    expect(said).toContain('does not have the published checksum')
    expect(await readdir(folder)).toEqual([])
  })

  it.each([
    ['the checksum that the Hub states before it redirects', SHA256, 0],
    ['another one', SHA256.replace(/./g, '0'), 1],
  ])('with %s', async (_, stated, expected) => {
    const { code, said } = await download('', (request, response) => {
      if (request.url === '/stored') return resumable(request, response)
      response.writeHead(302, { Location: '/stored', 'X-Linked-ETag': `"${stated}"` }).end()
    })
    expect(code).toBe(expected)
    expect(said).not.toContain('could not be verified')
    if (expected === 0) return await expectContent()
    expect(said).toContain('does not have the published checksum')
    expect(await readdir(folder)).toEqual([])
  })

  it('without a published checksum is announced as such', async () => {
    const { said } = await download('', resumable)
    expect(said).toContain('could not be verified')
    expect(said).toContain(SHA256)
  })

  it('is not downloaded where others may change it', async () => {
    const { code, said } = await python('http://example.com/network.pth', '')
    expect(code).toBe(1)
    expect(said).toContain('HF_ENDPOINT')
    const redirect: Serve = (_, response) => response.writeHead(302, { Location: 'http://example.com/' }).end()
    expect((await download('', redirect)).said).toContain('without https')
  })

  it('in an archive that is a page instead', async () => {
    const { code, said } = await download('', (_, response) => response.end('<!doctype html>'), FETCH_MEMBER)
    expect(code).toBe(1)
    expect(said).toMatch(/^http\S+ sent no zip archive with a\/b\.pth\. /)
    expect(await readdir(folder)).toEqual([])
  })

  it('that does not exist is reported at once', async () => {
    const { code, said } = await download('', (request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(404).end()
    })
    expect(code).toBe(1)
    expect(said).toContain('404')
    expect(asked).toHaveLength(1)
  })
})

/** A server that continues whatever it is asked to. */
function careless(headers: Record<string, string>): Serve {
  return (request, response) => {
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    if (from === 0) return resumable(request, response)
    asked.push(request.headers.range!)
    const range = `bytes ${from}-${CONTENT.length - 1}/${CONTENT.length}`
    response.writeHead(206, { ETag: ETAG, 'Content-Range': range, ...headers }).end(CONTENT.subarray(from))
  }
}
