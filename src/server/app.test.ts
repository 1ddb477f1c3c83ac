import { appendFile, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sha256 } from '../base/hash.ts'
import { encodePng, imageSize } from '../media/image.ts'
import type { EpisodeDescription } from '../engine/suite.ts'
import type { CompareDetail, EpisodeColumns, EpisodeDetail, Problem, RunDetail, RunRow, SharedDetail } from './api.ts'
import { exampleLine } from '../../test/support/store.ts'
import { DerivedFiles } from './derived.ts'
import { unpackJson } from './http/packed-json.ts'
import { suiteFinder } from '../library/suites.ts'
import { RunEntry } from './run-entry.ts'
import { type ExampleServer, startExampleServer, writeExampleRun } from '../../test/support/server.ts'

let server: ExampleServer
beforeAll(async () => {
  server = await startExampleServer()
})
afterAll(() => server.close())

const read = async <T>(path: string): Promise<T> => {
  const answer = await server.ask(path)
  expect(answer.status, answer.text).toBe(200)
  return answer.json() as T
}

describe('runs', () => {
  beforeAll(async () => {
    await writeExampleRun(server.store, { id: 'older', created: '2026-11-14T10:00:00.000Z' })
    await writeExampleRun(server.store, { id: 'newer', created: '2026-11-15T10:00:00.000Z', episodes: 5 })
  })

  it('are listed newest first', async () => {
    const rows = await read<RunRow[]>('/api/runs')
    expect(rows.map(({ id }) => id)).toEqual(['newer', 'older'])
    expect(rows[0]).toMatchObject({ suite: 'space/text', state: 'done', planned: 5, finished: 5, usd: 0.0625 })
  })

  it('include header, report and duration', async () => {
    const { row, header, report, ms } = await read<RunDetail>('/api/runs/newer')
    expect(row.finished).toBe(5)
    expect(header.options).toEqual({ rooms: 3 })
    expect(report?.finished).toBe(5)
    expect(ms).toBeCloseTo(5 * 1234.5)
  })

  it('return their episodes as columns', async () => {
    const columns = await read<EpisodeColumns>('/api/runs/newer/episodes')
    expect(columns.index).toEqual([0, 1, 2, 3, 4])
    expect(columns.sample[3]).toBe('scene-0/question-3')
    expect(columns.labels['type']).toEqual({ values: ['object_count', 'room_size'], codes: [0, 1, 0, 1, 0] })
    expect(columns.scores['accuracy']).toEqual([0, 0.166667, 0.333333, 0.5, 0.666667])
  })

  it('describe their episodes when asked, from the log where the suite cannot', async () => {
    const { described } = await read<EpisodeColumns>('/api/runs/newer/episodes')
    const rows = await read<(EpisodeDescription | null)[]>('/api/runs/newer/descriptions?of=4.1,0.1,99.1')
    expect(rows.map((row) => row && Object.keys(row))).toEqual([described, described, null])
    for (const of of ['', '1', '1.1;2.1', Array.from({ length: 201 }, () => '1.1').join(',')]) {
      expect((await server.ask(`/api/runs/newer/descriptions?of=${of}`)).status, of).toBe(400)
    }
  })

  it('are scored on the samples they share, whatever their limits', async () => {
    await writeExampleRun(server.store, { id: 'shorter', episodes: 3 })
    await writeExampleRun(server.store, { id: 'empty', episodes: 0 })
    const shared = await read<SharedDetail>('/api/shared?runs=newer,shorter,empty')
    expect(shared).toMatchObject({
      samples: 3,
      all: 5,
      leftOut: [{ run: { id: 'empty' }, reason: 'no scored episodes' }],
    })
    expect(shared.runs.map(({ row, report }) => [row.id, report.counted])).toEqual([
      ['newer', 3],
      ['shorter', 3],
    ])
    const few = await read<SharedDetail>('/api/shared?runs=newer,shorter&least=0.8')
    expect(few.leftOut).toMatchObject([{ run: { id: 'shorter' }, reason: 'only 3 of 5 samples in common' }])
    const rows = await read<RunRow[]>('/api/runs')
    expect(new Set(rows.filter(({ id }) => id !== 'older').map(({ group }) => group)).size).toBe(1)
    expect((await server.ask('/api/shared?runs=')).status).toBe(400)
    for (const id of ['shorter', 'empty']) await rm(join(server.store.dir, 'runs', id), { recursive: true })
  })

  it('are compressed and cached until something changes', async () => {
    await writeExampleRun(server.store, { id: 'long', episodes: 300 })
    const first = await server.ask('/api/runs/long/episodes', { headers: { 'accept-encoding': 'gzip, br' } })
    expect(first.headers['content-encoding']).toBe('gzip')
    const columns = JSON.parse(gunzipSync(first.body).toString()) as EpisodeColumns
    expect(columns.index).toHaveLength(300)
    const again = await server.ask('/api/runs/long/episodes', { headers: { 'if-none-match': first.headers.etag! } })
    expect(again.status).toBe(304)
    expect(again.body).toHaveLength(0)
  })

  it('return an episode with its events and neighbors', async () => {
    const episode = await read<EpisodeDetail>('/api/runs/newer/episodes/3/1')
    expect(episode.line.sample).toBe('scene-0/question-3')
    expect(episode.events.map(({ type }) => type)).toEqual(['message', 'reply', 'outcome'])
    expect([episode.previous?.index, episode.next?.index]).toEqual([2, 4])
    const last = await read<EpisodeDetail>('/api/runs/newer/episodes/4/1')
    expect(last.next).toBeNull()
  })

  it.each([
    ['a lamp', [0, 1, 2, 3, 4]],
    ['A LAMP', [0, 1, 2, 3, 4]],
    ['"3" chairs', [3]],
    ['room 2?', [2]],
    // Field names and event types are not searched.
    ['outcome', []],
    ['ordinal', []],
    ['no such words', []],
    ['', []],
  ])('can be searched for "%s"', async (text, rows) => {
    expect(await read(`/api/runs/newer/search?q=${encodeURIComponent(text)}`)).toEqual(rows)
  })

  it.each([
    '/api/runs/newer/episodes/99/1',
    '/api/runs/newer/episodes/0/9',
    '/api/runs/newer/episodes/x/1',
    '/api/runs/none',
  ])('return 404 when missing: %s', async (path) => {
    const { status, json } = await server.ask(path)
    expect(status).toBe(404)
    expect((json() as Problem).problem).toMatch(/^[A-Z].*\.$/)
  })

  it('are compared, largest difference first', async () => {
    const scored = (scores: number[]) => (index: number) => ({ scores: { dir: scores[index]! } })
    await writeExampleRun(server.store, { id: 'left', line: scored([1, 0, 0.5]) })
    await writeExampleRun(server.store, { id: 'right', line: scored([1, 1, 0]) })
    const { pairs, metricTitle, comparison } = await read<CompareDetail>('/api/compare?a=left&b=right')
    expect(pairs.map((pair) => pair.sample)).toEqual(['scene-0/question-1', 'scene-0/question-2', 'scene-0/question-0'])
    expect(metricTitle).toBe('Pairwise direction')
    expect(pairs[0]).toMatchObject({ a: { index: 1, score: 0 }, b: { index: 1, score: 1 } })
    expect(comparison.shared).toBe(3)
  })
})

