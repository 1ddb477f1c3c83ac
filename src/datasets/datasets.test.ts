/** Downloads against a local server that speaks the protocol of the Hugging Face Hub, with its faults. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Dataset, matches, originOf } from './dataset.ts'
import { type DownloadPlan, getDataset, type GetOptions } from './get.ts'
import { DatasetRecord } from './record.ts'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'
const NAME = 'lab/rooms'
const dataset: Dataset = { name: 'rooms', from: { hub: NAME }, unpack: ['**/*.zip'] }

interface Stored {
  body: Uint8Array
  /** In large file storage, on another host. */
  lfs?: boolean
  /** What the listing says instead of the truth. */
  states?: { size?: number; hash?: string }
}

let files: Record<string, Stored>
/** Those of the first commit, once there is a newer one. */
let before: Record<string, Stored>
let newest: string
let gate: number | null
/** Bytes after which the next connections to the storage end. */
let drops: number[]
let ignoresRanges: boolean
let hasTags: boolean
let requests: { at: 'hub' | 'storage'; path: string; range: string | undefined; token: string | undefined }[]
let hub: Server
let storage: Server
let folder: string

beforeAll(async () => {
  hub = await listening((request, response) => {
    note('hub', request)
    if (gate !== null) {
      const error = 'Access to dataset lab/rooms is restricted.'
      response.writeHead(gate, { 'content-type': 'application/json', 'x-error-code': 'GatedRepo' })
      return response.end(JSON.stringify({ error }))
    }
    serveHub(request, response)
  })
  storage = await listening((request, response) => {
    note('storage', request)
    const path = decodeURIComponent(new URL(request.url!, 'http://x').pathname.slice(1))
    const file = (files[path] ?? before[path])!
    serveBytes(file.body, request, response)
  })
})
afterAll(() => {
  hub.close()
  storage.close()
})
beforeEach(async () => {
  files = {
    'README.md': { body: strToU8('# Rooms') },
    'empty.txt': { body: new Uint8Array(0) },
    'data/test #1.jsonl': { body: strToU8('{"id":1}\n') },
    'videos/a.zip': { body: zipSync({ 'a/1.mp4': noise(20_000), '__MACOSX/a/1.mp4': noise(3) }), lfs: true },
    'big.bin': { body: noise(70_000), lfs: true },
  }
  before = {}
  newest = COMMIT
  gate = null
  drops = []
  ignoresRanges = false
  hasTags = true
  requests = []
  folder = join(await mkdtemp(join(tmpdir(), 'sightline data ')), 'rooms')
})
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }))

function note(at: 'hub' | 'storage', { url, headers }: IncomingMessage): void {
  requests.push({ at, path: decodeURIComponent(url!), range: headers.range, token: headers.authorization })
}

function serveHub(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url!, 'http://x')
  const json = (value: unknown, headers = {}): void => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(value))
  }
  const [, wanted] = new RegExp(`^/api/datasets/${NAME}/revision/(.+)$`).exec(url.pathname) ?? []
  if (wanted === 'main' || wanted === COMMIT || wanted === newest) {
    const sha = wanted === 'main' ? newest : wanted
    json({ _id: '1', id: NAME, sha, tags: ['task:qa', 'license:cc-by-4.0'], gated: false, private: false })
    return
  }
  if (
    url.pathname === `/api/datasets/${NAME}/tree/${COMMIT}` ||
    url.pathname === `/api/datasets/${NAME}/tree/${newest}`
  ) {
    const all = Object.entries(url.pathname.endsWith(newest) ? files : before).map(([path, file]) => listed(path, file))
    // Two pages.
    const second = url.searchParams.has('cursor')
    const next = `<http://${request.headers.host}${url.pathname}?recursive=true&cursor=2>; rel="next"`
    json(second ? all.slice(2) : all.slice(0, 2), second ? {} : { link: next })
    return
  }
  const path = decodeURIComponent(url.pathname).slice(`/datasets/${NAME}/resolve/${COMMIT}/`.length)
  const file = files[path] ?? before[path]
  if (file === undefined) {
    response.writeHead(404, { 'x-error-code': 'EntryNotFound' }).end()
    return
  }
  if (file.lfs) {
    const { port } = storage.address() as AddressInfo
    // `localhost` and not 127.0.0.1: another host.
    response.writeHead(302, { location: `http://localhost:${port}/${encodeURIComponent(path)}?signature=x` }).end()
    return
  }
  serveBytes(file.body, request, response)
}

function listed(path: string, { body, lfs, states }: Stored) {
  const size = states?.size ?? body.length
  const oid = createHash('sha1').update(`blob ${body.length}\0`).update(body).digest('hex')
  const sha256 = states?.hash ?? createHash('sha256').update(body).digest('hex')
  return { type: 'file', oid, size, path, ...(lfs && { lfs: { oid: sha256, size, pointerSize: 130 } }) }
}

