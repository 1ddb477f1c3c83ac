/** Killed and competing processes. */
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exampleHeader, exampleLine } from '../../test/support/store.ts'
import { takeLock } from './lock.ts'
import { NO_USAGE } from './records.ts'
import { Store } from './store.ts'

const KILLS = 6
const PROJECT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Resumes the run and appends episodes concurrently until killed; prints those that are on disk. It awaits each write to
 * stdout, because a full pipe would otherwise fail with EAGAIN.
 */
const APPENDER = `
  const print = (line) => new Promise((written) => process.stdout.write(line + '\\n', written))
  const { Store } = await import(${JSON.stringify(new URL('store.ts', import.meta.url).href)})
  const { exampleLine } = await import(${JSON.stringify(new URL('../../test/support/store.ts', import.meta.url).href)})
  const store = await Store.open(process.argv[2])
  const writer = await store.resumeRun('run').catch(async (error) => {
    await print(error.message)
    process.exit(1)
  })
  await print('open')
  const done = new Set([...writer.finished.values()].map((line) => line.index))
  let next = 0
  async function play() {
    for (;;) {
      const index = next++
      if (done.has(index)) continue
      await writer.append(exampleLine(index), ['{"index":' + index + '}', JSON.stringify('x'.repeat(index % 3000))])
      await print(index)
    }
  }
  await Promise.all([play(), play(), play(), play(), play()])
`

/** As in a second container: process ids mean nothing there. Needs root. */
const UNSHARE = ['unshare', '--pid', '--fork', '--mount-proc']
const hasPython = process.platform === 'linux' && spawnSync('python3', ['--version']).status === 0
const canUnshare = spawnSync(UNSHARE[0]!, [...UNSHARE.slice(1), 'true']).status === 0

let folder: string
let store: Store
let script: string
const children: Appender[] = []

interface Appender {
  process: ChildProcessByStdio<null, Readable, null>
  lines: string[]
  /** Resolves once the process printed at least `count` lines, or ended. */
  printed(count: number): Promise<void>
  ended: Promise<unknown>
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-durable-'))
  store = await Store.open(join(folder, 'store'))
  script = join(folder, 'appender.mjs')
  await writeFile(script, APPENDER)
  await (await store.createRun(exampleHeader({ id: 'run', planned: 1_000_000 }))).close()
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.process.kill('SIGKILL')
    await child.ended
  }
  await rm(folder, { recursive: true, force: true })
})

/** @param wrapper a program that starts it, with its arguments */
function startAppender(...wrapper: readonly string[]): Appender {
  const [program, ...args] = [...wrapper, process.execPath, '--import', 'tsx', script, store.dir]
  const child = spawn(program, args, {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  })
  const ended = once(child, 'close')
  const appender: Appender = {
    process: child,
    lines,
    ended,
    async printed(count) {
      while (lines.length < count && child.stdout.readable) await Promise.race([once(child.stdout, 'data'), ended])
    },
  }
  children.push(appender)
  return appender
}

describe('kill -9', () => {
  it(`keeps every acknowledged episode and its events, once, after ${KILLS} kills at random times`, async () => {
    const acknowledged = new Set<number>()
    for (let kill = 0; kill < KILLS; kill++) {
      const child = startAppender()
      await child.printed(2)
      expect(child.lines[0]).toBe('open')
      await wait(randomInt(60))
      child.process.kill('SIGKILL')
      await child.ended
      for (const line of child.lines.slice(1)) acknowledged.add(Number(line))
    }
    const run = await store.openRun('run')
    expect(await run.status()).toMatchObject({ state: 'interrupted' })
    const listed = (await store.listRuns())[0]!

    const writer = await store.resumeRun('run')
    await writer.close()
    const finished = new Set([...writer.finished.values()].map((line) => line.index))
    expect(acknowledged.size).toBeGreaterThan(KILLS)
    expect([...acknowledged].filter((index) => !finished.has(index))).toEqual([])
    expect(listed.finished).toBe(finished.size)

    const raw = (await readFile(join(run.dir, 'episodes.jsonl'), 'utf8')).trimEnd().split('\n')
    expect(raw).toHaveLength(finished.size)
    for (const line of writer.finished.values()) {
      expect(await run.events(line)).toEqual([{ index: line.index }, 'x'.repeat(line.index % 3000)])
    }
  })
})

