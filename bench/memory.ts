/**
 * A long run with many connections, as the command line plays it: whether its memory stays flat, and whether its ledger
 * has every request that the server saw when the run is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { BenchResult } from './harness.ts'

const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const SUITE = fileURLToPath(new URL('../examples/bearings.ts', import.meta.url))
const CONNECTIONS = 128
const SAMPLES = 10_000
const EPOCHS = 10
/** Memory is compared from here on: until then caches fill and the code is compiled. */
const WARM_EPISODES = 10_000
/** Requests after which a run is killed. */
const KILLS = [500, 2_000, 5_000]
const POLL_MS = 200

export default async function memory(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-memory-'))
  const server = await ModelServer.start()
  try {
    const long = await longRun(server, folder, EPOCHS)
    return {
      figures: { ...long, ...(await killedRuns(server, folder)) },
      bars: {
        peakMegabytes: { atMost: 300 },
        growthAfterWarmUp: { atMost: 1.1 },
        requestsMissingInLedger: { atMost: 0 },
        requestsMissingAfterKill: { atMost: 0 },
      },
    }
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Plays a whole run and looks at its memory until the end, report included. */
export async function longRun(
  server: ModelServer,
  folder: string,
  epochs: number,
): Promise<Readonly<Record<string, number>>> {
  const store = join(folder, 'long')
  const child = start(server, store, epochs)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const started = performance.now()
  const before: number[] = []
  const after: number[] = []
  let seconds = 0
  while (child.exitCode === null && child.signalCode === null) {
    const megabytes = await residentMegabytes(child)
    if (megabytes !== null) (server.requests < WARM_EPISODES ? before : after).push(megabytes)
    if (server.requests < SAMPLES * epochs) seconds = (performance.now() - started) / 1000
    await pause(POLL_MS)
  }
  const code = await ended
  if (code !== 0) throw new Error(`the run ended with ${code}`)
  // The first tenth of what follows the warm-up against the rest: the peaks between two collections are compared.
  const tenth = Math.max(1, Math.floor(after.length / 10))
  return {
    episodes: server.requests,
    episodesPerSecond: server.requests / seconds,
    peakMegabytesOfWarmUp: Math.max(...before),
    megabytesAfterWarmUp: Math.max(...after.slice(0, tenth)),
    peakMegabytes: Math.max(...before, ...after),
    growthAfterWarmUp: Math.max(...after) / Math.max(...before, ...after.slice(0, tenth)),
    requestsMissingInLedger: server.requests - (await intents(store)),
  }
}

/** Kills runs without a warning. */
async function killedRuns(server: ModelServer, folder: string): Promise<Readonly<Record<string, number>>> {
  let missing = 0
  for (const moment of KILLS) {
    const store = join(folder, `killed-${moment}`)
    server.requests = 0
    const child = start(server, store, EPOCHS)
    while (server.requests < moment) await pause(1)
    child.kill('SIGKILL')
    await new Promise((resolve) => child.on('close', resolve))
    missing = Math.max(missing, server.requests - (await intents(store)))
  }
  return { requestsMissingAfterKill: missing }
}

function start(server: ModelServer, store: string, epochs: number): ChildProcess {
  const args = ['run', SUITE, '--model', 'vllm/memory', '-M', `base_url=${server.url}`, '-T', 'turns=20']
  const size = ['--source', `builtin:samples=${SAMPLES}`, '--epochs', String(epochs)]
  const how = ['--max-connections', String(CONNECTIONS), '--log-dir', store, '--json']
  return spawn(process.execPath, [CLI, ...args, ...size, ...how], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, XDG_STATE_HOME: join(store, '..', 'state') },
  })
}

/** Null if the process is over. */
async function residentMegabytes({ pid }: ChildProcess): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(status)
  return found ? Number(found[1]) / 1024 : null
}

/** Requests that a store's only run has recorded before it sent them. */
async function intents(store: string): Promise<number> {
  const [run] = await readdir(join(store, 'runs'))
  const lines = (await readFile(join(store, 'runs', run!, 'paid.jsonl'), 'utf8')).split('\n')
  return lines.filter((line) => line.includes('"asks"')).length
}

/** Answers every question with the same word, after the few milliseconds of a fast model. */
class ModelServer {
  requests = 0
  readonly #server: Server

  private constructor() {
    const reply = JSON.stringify({
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'I now face north.' } }],
      usage: { prompt_tokens: 100, completion_tokens: 10 },
    })
    this.#server = createServer((request, response) => {
      request.resume()
      request.on('end', () => {
        this.requests += 1
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': reply.length })
        response.end(reply)
      })
    })
  }

  static async start(): Promise<ModelServer> {
    const server = new ModelServer()
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve))
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.closeAllConnections()
      this.#server.close(() => resolve())
    })
  }
}