function serveBytes(body: Uint8Array, request: IncomingMessage, response: ServerResponse): void {
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  const probe = request.headers.range === 'bytes=0-0'
  const [from, to] =
    range && (probe || !ignoresRanges) ? [Number(range[1]), Number(range[2] || body.length - 1)] : [0, body.length - 1]
  const part = body.subarray(from, to + 1)
  response.writeHead(range ? 206 : 200, {
    ...(hasTags && { etag: '"e"' }),
    'content-length': part.length,
    ...(range && { 'content-range': `bytes ${from}-${to}/${body.length}` }),
  })
  const cut = probe ? undefined : drops.shift()
  if (cut === undefined) response.end(part)
  else response.write(part.subarray(0, cut), () => response.destroy())
}

async function listening(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return server
}

function noise(bytes: number): Uint8Array {
  let state = bytes + 1
  return Uint8Array.from({ length: bytes }, () => (state = (state * 1103515245 + 12345) & 0x7fffffff) >> 16)
}

function get(changes: Partial<GetOptions> = {}, wanted = dataset) {
  return getDataset(wanted, {
    url: `http://127.0.0.1:${(hub.address() as AddressInfo).port}`,
    token: 'hf_secret',
    signal: new AbortController().signal,
    folder,
    confirm: async () => {},
    wait: async () => {},
    ...changes,
  })
}

const stored = async (): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.sightline'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()

