/**
 * Repeatedly kills a run with `kill -9` at random moments, resumes it, and checks the result: no lost or duplicate
 * episodes, no reply paid twice, and the same report as an undisturbed run.
 */
import { fileURLToPath } from 'node:url'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Random } from '../../src/base/random.ts'
import { REPLY_NAME, startModelServer } from './model-server.ts'

export interface ChaosOptions {
  kills: number
  samples: number
  seed: string
  /** Maximum delay of a reply. */
  slowestReplyMs: number
  log(line: string): void
}

export interface ChaosResult {
  kills: number
  episodes: number
  replies: number
  problems: string[]
}

export const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
/** Share of replies before the last kill, so the run is not over too early. */
const SHARE_UNDER_FIRE = 0.6
/** Extra delay, to hit moments between a reply and its write to disk. */
const MAX_EXTRA_MS = 40
const POLL_MS = 5

export async function chaos(options: ChaosOptions): Promise<ChaosResult> {
  const random = new Random(`chaos/${options.seed}`)
  const folder = await mkdtemp(join(tmpdir(), 'sightline-chaos-'))
  const calm = join(folder, 'calm')
  const wild = join(folder, 'wild')
  const server = await startModelServer(() => random.int(options.slowestReplyMs))
  const problems: string[] = []
  const runArguments = (logDir: string): string[] => [
    'run',
    'space/text',
    '--model',
    'vllm/chaos',
    '--source',
    `builtin:scenes=${options.samples}`,
    '-M',
    `base_url=${server.url}`,
    '-T',
    'questions=1',
    '--max-connections',
    '6',
    '--log-dir',
    logDir,
    '--json',
  ]
  try {
    await finish(start(runArguments(calm)))
    const expected = await reportOf(calm)
    const unique = server.answered.size
    server.answered.clear()

    let kills = 0
    let process = start(runArguments(wild))
    let lines: string[] = []
    // Moments are counted in replies, not seconds: a fast machine is killed as often as a slow one.
    const stride = Math.max(1, Math.floor((unique * SHARE_UNDER_FIRE) / options.kills))
    let answeredBefore = 0
    while (kills < options.kills) {
      const moment = answeredBefore + random.between(1, stride)
      let over = false
      const enough = untilTrue(() => over || total(server.answered) >= moment).then(() =>
        pause(random.int(MAX_EXTRA_MS), false),
      )
      const ended = await Promise.race([finish(process).then(() => true), enough])
      over = true
      if (ended) break
      process.kill('SIGKILL')
      await finish(process).catch(() => undefined)
      kills += 1
      answeredBefore = total(server.answered)
      for (const name of await repliesOnDisk(wild)) server.paid.add(name)
      const now = await episodeLines(wild)
      if (lines.some((line, i) => now[i] !== line))
        problems.push(`after kill ${kills}: an acknowledged episode is missing`)
      lines = now
      options.log(`kill ${kills}: ${now.length} episodes, ${server.paid.size} of ${unique} replies on disk`)
      process = start(
        (await hasRun(wild))
          ? ['resume', 'latest', '--log-dir', wild, '--json', '--max-connections', '6']
          : runArguments(wild),
      )
    }
    await finish(process)
    if (kills < options.kills) problems.push(`the run ended after ${kills} of ${options.kills} kills: use more samples`)

    const final = (await episodeLines(wild)).map((line) => JSON.parse(line) as { sample: string; epoch: number })
    const names = new Set(final.map(({ sample: id, epoch }) => `${id}#${epoch}`))
    if (names.size !== final.length) problems.push('duplicate episode in the journal')
    if (final.length !== options.samples) problems.push(`${final.length} episodes, expected ${options.samples}`)
    if (server.paidTwice.length > 0)
      problems.push(`${server.paidTwice.length} replies were on disk but requested again`)
    const actual = await reportOf(wild)
    if (actual !== expected)
      problems.push(`the report differs from that of an undisturbed run:\n${firstDifference(expected, actual)}`)
    return { kills, episodes: final.length, replies: unique, problems }
  } finally {
    await server.close()
    await rm(folder, { recursive: true })
  }
}

export function start(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  // Listen from the start, so `finish` also works after the process has ended.
  void finish(child)
  return child
}

const exits = new WeakMap<ChildProcess, Promise<void>>()

/** Resolves if the process exits with 0, rejects with its stderr otherwise. */
export function finish(child: ChildProcess): Promise<void> {
  let exit = exits.get(child)
  if (!exit) {
    exit = new Promise((resolve, reject) => {
      let stderr = ''
      child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')))
      child.on('error', reject)
      child.on('close', (code, signal) => {
        if (code === 0) resolve()
        else reject(new Error(`sightline exited with ${code ?? signal}: ${stderr}`))
      })
    })
    exit.catch(() => undefined)
    exits.set(child, exit)
  }
  return exit
}

async function untilTrue(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await pause(POLL_MS)
}

/** Replies sent, including repeats: a reply lost with its process is requested again. */
function total(answered: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const times of answered.values()) sum += times
  return sum
}

async function hasRun(logDir: string): Promise<boolean> {
  const runs = await readdir(join(logDir, 'runs')).catch(() => [])
  for (const run of runs) {
    if (await readFile(join(logDir, 'runs', run, 'run.json')).catch(() => null)) return true
  }
  return false
}

/** Complete lines only: a partial line was never acknowledged. */
export async function episodeLines(logDir: string): Promise<string[]> {
  const runs = await readdir(join(logDir, 'runs')).catch(() => [])
  if (runs.length === 0) return []
  const text = await readFile(join(logDir, 'runs', runs[0]!, 'episodes.jsonl'), 'utf8').catch(() => '')
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
}

async function repliesOnDisk(logDir: string): Promise<string[]> {
  const names: string[] = []
  for (const shard of await readdir(join(logDir, 'replies')).catch(() => [])) {
    for (const file of await readdir(join(logDir, 'replies', shard))) {
      const found = REPLY_NAME.exec(await readFile(join(logDir, 'replies', shard, file), 'utf8'))
      if (found) names.push(found[1]!)
    }
  }
  return names
}

/** The report without run ids and times, which may differ. */
export async function reportOf(logDir: string): Promise<string> {
  const child = spawn(process.execPath, [CLI, 'report', 'latest', '--log-dir', logDir, '--format', 'json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
  await new Promise((resolve) => child.on('close', resolve))
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\w.:-]*/g, 'TIME')
    .replaceAll(/"(ms|seconds|milliseconds|wallSeconds)": ?[\d.]+/g, '"$1": 0')
}

export function firstDifference(a: string, b: string): string {
  const left = a.split('\n')
  const right = b.split('\n')
  const at = left.findIndex((line, i) => line !== right[i])
  return `undisturbed: ${left[at]}\nkilled:      ${right[at]}`
}
