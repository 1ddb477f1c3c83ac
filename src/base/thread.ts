/** Threads and processes that run a module of this project, compiled or from source. */
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parentPort, type ResourceLimits, Worker, type WorkerOptions } from 'node:worker_threads'
import { type Call, Channel, type ErrorKind, type Handlers, type Message, type Port, type Result } from './channel.ts'
import { ChildPort, parentProcess } from './child-port.ts'
import { messageOf } from './errors.ts'

/** A thread ended before it replied: out of memory, crashed or closed. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost'
}

export interface ThreadOptions<Mine, Theirs = unknown> {
  /** For error messages: "the episode thread". */
  title: string
  /** Functions that the thread can call. */
  handlers: Mine
  /** The `workerData` of the thread's module. */
  data?: unknown
  errors?: readonly ErrorKind[]
  /** The thread ends when it needs more memory. */
  resourceLimits?: ResourceLimits
  /** Runs the module in a process of its own instead, which can be ended whatever native code it runs. */
  inProcess?: boolean
  /** The functions of the module, for threads that call them in place. */
  functions?: () => Promise<Theirs>
}

let inPlace = false

/** For threads in which nobody waits for anything else: calls to threads with `functions` are answered in this one. */
export function callInPlace(): void {
  inPlace = true
}

/** The common part of `Worker` and `ChildPort`. */
interface Started<Mine> extends Port<Mine> {
  on(event: 'message', listener: (message: Message<Mine>) => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'exit', listener: (code: number | NodeJS.Signals) => void): unknown
  cpuMs?(): number | null
  ref(): void
  unref(): void
  terminate(): Promise<unknown>
}

/**
 * A thread whose module answers calls (`serveThread`). It starts on the first call, restarts after a crash, and keeps the
 * process alive only while a call is pending.
 *
 * @example
 * const thread = new Thread<Sums>('./sums', import.meta.url, { title: 'the adding thread', handlers: {} })
 * const sum = await thread.call('add', [1, 2])
 */
export class Thread<Theirs extends Handlers<Theirs>, Mine extends Handlers<Mine> = object> {
  readonly #path: string
  readonly #from: string
  readonly #options: ThreadOptions<Mine, Theirs>
  #running: { worker: Started<Mine>; channel: Channel<Mine, Theirs> } | null = null
  #closed = false

  /** @param path the module without its extension, relative to the module `from` */
  constructor(path: string, from: string, options: ThreadOptions<Mine, Theirs>) {
    this.#path = path
    this.#from = from
    this.#options = options
  }

  /** Calls without a result yet. */
  get pendingCalls(): number {
    return this.#running?.channel.pendingCalls ?? 0
  }

  /** Processor time in milliseconds; null if it is not known: of a thread, or of a process that is not running. */
  get cpuMs(): number | null {
    return this.#running?.worker.cpuMs?.() ?? null
  }

  /** Rejects with `ThreadLost` if the thread ends first. */
  async call<Name extends keyof Theirs>(...call: Call<Theirs, Name>): Promise<Result<Theirs[Name]>> {
    if (this.#closed) throw new ThreadLost(`${this.#options.title} was closed`)
    const { functions } = this.#options
    if (inPlace && functions) {
      const [name, payload] = call
      return (await functions())[name](payload as never) as Result<Theirs[Name]>
    }
    const { worker, channel } = (this.#running ??= this.#start())
    worker.ref()
    try {
      return await channel.call(...call)
    } finally {
      if (channel.pendingCalls === 0) worker.unref()
    }
  }

  /** Does nothing if the thread is not running. */
  send<Name extends keyof Theirs>(...call: Call<Theirs, Name>): void {
    this.#running?.channel.send(...call)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#running?.worker.terminate()
  }

  #start(): { worker: Started<Mine>; channel: Channel<Mine, Theirs> } {
    const { title, handlers, data, errors, resourceLimits, inProcess } = this.#options
    const worker: Started<Mine> =
      inProcess === true
        ? new ChildPort(processArguments(siblingModule(this.#path, this.#from)), resourceLimits?.maxOldGenerationSizeMb)
        : startWorker(this.#path, this.#from, { workerData: data, ...(resourceLimits && { resourceLimits }) })
    const running = { worker, channel: new Channel<Mine, Theirs>(worker, handlers, errors) }
    const lost = (why: string, cause?: unknown): void => {
      if (this.#running === running) this.#running = null
      running.channel.close(new ThreadLost(`${title} ${why}`, { cause }))
    }
    worker.on('error', (error) => lost(`failed: ${messageOf(error)}`, error))
    worker.on('exit', (code) => lost(this.#closed ? 'was closed' : `exited with ${exitText(code)}`))
    worker.unref()
    return running
  }
}

function exitText(code: number | NodeJS.Signals): string {
  return typeof code === 'number' ? `code ${code}` : code
}

/** For the module of a thread: answers calls from the thread that started it. */
export function serveThread<Mine extends Handlers<Mine>, Theirs extends Handlers<Theirs> = object>(
  handlers: Mine,
  errors?: readonly ErrorKind[],
): Channel<Mine, Theirs> {
  const port = parentPort ?? parentProcess()
  if (port === null) throw new Error('This module must run in a worker thread or a process of its own.')
  return new Channel(port, handlers, errors)
}

/** From source, the worker first registers tsx to load TypeScript. */
function startWorker(path: string, from: string, options: WorkerOptions): Worker {
  const file = siblingModule(path, from)
  if (!from.endsWith('.ts')) return new Worker(new URL(file), options)
  const reader = JSON.stringify(tsxModule('api/index.mjs'))
  const source = `import(${reader}).then(({ register }) => { register(); return import(${JSON.stringify(file)}) })`
  return new Worker(source, { ...options, eval: true, execArgv: [] })
}

/** Node arguments that run a module of this project (`siblingModule`) in a new process. */
export function processArguments(module: string): string[] {
  const reader = module.endsWith('.ts') ? ['--import', tsxModule('index.mjs')] : []
  return [...reader, fileURLToPath(module)]
}

function tsxModule(name: string): string {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'))
  return new URL(`./dist/esm/${name}`, tsx).href
}

/** The URL of another module relative to `from`, with the extension that fits: compiled or source. */
export function siblingModule(path: string, from: string): string {
  return new URL(`${path}${from.endsWith('.ts') ? '.ts' : '.js'}`, from).href
}