describe('a dataset on the Hub', () => {
  it('is downloaded, unpacked, recorded, and not downloaded again', async () => {
    let plan: DownloadPlan | undefined
    const first = await get({ confirm: async (each) => void (plan = each) })
    expect(first).toEqual({ folder, from: `${NAME}@${COMMIT}`, files: 5, wasComplete: false, isPinnedHere: true })
    expect(plan).toMatchObject({ license: 'cc-by-4.0', files: 5, kept: 0 })
    expect(await stored()).toEqual(['README.md', 'big.bin', 'data/test #1.jsonl', 'empty.txt', 'videos/a/1.mp4'])
    expect(await readFile(join(folder, 'big.bin'))).toEqual(Buffer.from(files['big.bin']!.body))
    expect(await (await DatasetRecord.read(folder)).check()).toEqual({ intact: 5, damaged: [], missing: [] })
    requests = []
    expect((await get()).wasComplete).toBe(true)
    expect(requests.filter(({ path }) => path.includes('/resolve/'))).toEqual([])
  })

  it('is fetched with a token that no other host sees', async () => {
    await get()
    expect(requests.filter(({ at }) => at === 'hub').every(({ token }) => token === 'Bearer hf_secret')).toBe(true)
    const elsewhere = requests.filter(({ at }) => at === 'storage')
    expect(elsewhere.length).toBeGreaterThan(0)
    expect(elsewhere.every(({ token }) => token === undefined)).toBe(true)
  })

  it('goes on where a dropped connection stopped', async () => {
    files = { 'big.bin': files['big.bin']! }
    drops = [30_000, 0, 20_000]
    await get()
    const ranges = requests.flatMap(({ at, range }) =>
      at === 'hub' || range === undefined || range === 'bytes=0-0' ? [] : [range],
    )
    expect(ranges).toEqual(['bytes=30000-69999', 'bytes=30000-69999', 'bytes=50000-69999'])
    expect((await (await DatasetRecord.read(folder)).check()).intact).toBe(1)
  })

  it('gives up on a connection that brings nothing, and says how to go on', async () => {
    files = { 'big.bin': files['big.bin']! }
    drops = Array.from({ length: 20 }, () => 0)
    await expect(get()).rejects.toThrow(/The download of big.bin fails/)
    // What is not there yet is not intact.
    expect(await (await DatasetRecord.read(folder)).check()).toEqual({ intact: 0, damaged: [], missing: ['big.bin'] })
    drops = []
    await get()
    expect(await stored()).toEqual(['big.bin'])
  })

  it('goes on after it was interrupted', async () => {
    files = { 'big.bin': files['big.bin']! }
    drops = [40_000]
    const stop = new AbortController()
    const waited = async (): Promise<void> => stop.abort(new Error('stopped'))
    await expect(get({ signal: stop.signal, wait: waited })).rejects.toThrow('stopped')
    requests = []
    await get()
    expect(requests.at(-1)!.range).toBe('bytes=40000-69999')
    expect(await readdir(join(folder, '.sightline'))).toEqual(['files.jsonl'])
  })

  it('starts again if the server sends everything instead of the rest', async () => {
    files = { 'big.bin': files['big.bin']! }
    drops = [40_000]
    ignoresRanges = true
    await get()
    expect((await (await DatasetRecord.read(folder)).check()).intact).toBe(1)
  })

  it('is refused if its content is not what the listing states', async () => {
    files['big.bin'] = { ...files['big.bin']!, states: { hash: 'f'.repeat(64) } }
    await expect(get()).rejects.toThrow(/big.bin was downloaded twice/)
    expect(await stored()).not.toContain('big.bin')
  })

  it('is refused before the first byte if the disk is too small, and if the user says no', async () => {
    files['big.bin'] = { ...files['big.bin']!, states: { size: 2 ** 52 } }
    await expect(get()).rejects.toThrow(/GB free, but .* GB are needed/)
    files['big.bin'] = { body: noise(10), lfs: true }
    const no = async (): Promise<void> => {
      throw new Error('no')
    }
    await expect(get({ confirm: no })).rejects.toThrow('no')
    expect(requests.some(({ path }) => path.includes('/resolve/'))).toBe(false)
  })

  it.each([401, 403])('that is gated (%i) is explained', async (status) => {
    gate = status
    await expect(get({ token: undefined })).rejects.toMatchObject({
      message: expect.stringContaining('accept its terms'),
      hint: expect.stringContaining('https://huggingface.co/datasets/lab/rooms'),
    })
    await expect(get()).rejects.toThrow('not open to the account of HF_TOKEN')
  })

  it('that is not there, or whose hub is not, is explained', async () => {
    gate = 404
    await expect(get()).rejects.toThrow(/has no lab\/rooms/)
    await expect(get({ url: 'http://127.0.0.1:1' })).rejects.toThrow(/cannot be used for lab\/rooms/)
  })

  it.each([
    '../x',
    '/etc/x',
    'a/../../x',
    '.sightline/files.jsonl',
    String.raw`a\..\x`,
    'C:x',
    'a//b',
    '.Sightline/x',
    'a./b',
    'NUL',
  ])('cannot write to %s', async (path) => {
    files[path] = { body: strToU8('x') }
    await expect(get()).rejects.toThrow(/cannot be stored/)
    expect(requests.some((request) => request.path.includes('/resolve/'))).toBe(false)
  })

  it('cannot write through a link in its folder', async () => {
    await mkdir(folder, { recursive: true })
    await symlink(tmpdir(), join(folder, 'data'))
    await expect(get()).rejects.toThrow(/is a link/)
  })

  it('can be narrowed to some files', async () => {
    await get({}, { ...dataset, files: ['*.md', 'data/*'] })
    expect(await stored()).toEqual(['README.md', 'data/test #1.jsonl'])
    await expect(get({}, { ...dataset, files: ['*.parquet'] })).rejects.toThrow(/none of the files/)
  })

  it('is checked and removed, but not what others put there', async () => {
    await get()
    await writeFile(join(folder, 'videos/a/1.mp4'), noise(20_001).subarray(1))
    await rm(join(folder, 'README.md'))
    await writeFile(join(folder, 'data/mine.txt'), 'mine')
    const record = await DatasetRecord.read(folder)
    expect(await record.check()).toEqual({ intact: 3, damaged: ['videos/a/1.mp4'], missing: ['README.md'] })
    await record.remove()
    expect(await stored()).toEqual(['data/mine.txt'])
  })

  it('is repaired after a check, damaged files of the right size and files of archives too', async () => {
    await get()
    for (const path of ['videos/a/1.mp4', 'big.bin'])
      await writeFile(join(folder, path), noise(path === 'big.bin' ? 70_001 : 20_001).subarray(1))
    const record = await DatasetRecord.read(folder)
    const { damaged } = await record.check()
    expect(damaged.toSorted()).toEqual(['big.bin', 'videos/a/1.mp4'])
    await record.forget(damaged)
    await get()
    expect(await (await DatasetRecord.read(folder)).check()).toMatchObject({ intact: 5, damaged: [], missing: [] })
  })

  it('is not downloaded twice at once', async () => {
    const meanwhile = async (): Promise<void> => {
      await expect(get()).rejects.toThrow('Another command is downloading rooms')
    }
    await get({ confirm: meanwhile })
  })

  it('from a mirror without tags fails at once', async () => {
    hasTags = false
    files = { 'README.md': files['README.md']! }
    await expect(get()).rejects.toThrow(/no ETag/)
    expect(requests.filter(({ path }) => path.endsWith('README.md')).length).toBeLessThanOrEqual(2)
  })

  it('keeps to the commit of the first download; with a revision, it loses what a newer one no longer has', async () => {
    await get()
    before = files
    newest = 'f'.repeat(40)
    files = { 'README.md': files['README.md']!, 'big2.bin': { body: noise(100), lfs: true } }
    expect(await get()).toMatchObject({ from: `${NAME}@${COMMIT}`, wasComplete: true })
    await rm(join(folder, 'big.bin'))
    expect(await get()).toMatchObject({ from: `${NAME}@${COMMIT}`, wasComplete: false })
    const main = { ...dataset, from: { hub: NAME, revision: 'main' } }
    expect(await get({}, main)).toMatchObject({ from: `${NAME}@${newest}`, isPinnedHere: false })
    expect(await stored()).toEqual(['README.md', 'big2.bin'])
    expect(await (await DatasetRecord.read(folder)).check()).toEqual({ intact: 2, damaged: [], missing: [] })
    expect(await get()).toMatchObject({ from: `${NAME}@${newest}`, wasComplete: true })
  })

  it('is fetched again where a line of its record was cut off', async () => {
    await get()
    const file = join(folder, '.sightline/files.jsonl')
    const lines = (await readFile(file, 'utf8')).trimEnd()
    await writeFile(file, lines.slice(0, -20))
    expect((await get()).wasComplete).toBe(false)
    expect((await get()).wasComplete).toBe(true)
  })
})