describe('damaged or unknown runs', () => {
  it('of an unknown suite are shown without a table', async () => {
    await writeExampleRun(server.store, { id: 'unknown', suite: 'future/suite' })
    const { report, row } = await read<RunDetail>('/api/runs/unknown')
    expect(report).toBeNull()
    expect(row).toMatchObject({ suiteTitle: 'future/suite', finished: 3, headline: null })
    expect((await read<EpisodeColumns>('/api/runs/unknown/episodes')).mainScore).toBe('accuracy')
    expect((await read<EpisodeDetail>('/api/runs/unknown/episodes/1/1')).hasScene).toBe(false)
  })

  it('of a removed profile are shown without a table and with the reason', async () => {
    await writeExampleRun(server.store, { id: 'old-profile', profile: 'of-old' })
    const { report, row } = await read<RunDetail>('/api/runs/old-profile')
    expect(report).toBeNull()
    expect(row).toMatchObject({ finished: 3, usd: expect.closeTo(0.0375) as number })
    expect(row.problem).toContain('of-old')
    expect((await read<EpisodeColumns>('/api/runs/old-profile/episodes')).index).toHaveLength(3)
  })

  it('with a damaged journal report the line without an absolute path', async () => {
    await writeExampleRun(server.store, { id: 'damaged' })
    const journal = join(server.store.dir, 'runs', 'damaged', 'episodes.jsonl')
    await writeFile(journal, (await readFile(journal, 'utf8')).replace('"sample"', '"sampl'))
    const row = (await read<RunRow[]>('/api/runs')).find(({ id }) => id === 'damaged')
    expect(row?.problem).toMatch(/Line 1 of store\/runs\/damaged\/episodes.jsonl is invalid/)
    const { status, json, text } = await server.ask('/api/runs/damaged')
    expect(status).toBe(422)
    expect((json() as Problem).problem).toContain('Line 1')
    expect(text).not.toContain(dirname(server.store.dir))
    expect(text).not.toMatch(/\bat .*\.[tj]s/)
  })

  it('with an incomplete last line show the other episodes', async () => {
    await writeExampleRun(server.store, { id: 'torn' })
    await appendFile(join(server.store.dir, 'runs', 'torn', 'episodes.jsonl'), '{"index":3,"sample":"sc')
    expect((await read<EpisodeColumns>('/api/runs/torn/episodes')).index).toHaveLength(3)
  })

  it('without events return an error', async () => {
    await writeExampleRun(server.store, { id: 'without-events' })
    await rm(join(server.store.dir, 'runs', 'without-events', 'events.jsonl'))
    const { status, text } = await server.ask('/api/runs/without-events/episodes/0/1')
    expect(status).toBe(422)
    expect(text).not.toContain(dirname(server.store.dir))
    expect(await read('/api/runs/without-events/search?q=lamp')).toEqual([])
  })

  it('with a broken header do not hide the others', async () => {
    await mkdir(join(server.store.dir, 'runs', 'headless'))
    await writeFile(join(server.store.dir, 'runs', 'headless', 'run.json'), '{')
    expect((await read<RunRow[]>('/api/runs')).length).toBeGreaterThan(2)
    expect((await server.ask('/api/runs/headless')).status).toBe(422)
  })
})

