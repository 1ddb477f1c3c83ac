/** What all chaos tests share: a model server that counts, processes of the command line, and what must hold at the end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Random } from '../../src/base/random.ts'
import { episodeKey } from '../../src/store/journal.ts'
import { type ModelServer, REPLY_NAME, startModelServer } from './model-server.ts'

export const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const POLL_MS = 5

export interface TrialOptions {
  samples: number
  seed: string
  /** Maximum delay of a reply. */
  slowestReplyMs: number
  log(line: string): void
}

/** A line of the table. */
export interface Outcome {
  trial: string
  /** Processes killed, or faults of the queue. */
  faults: number
  episodes: number
  requests: number
  /** Requests that came more than once. */
  twice: number
  /** Requests in flight at the moments of the faults: more than these must not come twice. */
  inFlight: number
  /** Tokens charged beyond the budget; null without one. */
  overBudget: number | null
  /** Tokens of the most expensive request. */
  largest: number
  problems: string[]
}

export interface Trial {
  folder: string
  models: ModelServer
  random: Random
  /** Reports of an undisturbed run, by model. */
  expected: ReadonlyMap<string, string>
  /** Requests of an undisturbed run, and what they cost by model. */
  unique: number
  cost: ReadonlyMap<string, number>
  run(logDir: string, more?: string): string[]
}