describe('locking', () => {
  it('rejects a second process, and is taken over once the first is killed', async () => {
    const first = startAppender()
    await first.printed(1)
    const second = startAppender()
    await second.ended
    const message = `in use by process ${first.process.pid} since 20`
    expect(second.lines).toEqual([expect.stringContaining(message)])
    await expect(store.resumeRun('run')).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringContaining(message),
    })
    expect(await (await store.openRun('run')).status()).toMatchObject({ state: 'running', pid: first.process.pid })
    // Other runs in the same store are not affected.
    await (await store.createRun(exampleHeader({ id: 'other' }))).close()

    first.process.kill('SIGKILL')
    await first.ended
    const writer = await store.resumeRun('run')
    expect(await (await store.openRun('run')).status()).toMatchObject({ state: 'running', pid: process.pid })
    await writer.close()
    expect((await readdir(join(store.dir, 'runs', 'run'))).filter((name) => name.endsWith('.lock'))).toEqual([])
  })

  it.runIf(canUnshare)('rejects a process in another PID namespace while the first one lives', async () => {
    const first = startAppender()
    await first.printed(1)
    const second = startAppender(...UNSHARE)
    await second.ended
    expect(second.lines).toEqual([expect.stringContaining(`in use by process ${first.process.pid} since 20`)])
  })

  it('admits at most one of several concurrent processes', async () => {
    for (let round = 0; round < 5; round++) {
      const results = await Promise.allSettled(Array.from({ length: 4 }, () => store.resumeRun('run')))
      const writers = results.filter((result) => result.status === 'fulfilled').map((result) => result.value)
      expect(writers.length).toBeLessThanOrEqual(1)
      for (const result of results) {
        if (result.status === 'rejected') expect(String(result.reason)).toContain('in use by process')
      }
      for (const writer of writers) {
        await writer.append(exampleLine(round), [])
        await writer.close()
      }
    }
    await (await store.resumeRun('run')).close()
  })

  const lockOf = (holder: object) =>
    writeFile(join(store.dir, 'runs', 'run', 'writer-0123456789abcdef.lock'), JSON.stringify(holder))

  it.runIf(process.platform === 'linux')('detects a reused pid', async () => {
    await lockOf({ pid: process.pid, host: hostname(), started: 'another boot:1', since: '2026-01-01T00:00:00.000Z' })
    await (await store.resumeRun('run')).close()
  })

  it.runIf(process.platform === 'linux')(
    'takes over from a killed process that no parent has asked about',
    async () => {
      // The first process of a container often asks about none of its children: nor does what the shell becomes.
      const script = 'exec 3<&0; cat <&3 & echo $!; exec sleep 60'
      const parent = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] })
      try {
        const [output] = (await once(parent.stdout, 'data')) as [Buffer]
        const pid = Number(output.toString())
        while (!(await readFile(`/proc/${parent.pid}/comm`, 'utf8')).startsWith('sleep')) await wait(1)
        parent.stdin.end()
        while (!/\) Z /.test(await readFile(`/proc/${pid}/stat`, 'utf8'))) await wait(1)
        await lockOf({ pid, host: hostname(), started: null, since: new Date().toISOString() })
        await (await takeLock(folder())).release()
      } finally {
        parent.kill()
      }
    },
  )

  it.runIf(hasPython)('respects the lock of a process whose main thread alone has ended', async () => {
    const program = 'import ctypes, os, threading, time; print(os.getpid(), flush=True)'
    const threads = 'threading.Thread(target=time.sleep, args=(60,)).start(); ctypes.CDLL(None).pthread_exit(None)'
    const child = spawn('python3', ['-c', `${program}; ${threads}`], { stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      const pid = Number(((await once(child.stdout, 'data')) as [Buffer])[0].toString())
      while (!/\) Z /.test(await readFile(`/proc/${pid}/stat`, 'utf8'))) await wait(1)
      await lockOf({ pid, host: hostname(), started: null, since: new Date().toISOString() })
      await expect(takeLock(folder())).rejects.toThrow(`by process ${pid}`)
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('ignores an invalid lock file', async () => {
    await writeFile(join(store.dir, 'runs', 'run', 'writer-0123456789abcdef.lock'), '')
    await (await store.resumeRun('run')).close()
  })

  const FOREIGN = { pid: 1, host: 'elsewhere.example', started: null, since: '2026-01-01T00:00:00.000Z' }
  const folder = () => join(store.dir, 'runs', 'run')
  const foreignLock = () => join(folder(), 'writer-0123456789abcdef.lock')

  it.each([
    ['another machine', FOREIGN],
    ['another container with the same host name', { ...FOREIGN, host: hostname(), space: 'this boot:pid:[1]' }],
  ])('respects the lock of %s while it is touched', async (_where, holder) => {
    await lockOf(holder)
    let beats = 0
    const wait = () => utimes(foreignLock(), 0, ++beats)
    await expect(takeLock(folder(), { beatMs: 1000, expiresMs: 30_000, wait })).rejects.toMatchObject({
      message: expect.stringContaining('by process 1'),
    })
    await expect(stat(foreignLock())).resolves.toBeDefined()
  })

  it('takes over from a machine that is gone, and the old writer writes no more', async () => {
    const waits: number[] = []
    const wait = (ms: number) => Promise.resolve(waits.push(ms))
    await lockOf(FOREIGN)
    const lock = await takeLock(folder(), { beatMs: 1000, expiresMs: 30_000, wait })
    expect(waits).toHaveLength(30)
    await expect(stat(foreignLock())).rejects.toThrow('ENOENT')
    await lock.check()
    await lock.release()

    const stale = await store.resumeRun('run')
    for (const name of await readdir(folder())) if (name.endsWith('.lock')) await rm(join(folder(), name))
    const next = await store.resumeRun('run')
    await expect(stale.append(exampleLine(7), [])).rejects.toThrow('Another process has taken over the run')
    await expect(stale.intendPayment(NO_USAGE)).rejects.toThrow('Another process has taken over the run')
    await next.append(exampleLine(8), [])
    await stale.close()
    await next.close()
    expect((await (await store.openRun('run')).episodes()).map((line) => line.index)).toContain(8)
  })
})