describe('files outside the store', () => {
  const OUTSIDE = 'words from outside the store'

  it.each([
    '/../pages/secret.env',
    '/assets/../secret.env',
    '/secret.env',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets/..%2f..%2fsecret.env',
    '/api/runs/..',
    '/api/runs/%2e%2e',
    '/api/runs/..%2f..%2fpages',
    '/api/runs/newer%00',
    '/api/media/..%2f..%2fruns%2fnewer%2frun.json',
    '/api/media/%2e%2e',
    '//etc/passwd',
    '/api/compare?a=../pages&b=newer',
  ])('are not served: %s', async (path) => {
    const { status, text } = await server.ask(path)
    expect([400, 404]).toContain(status)
    expect(text).not.toMatch(/KEY=1|root:/)
  })

  it('are not reachable through links in place of runs, journals or media', async () => {
    await writeExampleRun(server.store, { id: 'linked' })
    const runs = join(server.store.dir, 'runs')
    const outside = join(dirname(server.store.dir), 'outside')
    await mkdir(outside)
    await rename(join(runs, 'linked', 'episodes.jsonl'), join(outside, 'episodes.jsonl'))
    await writeFile(join(outside, 'words.txt'), OUTSIDE)
    await symlink(join(outside, 'words.txt'), join(runs, 'linked', 'episodes.jsonl'))
    await writeExampleRun(server.store, { id: 'moved' })
    await rename(join(runs, 'moved'), join(outside, 'moved'))
    await symlink(join(outside, 'moved'), join(runs, 'moved'))
    await mkdir(join(runs, 'header-linked'))
    await symlink(join(outside, 'words.txt'), join(runs, 'header-linked', 'run.json'))
    const hash = sha256(OUTSIDE)
    const media = server.store.media.pathOf(hash)
    await mkdir(dirname(media), { recursive: true })
    await symlink(join(outside, 'words.txt'), media)
    const paths = ['linked', 'linked/episodes', 'linked/search?q=words', 'moved', 'moved/episodes', 'header-linked']
    for (const path of [...paths.map((run) => `/api/runs/${run}`), `/api/media/${hash}?type=text/plain`, '/api/runs']) {
      const { status, text } = await server.ask(path)
      if (path !== '/api/runs') expect(status, path).toBeGreaterThanOrEqual(400)
      expect(text, path).not.toContain('words from')
      expect(text, path).not.toContain('"id":"moved"')
    }
  })
})

