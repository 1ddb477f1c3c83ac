/**
 * Sends requests as batches. A request waits until every episode in progress waits, or a batch is full; then the batch is
 * sent, looked at until it has ended, and its results are handed to those who wait. Batches of a process that was killed are
 * found again by the keys of their requests, so that nothing is paid for twice.
 */
import { setMaxListeners } from 'node:events'
import { plural } from '../../base/plural.ts'
import type { BatchFiles, BatchFolder, BatchSpool, SpooledRequest } from '../../store/batches.ts'
import { abortReason, type Clock } from '../clock.ts'
import type { Redact } from '../secrets.ts'
import type { Batches, BatchWatch } from '../types.ts'
import { RequestError, SentDirectly } from './failure.ts'
import type { MediaBody } from './media-body.ts'
import { MAX_REPLY_BYTES, type SpooledCall } from './transport.ts'
import { contentOf } from './batch-content.ts'
import { FillingBatch } from './batch-filling.ts'
import { BatchLink } from './batch-link.ts'
import type { BatchProtocol, BatchResult } from './batch-protocol.ts'

/** Fewer requests of a later turn, or that failed, are sent directly: they would wait up to a day to save cents. */
const MIN_LATER_REQUESTS = 10
/** Without a new request for this long, the batch is sent. */
const QUIET_MS = 5000
/** Replies that wait for memory. */
const MAX_QUEUED_BYTES = 64 * 2 ** 20
/** Providers delete results after about as long. */
const MAX_AGE_MS = 30 * 24 * 60 * 60_000

export interface BatchSettings {
  model: string
  /** Base URL. */
  address: string
  protocol: BatchProtocol
  /** False: the requests are written to disk, and someone else sends them. */
  sends: boolean
  files: BatchFiles
  media: MediaBody
  clock: Clock
  /** Whether batches of earlier processes are used. */
  adopts: boolean
  isStored(key: string): Promise<boolean>
  log: (line: string) => void
  redact: Redact
}

interface Waiter {
  call: SpooledCall
  resolve: (body: Buffer) => void
  reject: (error: unknown) => void
}

/** A batch that is sent, or that was. */
interface Live {
  folder: BatchFolder
  hasEnded: boolean
  isReported: boolean
  /** For requests without a result. */
  missing: RequestError
}

export class BatchQueue implements Batches {
  readonly #settings: BatchSettings
  readonly #link: BatchLink
  readonly #waiting = new Map<string, Waiter>()
  /** How many ask for each request: the same one is sent once. */
  readonly #askers = new Map<string, number>()
  /** Those of them who wait. */
  #blocked = 0
  /** The batch that a request is in. */
  readonly #homes = new Map<string, Live>()
  readonly #lives = new Set<Live>()
  readonly #tasks = new Set<Promise<void>>()
  readonly #closing = new AbortController()
  #filling: FillingBatch | null = null
  #adopted: Promise<void> | undefined
  #watch: BatchWatch | undefined
  #delivering = 0
  #queuedBytes = 0
  #hasEnded = false
  #quiet: AbortController | undefined