describe('an archive', () => {
  const unpacked = async (entries: Parameters<typeof zipSync>[0], change?: (zip: Uint8Array) => void) => {
    const body = zipSync(entries)
    change?.(body)
    files = { 'videos/a.zip': { body, lfs: true } }
    return get()
  }

  it.each(['../../x.mp4', '/x.mp4', String.raw`..\x.mp4`])('cannot write to %s', async (name) => {
    await expect(unpacked({ 'ok.mp4': noise(9), [name]: noise(9) })).rejects.toThrow(/cannot be/)
    expect(await stored()).not.toContain('x.mp4')
  })

  it('cannot bring links', async () => {
    await expect(unpacked({ link: [strToU8('/etc'), { os: 3, attrs: (0o120777 << 16) >>> 0 }] })).rejects.toThrow(
      /is a link/,
    )
  })

  it('with damaged content is refused, and can be replaced', async () => {
    const damage = (zip: Uint8Array): void => void (zip[60]! ^= 255)
    await expect(unpacked({ 'ok.mp4': [noise(5000), { level: 0 }] }, damage)).rejects.toThrow(/cannot be unpacked/)
    await unpacked({ 'ok.mp4': noise(5000) })
    expect(await stored()).toEqual(['videos/ok.mp4'])
  })
})

describe('a commit on GitHub', () => {
  const commit = 'a'.repeat(40)
  const checkout: Dataset = { name: 'code', from: { github: 'lab/code', commit }, files: ['vbench/**'] }
  const archive = (comment: string): Uint8Array => {
    const zip = zipSync({ 'code-aaaa/vbench/info.json': strToU8('{}'), 'code-aaaa/other.txt': strToU8('x') })
    const bytes = Buffer.concat([zip, Buffer.from(comment)])
    bytes.writeUInt16LE(comment.length, zip.length - 2)
    return bytes
  }
  const from = (): Partial<GetOptions> => ({ archives: `http://127.0.0.1:${(storage.address() as AddressInfo).port}` })

  it('is downloaded without its outer folder', async () => {
    files = { [`lab/code/zip/${commit}`]: { body: archive(commit) } }
    expect(await get(from(), checkout)).toMatchObject({ files: 1, wasComplete: false })
    expect(await stored()).toEqual(['vbench/info.json'])
    expect(await get(from(), checkout)).toMatchObject({ wasComplete: true })
  })

  it('is refused if the archive is of another commit', async () => {
    files = { [`lab/code/zip/${commit}`]: { body: archive('b'.repeat(40)) } }
    await expect(get(from(), checkout)).rejects.toThrow(/not that of commit/)
  })
})

it('says whether a commit is named, here or by the first download', () => {
  expect(originOf(dataset)).toBe('Hugging Face lab/rooms, unpinned')
  expect(originOf(dataset, `lab/rooms@${COMMIT}`)).toBe('Hugging Face lab/rooms@0123456, pinned by the first download')
  expect(originOf(dataset, `lab/other@${COMMIT}`)).toBe('Hugging Face lab/rooms, unpinned')
  expect(originOf({ ...dataset, from: { hub: NAME, revision: COMMIT } })).toBe('Hugging Face lab/rooms@0123456')
})

it('matches globs', () => {
  expect(matches('a/b.zip', ['*.zip'])).toBe(false)
  expect(matches('b.zip', ['**/*.zip'])).toBe(true)
  expect(matches('a/c/b.zip', ['**/*.zip'])).toBe(true)
  expect(matches('axzip', ['*.zip'])).toBe(false)
})