describe('cached files', () => {
  it('are read and written only inside the store', async () => {
    const outside = join(dirname(server.store.dir), 'elsewhere')
    await mkdir(outside)
    await writeFile(join(outside, 'a.glb'), 'of somebody')
    await symlink(outside, join(server.store.dir, 'linked-folder'))
    const linked = new DerivedFiles(server.store.dir, 'linked-folder')
    expect(await linked.read('a.glb')).toBeNull()
    await linked.write('b.glb', Buffer.from('x'))
    expect(await readdir(outside)).toEqual(['a.glb'])
    const own = new DerivedFiles(server.store.dir, 'scenes')
    await own.write('c.glb', Buffer.from('mine'))
    await symlink(join(outside, 'a.glb'), join(server.store.dir, 'scenes', 'd.glb'))
    expect([String(await own.read('c.glb')), await own.read('d.glb')]).toEqual(['mine', null])
  })

  it('of a long run are reused after a restart, unless the run has changed', async () => {
    await writeExampleRun(server.store, { id: 'kept', episodes: 8000 })
    expect((await read<EpisodeColumns>('/api/runs/kept/episodes')).index).toHaveLength(8000)
    const file = join(server.store.dir, 'cache', 'columns', 'kept')
    await expect
      .poll(() =>
        readFile(file).then(
          (bytes) => bytes.length,
          () => 0,
        ),
      )
      .toBeGreaterThan(1000)
    const entry = () =>
      server.store.openRunById('kept').then((run) => new RunEntry(run, suiteFinder(), String, server.store.dir))
    const journal = join(server.store.dir, 'runs', 'kept', 'episodes.jsonl')
    const rows = async (run: RunEntry) =>
      (JSON.parse(String(await unpackJson(await run.columns()))) as EpisodeColumns).index
    expect(await rows(await entry())).toHaveLength(8000)
    await appendFile(journal, `${JSON.stringify({ ...exampleLine(8000), events: [0, 0] })}\n`)
    expect(await rows(await entry())).toHaveLength(8001)
  })
})

