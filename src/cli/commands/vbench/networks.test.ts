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

/** What a server sends that drops the first connection halfway. */
function flaky(request: IncomingMessage, response: ServerResponse): void {
  const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
  asked.push(request.headers.range ?? 'all')
  response.writeHead(from > 0 ? 206 : 200, { 'Content-Length': CONTENT.length - from })
  if (asked.length > 1) return void response.end(CONTENT.subarray(from))
  response.write(CONTENT.subarray(0, CONTENT.length / 2), () => response.destroy())
}

async function download(sha256: string, serve: typeof flaky): Promise<{ code: number; said: string }> {
  const server = createServer(serve)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}/network.pth`
  const program =
    'import sys, pathlib, checkpoints; checkpoints.download(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3])'
  try {
    const args = ['-c', program, url, join(folder, 'network.pth'), sha256]
    const { stdout } = await promisify(execFile)(PYTHON, args, {
      env: { ...process.env, PYTHONPATH: TOOLS, PYTHONDONTWRITEBYTECODE: '1' },
    })
    return { code: 0, said: stdout }
  } catch (error) {
    if (!(error instanceof Error) || !('stderr' in error) || !('code' in error)) throw error
    return { code: Number(error.code), said: String(error.stderr) }
  } finally {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
}

describe.skipIf(!hasPython)('a checkpoint', () => {
  it('continues where a dropped connection stopped', async () => {
    expect(await download(SHA256.slice(0, 8), flaky)).toMatchObject({ code: 0 })
    expect(asked).toHaveLength(2)
    expect(asked[1]).toMatch(/^bytes=\d{3,}-$/)
    expect(CONTENT.equals(await readFile(join(folder, 'network.pth')))).toBe(true)
    expect(await readdir(folder)).toEqual(['network.pth'])
  })

  it('that was left unfinished starts again if the server sends all of it', async () => {
    await writeFile(join(folder, 'network.pth.part'), 'something else')
    const all: typeof flaky = (_, response) => void response.end(CONTENT)
    expect(await download(SHA256, all)).toMatchObject({ code: 0 })
    expect(CONTENT.equals(await readFile(join(folder, 'network.pth')))).toBe(true)
  })

  it('with another checksum than the published one is not kept', async () => {
    const { code, said } = await download('00000000', (_, response) => void response.end(CONTENT))
    expect(code).toBe(1)
    expect(said).toContain('does not have the published checksum')
    expect(await readdir(folder)).toEqual([])
  })

  it('that is not there is said at once', async () => {
    const { code, said } = await download('', (request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(404).end()
    })
    expect(code).toBe(1)
    expect(said).toContain('404')
    expect(asked).toHaveLength(1)
  })
})
