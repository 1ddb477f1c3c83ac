/** Threads that load a module of this project, compiled or from its sources. */
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parentPort, Worker } from 'node:worker_threads'
import { type Call, Channel, type ErrorKind, type Handlers, type Result } from './channel.ts'
import { messageOf } from './errors.ts'

/** A thread ended before it had answered: out of memory, killed by what it loaded, or closed. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost'
}

export interface ThreadOptions<Mine> {
  /** For error messages: "a thread that plays episodes". */
  title: string
  /** What the thread may call here. */
  handlers: Mine
  /** The `workerData` of the thread's module. */
  data?: unknown
  errors?: readonly ErrorKind[]
}

/**
 * A thread whose module answers calls (`serveThread`). It starts with the first call, starts anew after it was lost, and
 * keeps the process alive only while a call is outstanding.
 *
 * @example
 * const thread = new Thread<Sums>('./sums', import.meta.url, { title: 'a thread that adds', handlers: {} })
 * const sum = await thread.call('add', [1, 2])
 */
export class Thread<Theirs extends Handlers<Theirs>, Mine extends Handlers<Mine> = object> {
  readonly #path: string
  readonly #from: string
  readonly #options: ThreadOptions<Mine>
  #running: { worker: Worker; channel: Channel<Mine, Theirs> } | null = null
  #closed = false

  /** `path`: the module, without its ending, as seen from the module `from`. */
  constructor(path: string, from: string, options: ThreadOptions<Mine>) {
    this.#path = path
    this.#from = from
    this.#options = options
  }

  /** Calls that are not answered yet. */
  get outstanding(): number {
    return this.#running?.channel.outstanding ?? 0
  }

  /** Fails with `ThreadLost` when the thread ends first. */
  async call<Name extends keyof Theirs>(...call: Call<Theirs, Name>): Promise<Result<Theirs[Name]>> {
    if (this.#closed) throw new ThreadLost(`${this.#options.title} was closed`)
    const { worker, channel } = (this.#running ??= this.#start())
    worker.ref()
    try {
      return await channel.call(...call)
    } finally {
      if (channel.outstanding === 0) worker.unref()
    }
  }

  /** A thread that does not run is told nothing. */
  send<Name extends keyof Theirs>(...call: Call<Theirs, Name>): void {
    this.#running?.channel.send(...call)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#running?.worker.terminate()
  }

  #start(): { worker: Worker; channel: Channel<Mine, Theirs> } {
    const { title, handlers, data, errors } = this.#options
    const worker = startWorker(this.#path, this.#from, data)
    const running = { worker, channel: new Channel<Mine, Theirs>(worker, handlers, errors) }
    const lost = (why: string): void => {
      if (this.#running === running) this.#running = null
      running.channel.close(new ThreadLost(`${title} ${why}`))
    }
    worker.on('error', (error) => lost(`failed: ${messageOf(error)}`))
    worker.on('exit', (code) => lost(this.#closed ? 'was closed' : `ended with ${code}`))
    worker.unref()
    return running
  }
}

/** For the module of a thread: answers the thread that started it, and may call it. */
export function serveThread<Mine extends Handlers<Mine>, Theirs extends Handlers<Theirs> = object>(
  handlers: Mine,
  errors?: readonly ErrorKind[],
): Channel<Mine, Theirs> {
  if (parentPort === null) throw new Error('this module is for a thread')
  return new Channel(parentPort, handlers, errors)
}

/** Compiled, a thread reads its file; from the sources it must first be taught TypeScript, as tsx does it. */
function startWorker(path: string, from: string, workerData: unknown): Worker {
  const file = moduleBeside(path, from)
  if (!from.endsWith('.ts')) return new Worker(new URL(file), { workerData })
  const reader = JSON.stringify(tsxModule('api/index.mjs'))
  const source = `import(${reader}).then(({ register }) => { register(); return import(${JSON.stringify(file)}) })`
  return new Worker(source, { workerData, eval: true, execArgv: [] })
}

/** What Node is started with to run a module of this project (`moduleBeside`) in a process of its own. */
export function processArguments(module: string): string[] {
  const reader = module.endsWith('.ts') ? ['--import', tsxModule('index.mjs')] : []
  return [...reader, fileURLToPath(module)]
}

function tsxModule(name: string): string {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'))
  return new URL(`./dist/esm/${name}`, tsx).href
}

/** The address of another module, as it is called where the asking one runs: compiled or not. */
export function moduleBeside(path: string, from: string): string {
  return new URL(`${path}${from.endsWith('.ts') ? '.ts' : '.js'}`, from).href
}