/** Plays an undisturbed run for each model, then `attempt`. */
export async function tryOut<Result>(
  { samples, seed, slowestReplyMs }: TrialOptions,
  names: readonly string[],
  attempt: (trial: Trial) => Promise<Result>,
): Promise<Result> {
  const random = new Random(`chaos/${seed}`)
  const folder = await mkdtemp(join(tmpdir(), 'sightline-chaos-'))
  const models = await startModelServer(() => random.int(slowestReplyMs))
  const run: Trial['run'] = (logDir, more = '') =>
    splitArguments(
      `run space/text ${names.map((name) => `--model vllm/${name}`).join(' ')} --source builtin:scenes=${samples}`,
      `-M base_url=${models.url} -T questions=1 --log-dir ${logDir} --json ${more}`,
    )
  try {
    const calm = join(folder, 'calm')
    await finish(start(run(calm, '--max-connections 8')))
    const expected = new Map<string, string>()
    for (const { id, model } of await runsIn(calm)) expected.set(model, await reportOf(calm, id))
    const trial = {
      folder,
      models,
      random,
      run,
      expected,
      unique: models.received.length,
      cost: new Map(models.charged),
    }
    models.reset()
    return await attempt(trial)
  } finally {
    await models.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** What must hold for each run in the store when all of them are done. */
export async function problemsOf(logDir: string, { expected }: Trial, samples: number): Promise<string[]> {
  const problems: string[] = []
  const latest = new Map((await runsIn(logDir)).map(({ id, model }) => [model, id]))
  for (const [model, report] of expected) {
    const id = latest.get(model)
    if (id === undefined) {
      problems.push(`no run of ${model}`)
      continue
    }
    const lines = (await episodeLines(logDir, id)).map((line) => JSON.parse(line) as { sample: string; epoch: number })
    if (new Set(lines.map(episodeKey)).size !== lines.length)
      problems.push(`duplicate episode in the journal of ${model}`)
    if (lines.length !== samples) problems.push(`${lines.length} episodes of ${model}, expected ${samples}`)
    const actual = await reportOf(logDir, id)
    if (actual !== report)
      problems.push(
        `the report of ${model} differs from that of an undisturbed run:\n${firstDifference(report, actual)}`,
      )
  }
  return problems
}

/** How often a request came again. */
export function repeats(received: readonly string[]): number {
  return received.length - new Set(received).size
}

export function printTable(outcomes: readonly Outcome[]): void {
  console.table(
    outcomes.map(({ trial, faults, episodes, requests, twice, inFlight, overBudget, largest, problems }) => ({
      trial,
      faults,
      episodes,
      requests,
      'in flight at a fault': inFlight,
      'paid twice': twice,
      'over budget (replies)': overBudget === null ? '–' : (overBudget / largest).toFixed(1),
      problems: problems.length,
    })),
  )
  const problems = outcomes.flatMap((outcome) => outcome.problems.map((problem) => `${outcome.trial}: ${problem}`))
  for (const problem of problems) console.log(`PROBLEM: ${problem}`)
  console.log(
    problems.length === 0
      ? 'No lost or duplicate episodes, nothing paid twice but what was in flight, and the reports of undisturbed runs.'
      : `Problems: ${problems.length}`,
  )
}

export interface Ended {
  code: number | null
  stderr: string
}

const ends = new WeakMap<ChildProcess, Promise<Ended>>()

export function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(process.execPath, [CLI, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  })
  // Listen from the start, so `ended` also works after the process has ended.
  ends.set(
    child,
    new Promise((resolve, reject) => {
      let stderr = ''
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')))
      child.on('error', reject)
      child.on('close', (code) => resolve({ code, stderr }))
    }),
  )
  return child
}

export function ended(child: ChildProcess): Promise<Ended> {
  return ends.get(child)!
}

/** Resolves if the process exits with 0, rejects with its stderr otherwise. */
export async function finish(child: ChildProcess): Promise<void> {
  const { code, stderr } = await ended(child)
  if (code !== 0) throw new Error(`sightline exited with ${code ?? child.signalCode}: ${stderr}`)
}

export async function kill(...children: readonly ChildProcess[]): Promise<void> {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(children.map(ended))
}

/** Splits a command line whose arguments contain no spaces. */
export function splitArguments(...text: readonly string[]): string[] {
  return text.join(' ').trim().split(/ +/)
}

export async function untilTrue(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(POLL_MS)
}

/** Runs of a store that have begun, oldest first. */
export async function runsIn(logDir: string): Promise<{ id: string; model: string; state: string }[]> {
  const runs: { id: string; model: string; state: string }[] = []
  const names = await readdir(join(logDir, 'runs')).catch(() => [])
  for (const id of names.toSorted((a, b) => a.localeCompare(b))) {
    const read = (file: string): Promise<string | null> =>
      readFile(join(logDir, 'runs', id, file), 'utf8').catch(() => null)
    const [header, state] = await Promise.all([read('run.json'), read('state.json')])
    if (header === null) continue
    const { models } = JSON.parse(header) as { models: { player: string } }
    const status = state === null ? 'running' : (JSON.parse(state) as { state: string }).state
    runs.push({ id, model: models.player.replace(/^vllm\//, ''), state: status })
  }
  return runs
}

/** Complete lines only: a partial line was never acknowledged. */
export async function episodeLines(logDir: string, run?: string): Promise<string[]> {
  const runs = run === undefined ? await readdir(join(logDir, 'runs')).catch(() => []) : [run]
  if (runs.length === 0) return []
  const text = await readFile(join(logDir, 'runs', runs[0]!, 'episodes.jsonl'), 'utf8').catch(() => '')
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
}

/** Names of the requests whose replies are in the store. */
export async function repliesOnDisk(logDir: string): Promise<Set<string>> {
  const names = new Set<string>()
  for (const shard of await readdir(join(logDir, 'replies')).catch(() => [])) {
    for (const file of await readdir(join(logDir, 'replies', shard))) {
      const found = REPLY_NAME.exec(await readFile(join(logDir, 'replies', shard, file), 'utf8'))
      if (found) names.add(found[1]!)
    }
  }
  return names
}

/** Number of requests in the ledgers of a store. */
export async function intentsIn(logDir: string): Promise<number> {
  let intents = 0
  for (const { id } of await runsIn(logDir)) {
    const text = await readFile(join(logDir, 'runs', id, 'paid.jsonl'), 'utf8').catch(() => '')
    intents += text.split('\n').filter((line) => line.includes('"asks"')).length
  }
  return intents
}

/** The report without run ids and times, which may differ. */
export async function reportOf(logDir: string, run = 'latest'): Promise<string> {
  const child = spawn(process.execPath, [CLI, 'report', run, '--log-dir', logDir, '--format', 'json'], {
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
  return `undisturbed: ${left[at]}\nthis one:    ${right[at]}`
}