describe('media', () => {
  const DIGITS = '0123456789'.repeat(100)
  let digits = ''
  beforeEach(async () => {
    digits = (await server.store.media.keep(Buffer.from(DIGITS), 'text/plain')).sha256
  })
  const media = (query: string, headers: Record<string, string> = {}) =>
    server.ask(`/api/media/${digits}${query}`, { headers })

  it('are cacheable forever under their hash', async () => {
    const { headers, text } = await media('?type=text/plain')
    expect(text).toBe(DIGITS)
    expect(headers.etag).toBe(`"${digits}"`)
    expect(headers['cache-control']).toContain('immutable')
    expect((await media('', { 'if-none-match': `"${digits}"` })).status).toBe(304)
  })

  it('come small for tables, if they are images', async () => {
    const picture = await encodePng({ width: 640, height: 480, channels: 3, data: new Uint8Array(640 * 480 * 3) })
    const { sha256: id } = await server.store.media.keep(picture, 'image/png')
    const small = await server.ask(`/api/media/${id}?size=small`)
    expect(small.headers).toMatchObject({ 'content-type': 'image/webp', etag: `"${id}-small"` })
    expect(await imageSize(small.body)).toMatchObject({ width: 96, height: 72 })
    expect((await media('?size=small')).text).toBe(DIGITS)
    expect((await server.ask('/api/media/..%2F..%2Fsecret?size=small')).status).toBe(404)
  })

  it.each([
    ['bytes=0-9', 206, '0123456789', 'bytes 0-9/1000'],
    ['bytes=995-', 206, '56789', 'bytes 995-999/1000'],
    ['bytes=-3', 206, '789', 'bytes 997-999/1000'],
    ['bytes=990-5000', 206, '0123456789', 'bytes 990-999/1000'],
    ['bytes=1000-', 416, '', 'bytes */1000'],
    ['bytes=-0', 416, '', 'bytes */1000'],
    ['bytes=5-2', 200, DIGITS, undefined],
    ['bytes=0-1,4-5', 200, DIGITS, undefined],
    ['lines=1-2', 200, DIGITS, undefined],
  ])('support range requests: %s', async (range, status, text, contentRange) => {
    const answer = await media('', { range })
    expect([answer.status, answer.text, answer.headers['content-range']]).toEqual([status, text, contentRange])
  })

  it('ignore a range when If-Range does not match', async () => {
    const answer = await media('', { range: 'bytes=0-9', 'if-range': '"another"' })
    expect([answer.status, answer.text]).toEqual([200, DIGITS])
  })

  it('of several megabytes are sent whole and in ranges', async () => {
    const large = Buffer.alloc(3_000_000, 'abc')
    const { sha256: hash } = await server.store.media.keep(large, 'video/mp4')
    const whole = await server.ask(`/api/media/${hash}?type=video/mp4`)
    expect(whole.body.equals(large)).toBe(true)
    const part = await server.ask(`/api/media/${hash}`, { headers: { range: 'bytes=1-2000000' } })
    expect(part.body.equals(large.subarray(1, 2_000_001))).toBe(true)
  })

  it.each([
    ['image/png', 'image/png'],
    ['image/svg+xml', 'image/svg+xml'],
    ['application/xml', 'text/plain; charset=utf-8'],
    ['text/html', 'application/octet-stream'],
    ['application/xhtml+xml', 'application/octet-stream'],
    ['text/javascript', 'application/octet-stream'],
    ['constructor', 'application/octet-stream'],
    ['text/plain;charset=x\r\nX: y', 'application/octet-stream'],
  ])('declared as %s are served as %s in a sandbox', async (type, served) => {
    const { headers } = await media(`?type=${encodeURIComponent(type)}`)
    expect(headers['content-type']).toBe(served)
    expect(headers['content-security-policy']).toBe("sandbox; default-src 'none'; style-src 'unsafe-inline'")
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it('without a type are detected by their first bytes', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex')
    const { sha256: hash } = await server.store.media.keep(png, 'image/png')
    expect((await server.ask(`/api/media/${hash}`)).headers['content-type']).toBe('image/png')
    expect((await media('')).headers['content-disposition']).toContain('attachment')
  })

  it('are not served once damaged', async () => {
    expect((await media('')).status).toBe(200)
    await writeFile(server.store.media.pathOf(digits), DIGITS.replace('0', 'x'))
    const { status, text } = await media('')
    expect(status).toBe(422)
    expect(text).toContain('damaged')
    await rm(server.store.media.pathOf(digits))
  })

  it('return 404 with a hint when missing', async () => {
    const { status, json } = await server.ask(`/api/media/${'0'.repeat(64)}`)
    expect(status).toBe(404)
    expect((json() as Problem).hint).toContain('copied')
  })
})

describe('pages', () => {
  it('are compressed and, with a hash in the name, immutable', async () => {
    const { headers } = await server.ask('/assets/main-1a2B3c4D.js', { headers: { 'accept-encoding': 'br' } })
    expect(headers).toMatchObject({ 'content-encoding': 'br', 'content-type': 'text/javascript; charset=utf-8' })
    expect(headers['cache-control']).toContain('immutable')
    expect((await server.ask('/')).headers['cache-control']).toBe('no-cache')
  })

  it('of other file types are not served', async () => {
    expect((await server.ask('/secret.env')).status).toBe(404)
  })
})

it('raised no internal errors in these tests', () => {
  expect(server.faults).toEqual([])
})
