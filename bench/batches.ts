/**
 * 20,000 questions as batches of each provider, with a server that lets batches expire, requests fail and results come
 * twice, and with a client that is killed three times: while a batch is created, while it is looked at, and while its results
 * are read. Nothing may be lost, and nothing paid for twice.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Store } from '../src/store/store.ts'
import { BatchServer } from '../test/support/models/batches/server.ts'
import type { Bar, BenchResult } from './harness.ts'

const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const QUESTIONS = Number(process.env.SIGHTLINE_BENCH_QUESTIONS ?? 20_000)
const MODELS = { openai: 'gpt-5', anthropic: 'claude-sonnet-4-5', google: 'gemini-2.5-flash' }
/** When the client is killed, in this order. */
const KILLED_AT = ['created', 'looked', 'results']

const SUITE = `
format: 1
name: batched
data: { files: rows.jsonl }
columns: { id: id, question: question, options: [A, B], answer: answer }
`

export default async function batches(): Promise<BenchResult> {
  const figures: Record<string, number> = {}
  const bars: Record<string, Bar> = {}
  for (const provider of Object.keys(MODELS) as (keyof typeof MODELS)[]) {
    const { lost, paidTwice, ...more } = await trial(provider)
    Object.assign(figures, { [`${provider}Lost`]: lost, [`${provider}PaidTwice`]: paidTwice })
    for (const [name, value] of Object.entries(more)) figures[`${provider}${name}`] = value
    bars[`${provider}Lost`] = { atMost: 0 }
    bars[`${provider}PaidTwice`] = { atMost: 0 }
  }
  return { figures, bars }
}

async function trial(provider: keyof typeof MODELS) {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-batches-'))
  const server = new BatchServer({ looks: 2, expiring: 1, answeredShare: 0.7, failsOneOf: 40, repeatsOneOf: 100 })
  const origin = await server.listen()
  try {
    const rows = Array.from({ length: QUESTIONS }, (_, i) => ({
      id: `q${i}`,
      question: `Question ${i}: is the chair left of the table?`,
      A: 'yes',
      B: 'no',
      answer: 'A',
    }))
    await writeFile(join(folder, 'rows.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    await writeFile(join(folder, 'batched.yaml'), SUITE)
    const store = join(folder, 'store')
    const env = {
      ...process.env,
      XDG_STATE_HOME: join(folder, 'state'),
      [`${provider.toUpperCase()}_API_KEY`]: 'sk-bench',
      [`${provider.toUpperCase()}_BASE_URL`]: origin,
    }
    const client = (...args: string[]): ChildProcess =>
      spawn(process.execPath, [CLI, ...args, '--log-dir', store, '--json'], {
        stdio: ['ignore', 'ignore', 'pipe'],
        env,
      })
    const started = performance.now()
    const first = ['run', join(folder, 'batched.yaml'), '--model', `${provider}/${MODELS[provider]}`, '--batch']
    let kills = 0
    for (let args = first; ; args = ['resume', 'latest']) {
      const child = client(...args)
      let said = ''
      child.stderr?.on('data', (data: Buffer) => (said += data.toString()))
      const closed = new Promise<number | null>((resolve) => child.on('close', resolve))
      server.onEvent = (event) => {
        if (event !== KILLED_AT[kills]) return true
        kills += 1
        child.kill('SIGKILL')
        return false
      }
      const code = await closed
      if (code === 0) break
      if (code !== null) throw new Error(`the client ended with ${code}: ${said}`)
    }
    const reader = await (await Store.open(store)).openRun('latest')
    const answered = (await reader.episodes()).filter(({ status }) => status === 'answered').length
    const paid = [...server.paid.values()]
    return {
      Kills: kills,
      Batches: server.batches.length,
      SentDirectly: server.direct,
      lost: QUESTIONS - answered,
      paidTwice: paid.reduce((sum, times) => sum + times, 0) + server.direct - QUESTIONS,
      Seconds: (performance.now() - started) / 1000,
    }
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}
