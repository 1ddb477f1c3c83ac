/** A process that talks to the one which started it like a worker thread does; messages are copied. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'

/** What such a process needs to find programs and libraries. It gets no keys. */
const VARIABLES = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'APPDATA']
/** What a process may take on top of its heap: buffers and native code. */
const MAX_BYTES_BESIDE_HEAP = 2.5 * 2 ** 30
const MAX_SHARE_OF_MEMORY = 0.75
const WATCH_MS = 100
/** Of Linux, on every machine that Node runs on. */
const TICKS_PER_SECOND = 100
/** The exit code of a process that watched itself take more. */
const OUT_OF_MEMORY = 99

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
    this.#child.once('exit', (code, signal) => {
      process.off('exit', kill)
      // V8 aborts a process whose heap is full.
      if (code === OUT_OF_MEMORY || signal === 'SIGABRT')
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
  const wanted = getHeapStatistics().heap_size_limit + MAX_BYTES_BESIDE_HEAP
  const limit = Math.min(wanted, totalmem() * MAX_SHARE_OF_MEMORY)
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > limit) process.exit(OUT_OF_MEMORY)
  }, WATCH_MS)
  watch.unref()
  return {
    postMessage: (message) => void process.send?.(message),
    on: (event: string, listener: (value: never) => void) =>
      void process.on(event, (value: unknown) => Reflect.apply(listener, null, [value])),
  }
}
