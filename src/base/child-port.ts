/** A process that talks to the one which started it like a worker thread does; messages are copied. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { Worker } from 'node:worker_threads'

/** What such a process needs to find programs and libraries. It gets no keys. */
const VARIABLES = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'APPDATA']
/** What a process may take on top of its heap: buffers and native code. */
const MAX_BYTES_BESIDE_HEAP = 2.5 * 2 ** 30
const MAX_SHARE_OF_MEMORY = 0.75
const WATCH_MS = 100
/** Of Linux, on every machine that Node runs on. */
const TICKS_PER_SECOND = 100

export class ChildPort {
  readonly #child: ChildProcess

  /** @param args arguments of Node that run the module */
  constructor(args: readonly string[], maxHeapMb: number | undefined) {
    const limits = maxHeapMb === undefined ? [] : [`--max-old-space-size=${maxHeapMb}`]
    this.#child = spawn(process.execPath, [...limits, ...args], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      env: Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]])),
    })
    // A process that hangs does not notice that this one is gone.
    const kill = (): void => void this.#child.kill('SIGKILL')
    process.once('exit', kill)
    this.#child.once('exit', (_, signal) => {
      process.off('exit', kill)
      // V8 aborts a process whose heap is full, and so does the watch.
      if (signal === 'SIGABRT')
        this.#child.emit('error', Object.assign(new Error('out of memory'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }))
    })
  }

  on(event: 'message', listener: (message: never) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  /** With the exit code, or the signal that ended the process. */
  on(event: 'exit', listener: (code: number | NodeJS.Signals) => void): void
  on(event: string, listener: (value: never) => void): void {
    // Only the two ends know what they send.
    this.#child.on(event, (value: unknown, signal: unknown) => Reflect.apply(listener, null, [value ?? signal]))
  }

  postMessage(message: object): void {
    // A process that is gone is noticed by its exit.
    this.#child.send(message, () => {})
  }

  /** Processor time so far, in milliseconds; null where the system does not say. */
  cpuMs(): number | null {
    try {
      const fields = readFileSync(`/proc/${this.#child.pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ')
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
    } catch {
      return null
    }
  }

  ref(): void {
    this.#child.ref()
    this.#child.channel?.ref()
  }

  unref(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }

  async terminate(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.kill('SIGKILL')
    await ended
  }
}

/** The process that started this one through a `ChildPort`; null for all others. */
export function parentProcess(): Pick<ChildPort, 'postMessage' | 'on'> | null {
  if (!process.send) return null
  process.once('disconnect', () => process.exit())
  // The terminal sends them to all its processes; the one that started this one decides when it ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  const wanted = getHeapStatistics().heap_size_limit + MAX_BYTES_BESIDE_HEAP
  const limit = Math.min(wanted, totalmem() * MAX_SHARE_OF_MEMORY)
  // In a thread of its own: this one is busy while it reads.
  const watch = new Worker(WATCH, { eval: true, workerData: limit, execArgv: [], env: {} })
  watch.unref()
  watch.on('error', () => process.exit(1))
  return {
    postMessage: (message) => void process.send?.(message),
    on: (event: string, listener: (value: never) => void) =>
      void process.on(event, (value: unknown) => Reflect.apply(listener, null, [value])),
  }
}

/** Ends the process if it takes too much memory, or if the one that started it is gone. */
const WATCH = `
const { workerData: limit } = require('node:worker_threads')
const parent = process.ppid
setInterval(() => {
  if (process.memoryUsage.rss() > limit) process.kill(process.pid, 'SIGABRT')
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, ${WATCH_MS})`
