/** The checkpoints that `vbench networks` downloads and reads: what of it needs no PyTorch. */
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
  const program = `import sys, pathlib, checkpoints; url, sha256, folder = *sys.argv[1:3], pathlib.Path(sys.argv[3])
${what}`
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

/** Makes `network.pth` name a command that leaves a file, in the two forms of PyTorch's checkpoints. */
const HOSTILE = `
import collections, os, pickle, pathlib, zipfile, safe_load
class Command:
    def __reduce__(self): return (os.system, (f"touch {folder / 'ran'}",))
content = collections.OrderedDict(weights={}, settings=Command())
place, legacy = folder / "network.pth", url == "legacy"
if legacy:
    with place.open("wb") as file:
        for part in (safe_load.MAGIC, 1001, {}, content, []): pickle.dump(part, file, protocol=2)
else:
    with zipfile.ZipFile(place, "w") as archive: archive.writestr("network/data.pkl", pickle.dumps(content, protocol=2))
`
const WRITE_SOME = `import write_all, safe_load, sys
def write(name):
    if name == "clip": import nowhere
    if name == "dino": raise write_all.Missing("its code is missing")
    if name == "musiq": from math import nothing
    if name == "umt": raise RuntimeError("torchvision is broken")
    if name == "raft": raise safe_load.CheckpointError("raft.pth cannot be read")
    print(name, "written")
print(write_all.write_all(["clip", "dino", "musiq", "raft", "umt", "amt"], write, url.split()))`

describe.skipIf(!hasPython)('networks that cannot be written', () => {
  it('do not stop the others', async () => {
    const { said } = await python('', '', WRITE_SOME)
    expect(said.split('\n').filter(Boolean)).toEqual([
      'clip             not written: its code needs the Python package nowhere',
      'dino             not written: its code is missing',
      expect.stringMatching(/^musiq            not written: cannot import name 'nothing' from 'math'/),
      'raft             not written: raft.pth cannot be read',
      'umt              not written: RuntimeError: torchvision is broken',
      'amt written',
      'Not written, for the reasons above: clip, dino, musiq, raft, umt.',
    ])
  })

  it('do not fail the command if no dimension needs them and their code or checkpoint is missing', async () => {
    const { said } = await python('clip dino musiq raft', '', WRITE_SOME)
    expect(said).toContain(
      'dino             not written: its code is missing (only VBench-Long and VBench-I2V use it)\n',
    )
    expect(said).toMatch(/\nNot written, for the reasons above: musiq, raft, umt\.\n$/)
    expect((await python('clip dino', '', WRITE_SOME.replace('"musiq", "raft", "umt", ', ''))).said).toMatch(/None\n$/)
  })

  it.each([
    [
      'is missing',
      '',
      /^\S+ has no package \w+: give the Python of the published evaluator, with onnx and onnxruntime\.\n$/,
    ],
    ['has another version', 'from math import nothing', /^\S+: cannot import name 'nothing' from 'math'[^\n]*\n$/],
  ])('because a package %s', async (_, onnx, expected) => {
    if (onnx !== '') await writeFile(join(folder, 'onnx.py'), onnx)
    // Without installed packages.
    const { status, stderr } = spawnSync(
      PYTHON,
      ['-S', join(TOOLS, 'export.py'), '--published', folder, '--out', folder],
      {
        encoding: 'utf8',
        env: { ...process.env, PYTHONPATH: folder },
      },
    )
    expect(status).toBe(1)
    expect(stderr).toMatch(expected)
  })
})

/** PyTorch itself is needed for tensors alone. */
const READ_HOSTILE = `import sys, types; sys.modules.setdefault("torch", types.ModuleType("torch"))
${HOSTILE}
found = safe_load.read(place)
print(list(found), type(found["settings"]).__name__)`

const HAS_TORCH = spawnSync(PYTHON, ['-c', 'import torch']).status === 0
const TENSORS = `
import argparse, torch, safe_load
given = dict(a=torch.randn(3, 4)[1:, ::2].half(), b=torch.arange(5), c=torch.zeros(0), d=torch.nn.Parameter(torch.ones(2, 2).t()))
torch.save({**given, "args": argparse.Namespace(steps=3)}, folder / "network.pth", _use_new_zipfile_serialization=url != "legacy")
safe_load.guard_torch()
found = torch.load(folder / "network.pth", map_location="cpu")
print(all(torch.equal(found[name], given[name]) and found[name].dtype == given[name].dtype for name in given))
torch.jit.script(torch.nn.Linear(2, 2)).save(folder / "program.pt")
try: torch.load(folder / "program.pt")
except safe_load.CheckpointError as error: print(error)`

describe.skipIf(!hasPython).each(['legacy', 'zip'])('a checkpoint in the %s format', (format) => {
  it('runs nothing that it names', async () => {
    const { code, said } = await python(format, '', READ_HOSTILE)
    expect({ code, said }).toEqual({ code: 0, said: "['weights', 'settings'] Placeholder\n" })
    expect(await readdir(folder)).toEqual(['network.pth'])
    // The file is what it claims to be.
    const trusting = format === 'zip' ? 'zipfile.ZipFile(place).open("network/data.pkl")' : 'place.open("rb")'
    await python(format, '', `${HOSTILE}\nwith ${trusting} as file:\n  while True: pickle.load(file)`)
    expect(await readdir(folder)).toContain('ran')
  })

  it('that is damaged is named', async () => {
    const cut = `${READ_HOSTILE.split('found =')[0]}
data = place.read_bytes()
place.write_bytes(data[: len(data) // 2])
try: safe_load.read(place)
except safe_load.CheckpointError as error: print(error)`
    expect(await python(format, '', cut)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/network\.pth cannot be read as a checkpoint of PyTorch: .+\.\n$/),
    })
  })

  it.skipIf(!HAS_TORCH)('has the same tensors, and programs of TorchScript are refused', async () => {
    const { code, said } = await python(format, '', TENSORS)
    expect({ code, said }).toEqual({
      code: 0,
      said: expect.stringMatching(/^True\n.+program\.pt .*: it is a program of TorchScript\.\n$/),
    })
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
