/** `npm run fuzz -- files`: damaged files through every reader, in processes that are watched. */
import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ChildMessage, Outcome } from './child.ts'
import { READERS } from './readers.ts'

/** No file may take longer, nor the process of its reader more memory. */
const MAX_MS = 5_000
/** On a busy machine a process may wait for its turn; where its own time is known, waiting is allowed. */
const MAX_WAIT_MS = 120_000
const MAX_MB = 1_024
const WATCH_MS = 100

export interface FilesResult {
  cases: number
  read: number
  refused: number
  slowestMs: number
  peakMb: number
  failures: { index: number; what: string }[]
}

/** Reads files `0` to `cases - 1` of a seed. A reader that hangs or takes too much memory is ended, and goes on after it. */
export async function fuzzFiles(name: string, cases: number, seed: number): Promise<FilesResult> {
  const result: FilesResult = { cases, read: 0, refused: 0, slowestMs: 0, peakMb: 0, failures: [] }
  for (let next = 0; next < cases;) next = await runChild(name, seed, next, cases, result)
  return result
}

/** Returns the number of the file to continue with. */
function runChild(name: string, seed: number, from: number, to: number, result: FilesResult): Promise<number> {
  // The arguments of this process load TypeScript; the child has the same.
  const child = fork(fileURLToPath(new URL('child.ts', import.meta.url)), [name, seed, from, to].map(String), {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [...process.execArgv, ...(READERS[name]?.withoutEval ? ['--disallow-code-generation-from-strings'] : [])],
  })
  let log = ''
  child.stderr?.on('data', (data: Buffer) => (log = (log + data.toString()).slice(-2_000)))
  let index = from - 1
  /** Null between files. */
  let started: { at: number; processMs: number | null } | null = null
  const fail = (what: string): void => void result.failures.push({ index, what })
  return new Promise((resolve, reject) => {
    const watch = setInterval(() => {
      if (started === null) return
      const wall = performance.now() - started.at
      const own = started.processMs === null ? wall : (processTime(child) ?? 0) - started.processMs
      if (own < MAX_MS && wall < MAX_WAIT_MS) return
      fail(`not done after ${Math.round(own)} ms of ${Math.round(wall)} ms`)
      started = null
      child.kill('SIGKILL')
    }, WATCH_MS)
    child.on('message', (message: ChildMessage) => {
      if (message.type === 'start') {
        index = message.index
        started = { at: performance.now(), processMs: processTime(child) }
      } else if (message.type === 'uncaught') fail(`uncaught: ${message.error}`)
      else if (message.type === 'end') {
        started = null
        result.slowestMs = Math.max(result.slowestMs, message.ms)
        note(message.outcome)
        result.peakMb = Math.max(result.peakMb, message.peakMb)
        if (message.peakMb > MAX_MB) {
          fail(`took ${message.peakMb} MB`)
          child.kill('SIGKILL')
        }
      }
    })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearInterval(watch)
      if (code !== 0 && signal !== 'SIGKILL') {
        if (index < from) return reject(new Error(`${name} cannot start: ${log}`))
        fail(`ended with ${code ?? signal}: ${log}`)
      }
      resolve(index + 1)
    })
  })

  function note(outcome: Outcome): void {
    if (outcome.kind === 'failed') fail(outcome.error)
    else result[outcome.kind] += 1
  }
}

const TICKS_PER_SECOND = 100

/** Processor time of a process and those that it has started, in milliseconds; null where the system does not say. */
function processTime({ pid }: Pick<ChildProcess, 'pid'>): number | null {
  try {
    const started = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean)
    const theirs = started.reduce((sum, each) => sum + (processTime({ pid: Number(each) }) ?? 0), 0)
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    return theirs + ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
  } catch {
    return null
  }
}

export function describeResult(
  name: string,
  { cases, read, refused, slowestMs, peakMb, failures }: FilesResult,
): string {
  return `${name.padEnd(20)} ${String(cases).padStart(7)} files: ${read} read, ${refused} refused, ${failures.length} failed; slowest ${Math.round(slowestMs)} ms of processor time, peak ${peakMb} MB`
}
