/**
 * The package as a user installs it: packed, installed in an empty folder with a space in its path, with a custom suite
 * that is run, resumed, reported and viewed.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { REDIS, reportMissingServers, startRedis } from './support/engine/queue.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MINUTES = 60_000
const run = promisify(execFile)

// On Windows, npm is a script for the shell.
const npm = (args: string[], options: { cwd: string; maxBuffer: number }) =>
  run('npm', args, { ...options, shell: process.platform === 'win32' })

let folder: string
let packed: string[]
let main: string
const running: ChildProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline package '))
  const { stdout } = await npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: ROOT,
    maxBuffer: 1 << 26,
  })
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }]
  packed = files.map(({ path }) => path)
  await writeFile(join(folder, 'package.json'), '{ "name": "mine", "private": true, "type": "module" }\n')
  const install = ['install', `./${filename}`, '--prefer-offline', '--no-audit', '--ignore-scripts']
  await npm(install, { cwd: folder, maxBuffer: 1 << 26 })
  main = join(folder, 'node_modules/sightline/dist/cli/main.js')
  await sightline('new', 'suite', 'bearings')
}, 10 * MINUTES)

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

const env = (): NodeJS.ProcessEnv => ({ ...process.env, NO_COLOR: '1', XDG_STATE_HOME: join(folder, 'state') })

async function sightline(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [main, ...args], { cwd: folder, env: env(), maxBuffer: 1 << 26 })
  return stdout
}

function start(...args: string[]): { child: ChildProcess; output: () => string; ended: Promise<number | null> } {
  const child = spawn(process.execPath, [main, ...args], { cwd: folder, env: env(), stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  return { child, output: () => output, ended: new Promise((resolve) => child.on('close', resolve)) }
}

interface Finished {
  id: string
  state: string
  progress: { finished: number }
  report: { suite: string; rows: { key: string; value: number }[] }
}

async function finished(...args: string[]): Promise<Finished> {
  return (JSON.parse(await sightline('run', ...args, '--json')) as [Finished])[0]
}

async function linesOf(id: string, store = '.sightline'): Promise<string[]> {
  const text = await readFile(join(folder, store, 'runs', id, 'episodes.jsonl'), 'utf8').catch(() => '')
  return text.split('\n').filter((line) => line !== '')
}

/** An OpenAI-compatible server that follows the turns in the question. */
async function modelServer(delayMs = 0): Promise<{ url: string; asked: () => number; server: Server }> {
  const winds = ['north', 'east', 'south', 'west']
  const quarters: Readonly<Record<string, number>> = { right: 1, around: 2, left: 3 }
  let asked = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')))
    request.on('end', () => {
      asked += 1
      const turns = [...body.matchAll(/right|around|left/g)].reduce((sum, [turn]) => sum + quarters[turn]!, 0)
      const content = `<think>Let me see, first north …</think>After these turns the answer is **${winds[turns % 4]}**.`
      setTimeout(() => {
        response.setHeader('content-type', 'application/json')
        response.end(
          JSON.stringify({
            choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
            usage: { prompt_tokens: 30, completion_tokens: 9, total_tokens: 39 },
          }),
        )
      }, delayMs)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked: () => asked, server }
}

describe('the package', { timeout: 10 * MINUTES }, () => {
  it('contains only what users need', () => {
    expect(packed.filter((path) => /\.test\.|\btest\/|^scripts\/|^dist\/.+\/testing\/|^bench\//.test(path))).toEqual([
      'examples/bearings.test.js',
    ])
    const pictures = packed.filter((path) => /^docs\/.*\.(png|jpe?g|webp|gif|svg)$/.test(path))
    expect(pictures).toEqual(['docs/viewer/episode-explore-wide-light.png'])
    expect(packed).toEqual(expect.arrayContaining(['examples/bearings.ts', 'dist/index.d.ts', 'README.md', 'LICENSE']))
  })

  it('has no page with a link to a file that it lacks', async () => {
    const broken: string[] = []
    for (const page of packed.filter((path) => path.endsWith('.md'))) {
      const text = (await readFile(join(ROOT, page), 'utf8')).replaceAll(/```.*?```/gs, '')
      for (const [, target = ''] of text.matchAll(/\]\((?!\w+:|#)([^)\s]+)\)/g)) {
        const path = posix.join(posix.dirname(page), target.replace(/[#?].*/, ''))
        // Pictures are left out: they are three times as large as everything else.
        if (/\.(png|jpe?g|webp|svg)$/.test(path) || packed.some((each) => each === path || each.startsWith(`${path}/`)))
          continue
        broken.push(`${page}: ${target}`)
      }
    }
    expect(broken).toEqual([])
  })

  it('has four entry points and no others', async () => {
    const script = `
      import { run, resume, measure, score, report, compare, openStore, defineConfig } from 'sightline'
      import { defineSuite } from 'sightline/suite'
      import { generateScene } from 'sightline/world'
      import { suiteChecks } from 'sightline/testing'
      console.log([run, resume, measure, score, report, compare, openStore, defineConfig, defineSuite, generateScene, suiteChecks].every((each) => typeof each === 'function'))
      await import('sightline/dist/engine/run.js').catch((error) => console.log(error.code))
    `
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder })
    expect(stdout.trim().split('\n')).toEqual(['true', 'ERR_PACKAGE_PATH_NOT_EXPORTED'])
  })

  test('runs a suite and reads its report from a program', async () => {
    const script = `
      import { run, report } from 'sightline'
      const { id } = await run('./bearings.ts', { model: 'baseline/oracle', limit: 5, store: 'from-a-program' })
      console.log((await report(id, { store: 'from-a-program' })).rows[0].value)
    `
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, env: env() })
    expect(stdout.trim()).toBe('1')
  })

  test('checks a custom suite', async () => {
    const { stdout } = await run(process.execPath, ['--test', 'bearings.test.js'], { cwd: folder, env: env() })
    expect(stdout).toMatch(/# fail 0/)
    expect(stdout).toMatch(/# pass [1-9]/)
  })

  test('runs a custom suite with a baseline, with a model, and in threads', async () => {
    const random = await finished('./bearings.ts', '--model', 'baseline/random', '--limit', '40')
    expect(random).toMatchObject({ state: 'done', progress: { finished: 40 }, report: { suite: 'bearings' } })
    const { url, asked, server } = await modelServer()
    try {
      const model = await finished('./bearings.ts', '--model', 'vllm/walker', '-M', `base_url=${url}`, '--limit', '40')
      expect(model.report.rows[0]).toMatchObject({ key: 'correct', value: 1 })
      // The same turns may be drawn twice; the second reply is cached.
      expect(asked()).toBeGreaterThan(20)
      expect(asked()).toBeLessThanOrEqual(40)
      expect(await sightline('compare', random.id, model.id)).toContain('Correct')
    } finally {
      server.close()
    }
    // Slow enough for threads to take over, which load the suite too.
    await writeFile(
      join(folder, 'slow.ts'),
      (await readFile(join(folder, 'bearings.ts'), 'utf8'))
        .replaceAll('bearings', 'slow')
        .replace('  ask: (sample) =>', '  ask: (sample) => (spin(), 0) ||')
        .concat(
          '\nimport { isMainThread } from "node:worker_threads"\nimport { existsSync, writeFileSync } from "node:fs"\n',
        )
        .concat('function spin(): void {\n  if (!isMainThread) writeFileSync("played-in-a-thread", "")\n')
        .concat('  const end = performance.now() + (existsSync("played-in-a-thread") ? 0 : 200)\n')
        .concat('  while (performance.now() < end);\n}\n'),
    )
    // Many, since a thread starts late on a busy machine; they are quick once it has.
    const slow = await finished(
      './slow.ts',
      '--model',
      'baseline/oracle',
      '--source',
      'builtin:samples=400',
      '--threads',
      '2',
    )
    expect(slow.report.rows[0]).toMatchObject({ value: 1 })
    expect(await readdir(folder)).toContain('played-in-a-thread')
  })

  test('resumes after kill -9 without repeating a request', async () => {
    const { url, asked, server } = await modelServer(30)
    try {
      const store = ['--log-dir', 'killed']
      const first = start(
        'run',
        './bearings.ts',
        '--model',
        'vllm/walker',
        '-M',
        `base_url=${url}`,
        '-j',
        '2',
        ...store,
      )
      const idOf = async (): Promise<string | undefined> =>
        (await readdir(join(folder, 'killed/runs')).catch(() => [])).at(0)
      await expect.poll(async () => (await linesOf((await idOf()) ?? 'none', 'killed')).length).toBeGreaterThan(5)
      first.child.kill('SIGKILL')
      await first.ended
      const id = (await idOf())!
      await sightline('resume', id, ...store)
      expect(
        new Set((await linesOf(id, 'killed')).map((line) => (JSON.parse(line) as { sample: string }).sample)).size,
      ).toBe(100)
      // Up to two requests were in flight when it was killed.
      expect(asked()).toBeLessThanOrEqual(102)
      expect(await sightline('report', id, ...store)).toContain('Correct')
    } finally {
      server.close()
    }
  })

  reportMissingServers()
  test.skipIf(REDIS === null)(
    'runs a custom suite on workers with the same code, and rejects workers with other code',
    async () => {
      const redis = await startRedis()
      try {
        await mkdir(join(folder, 'other'))
        const changed = (await readFile(join(folder, 'bearings.ts'), 'utf8')).replace('one word', 'a single word')
        await writeFile(join(folder, 'other/bearings.ts'), changed)
        const queue = ['--queue', redis.url, '--threads', '1']
        const without = start('worker', ...queue, '--log-dir', 'worker-1')
        const other = start('worker', ...queue, '--log-dir', 'worker-2', '--suite', './other/bearings.ts')
        const played = start(
          'run',
          './bearings.ts',
          '-m',
          'baseline/oracle',
          '--limit',
          '20',
          '--queue',
          redis.url,
          '--log-dir',
          'queued',
        )
        await expect.poll(other.output).toMatch(/code of suite "bearings" differs from that of the run|prompts/)
        if (!without.output().includes('not known')) await expect.poll(without.output).not.toBe('')
        const same = start('worker', ...queue, '--log-dir', 'worker-3', '--suite', './bearings.ts')
        expect([await played.ended, played.output(), same.output()]).toEqual([
          0,
          expect.any(String),
          expect.any(String),
        ])
        const [id] = await readdir(join(folder, 'queued/runs'))
        expect(await linesOf(id!, 'queued')).toHaveLength(20)
      } finally {
        await redis.stop()
      }
    },
  )

  test('shows runs of a custom suite in the viewer', async () => {
    const { id } = await finished('./bearings.ts', '--model', 'baseline/oracle', '--limit', '3', '--log-dir', 'viewed')
    const viewer = start('view', '--log-dir', 'viewed', '--port', '0')
    const address = /(http:\/\/127\.0\.0\.1:\d+\/)\?token=([\w-]+)/
    await expect.poll(viewer.output).toMatch(address)
    const [, url, token] = address.exec(viewer.output())!
    const headers = { authorization: `Bearer ${token}` }
    const get = async (path: string): Promise<Record<string, unknown>> =>
      (await (await fetch(`${url}api/${path}`, { headers })).json()) as Record<string, unknown>
    expect(await get(`runs/${id}`)).toMatchObject({ report: { headline: 'correct' } })
    expect(await get(`runs/${id}/episodes/0/1`)).toMatchObject({
      events: expect.arrayContaining([
        expect.objectContaining({ type: 'sample' }),
        expect.objectContaining({ type: 'reply' }),
      ]),
    })
    viewer.child.kill('SIGTERM')
    await viewer.ended
  })
})