  constructor(settings: BatchSettings) {
    this.#settings = settings
    setMaxListeners(0, this.#closing.signal)
    this.#link = new BatchLink(settings, this.#closing.signal)
  }

  /** Whether a provider still has requests. */
  get isOpen(): boolean {
    return [...this.#lives].some(({ hasEnded }) => !hasEnded)
  }

  watch(watch: BatchWatch): void {
    this.#watch = watch
  }

  /** Someone asks for a request, or no longer does. */
  count(key: string, change: 1 | -1): void {
    const askers = (this.#askers.get(key) ?? 0) + change
    if (askers > 0) this.#askers.set(key, askers)
    else this.#askers.delete(key)
    if (!this.#waiting.has(key)) return
    this.#blocked += change
    this.check()
  }

  /** The body of the reply, when its batch has ended. */
  async spool(call: SpooledCall): Promise<Buffer> {
    await (this.#adopted ??= this.#adopt())
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#take(call.id)
        reject(abortReason(call.signal))
      }
      if (call.signal.aborted) return onAbort()
      call.signal.addEventListener('abort', onAbort, { once: true })
      const end = <Value>(then: (value: Value) => void) => {
        return (value: Value): void => {
          call.signal.removeEventListener('abort', onAbort)
          then(value)
        }
      }
      this.#waiting.set(call.id, { call, resolve: end(resolve), reject: end(reject) })
      this.#blocked += this.#askers.get(call.id) ?? 0
      if (!this.#homes.has(call.id)) this.#add(call)
      this.check()
    })
  }

  /** Sends what has gathered if nothing else can happen. */
  check(): void {
    if (this.#waiting.size === 0 || this.#closing.signal.aborted) return
    const active = this.#watch?.active() ?? null
    if (active !== null && this.#blocked >= active && this.#delivering === 0) this.#settle()
    else this.#settleWhenQuiet()
  }

  /** Leaves batches at the provider; a later process finds them. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the model is closed'))
    this.#quiet?.abort()
    await Promise.allSettled(this.#tasks)
    await this.#filling?.discard()
    for (const { folder, hasEnded } of this.#lives) {
      if (hasEnded && (await this.#isStored(folder))) await folder.remove()
      else await folder.release()
    }
  }

  #add({ id: key, url, json }: SpooledCall): void {
    const { protocol, media, files, model, address } = this.#settings
    const request: SpooledRequest = { key, url, json }
    const bytes = media.fill(protocol.line(request)).length
    if (bytes > protocol.maxBytes) {
      this.#take(key)?.reject(new SentDirectly())
      return
    }
    if (this.#filling && !this.#filling.hasRoom(request, bytes, protocol)) this.#flush()
    const run = this.#watch?.run ?? null
    this.#filling ??= new FillingBatch(files, url, { model, address, run, prefix: media.prefix })
    this.#filling.add(request, bytes, (error) => this.#take(key)?.reject(error))
  }

  #settle(): void {
    this.#quiet?.abort()
    const ready = [...this.#lives].filter(
      (live) => live.hasEnded && [...this.#waiting.keys()].some((key) => this.#homes.get(key) === live),
    )
    if (ready.length > 0) for (const live of ready) this.#start(() => this.#deliver(live))
    else if (this.#filling) this.#flush()
    else if (this.#tasks.size === 0 && this.#watch) this.#watch.suspend(this.#suspendedLine())
  }

  #settleWhenQuiet(): void {
    this.#quiet?.abort()
    this.#quiet = new AbortController()
    const onQuiet = (): void => {
      const canMore =
        this.#filling !== null || this.#tasks.size === 0 || [...this.#lives].some(({ hasEnded }) => hasEnded)
      if (this.#waiting.size > 0 && this.#delivering === 0 && canMore) this.#settle()
    }
    this.#settings.clock.sleep(QUIET_MS, this.#quiet.signal).then(onQuiet, () => undefined)
  }

  #flush(): void {
    const batch = this.#filling!
    const { keys, spool } = batch
    this.#filling = null
    const isSmall = this.#hasEnded && keys.length < MIN_LATER_REQUESTS && this.#settings.sends
    const isWanted = keys.some((key) => this.#waiting.has(key))
    if (isSmall || !isWanted) {
      void batch.discard()
      for (const key of keys) this.#take(key)?.reject(new SentDirectly())
      return
    }
    this.#start(() => this.#send(keys, spool))
  }

  async #send(keys: readonly string[], spool: Promise<BatchSpool>): Promise<void> {
    const { sends, protocol, media, log, model } = this.#settings
    let live: Live | undefined
    try {
      const folder = await (await spool).seal(sends ? 'creating' : 'waiting')
      live = this.#join(folder, keys)
      if (!sends) return
      await this.#link.submit(folder, () => contentOf(folder, protocol, media))
      log(`${model}: batch ${folder.record.id} has ${plural(keys.length, 'request')}.`)
    } catch (error) {
      if (this.#closing.signal.aborted) return
      if (live) {
        this.#leave(live, keys)
        await live.folder.release()
      }
      for (const key of keys) this.#take(key)?.reject(error)
      return
    }
    await this.#follow(live, keys)
  }

  /** Waits for a batch of the provider, and hands out its results. */
  async #follow(live: Live, keys: readonly string[]): Promise<void> {
    try {
      live.missing = await this.#link.collect(live.folder)
      live.hasEnded = true
      this.#hasEnded = true
    } catch (error) {
      if (this.#closing.signal.aborted) return
      this.#leave(live, keys)
      await live.folder.release()
      for (const key of keys) this.#take(key)?.reject(error)
      return
    }
    await this.#deliver(live)
  }

  async #deliver(live: Live): Promise<void> {
    const { protocol, log, model } = this.#settings
    this.#delivering += 1
    const failed = new Map<string, RequestError>()
    const kept = new Set<string>()
    let answered = 0
    try {
      for await (const line of live.folder.results()) {
        const result = protocol.read(line)
        // A result that comes twice counts once, and one of another batch never.
        if (!result || this.#homes.get(result.key) !== live || kept.has(result.key)) continue
        if (result.reply instanceof RequestError) {
          failed.set(result.key, result.reply)
          continue
        }
        kept.add(result.key)
        answered += 1
        // The others are delivered when these have found room.
        if (this.#queuedBytes >= MAX_QUEUED_BYTES) continue
        const waiter = this.#take(result.key)
        if (!waiter) continue
        this.#homes.delete(result.key)
        this.#hand(waiter, result)
      }
      for (const key of await live.folder.keys()) {
        if (this.#homes.get(key) !== live || kept.has(key)) continue
        this.#homes.delete(key)
        this.#take(key)?.reject(failed.get(key) ?? live.missing)
      }
    } finally {
      this.#delivering -= 1
    }
    if (!live.isReported) {
      const { id, name, requests } = live.folder.record
      const rest = requests - answered
      log(`${model}: batch ${id ?? name} has ended: ${answered} answered${rest === 0 ? '' : `, ${rest} not`}.`)
      live.isReported = true
    }
    this.check()
  }

  #hand({ call, resolve, reject }: Waiter, { reply }: BatchResult): void {
    const body = Buffer.from(String(reply))
    if (body.length > MAX_REPLY_BYTES) {
      const message = `the reply is larger than ${MAX_REPLY_BYTES / 2 ** 20} MB`
      return reject(new RequestError({ kind: 'too-large', retry: false, message }))
    }
    this.#queuedBytes += body.length
    Promise.resolve(call.receive?.(body.length))
      .then(() => resolve(body), reject)
      .finally(() => (this.#queuedBytes -= body.length))
  }

  #take(key: string): Waiter | undefined {
    const waiter = this.#waiting.get(key)
    if (this.#waiting.delete(key)) this.#blocked -= this.#askers.get(key) ?? 0
    return waiter
  }

  #join(folder: BatchFolder, keys: readonly string[]): Live {
    const hasEnded = folder.record.state === 'ended'
    const live: Live = { folder, hasEnded, isReported: false, missing: this.#link.noResult }
    this.#lives.add(live)
    for (const key of keys) this.#homes.set(key, live)
    return live
  }

  #leave(live: Live, keys: readonly string[]): void {
    this.#lives.delete(live)
    for (const key of keys) if (this.#homes.get(key) === live) this.#homes.delete(key)
  }

  /** Batches of earlier processes. */
  async #adopt(): Promise<void> {
    const { files, model, address, adopts, sends } = this.#settings
    if (!adopts) return
    const known = await files.all()
    const ids = known.flatMap(({ record }) => record.id ?? [])
    for (const folder of known) {
      const { record } = folder
      if (record.model !== model || record.address !== address) continue
      // Nobody has to send what this run sends itself.
      if ((record.state === 'waiting' && sends) || !(await folder.take())) continue
      if (record.state === 'ended' && Date.now() - record.created > MAX_AGE_MS) {
        await folder.remove()
        continue
      }
      const keys = await folder.keys()
      if (record.state === 'ended' || record.state === 'waiting') this.#join(folder, keys)
      else if (record.state === 'submitted') this.#start(() => this.#follow(this.#join(folder, keys), keys))
      else await this.#find(folder, keys, ids)
    }
  }

  /** The process was killed while it created this batch. */
  async #find(folder: BatchFolder, keys: readonly string[], others: readonly string[]): Promise<void> {
    const live = this.#join(folder, keys)
    this.#start(async () => {
      const isFound = await this.#link.find(folder, new Set(keys), others).catch((error: unknown) => error)
      if (isFound === true) return this.#follow(live, keys)
      if (this.#closing.signal.aborted) return
      this.#leave(live, keys)
      if (isFound !== false) {
        await folder.release()
        for (const key of keys) this.#take(key)?.reject(isFound)
        return
      }
      await folder.remove()
      const waiting = keys.flatMap((key) => this.#waiting.get(key)?.call ?? [])
      for (const call of waiting) this.#add(call)
      this.check()
    })
  }

  #start(task: () => Promise<void>): void {
    const running = task().catch((error: unknown) => {
      for (const key of this.#waiting.keys()) this.#take(key)?.reject(error)
    })
    this.#tasks.add(running)
    void running.finally(() => {
      this.#tasks.delete(running)
      this.check()
    })
  }

  async #isStored(folder: BatchFolder): Promise<boolean> {
    for await (const line of folder.results()) {
      const result = this.#settings.protocol.read(line)
      if (result && typeof result.reply === 'string' && !(await this.#settings.isStored(result.key))) return false
    }
    return true
  }

  #suspendedLine(): string {
    // Requests that an earlier run wrote are exported as its own.
    const runs = new Set([...this.#waiting.keys()].map((key) => this.#homes.get(key)?.folder.record.run))
    const commands = [...runs].map((run) => `sightline export ${run ?? this.#watch?.run} --to batch-jsonl`)
    return `${plural(this.#waiting.size, 'request')} must be sent by you: ${commands.join(' and ')}`
  }
}
