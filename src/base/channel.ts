/**
 * Calls between two threads. Each end has handlers that the other end calls by name: `call` returns a promise of the
 * result, `send` expects none. Errors keep their class.
 */
import type { Transferable } from 'node:worker_threads'
import { messageOf, MissingAssetError, UserError } from './errors.ts'

type Handler = (payload: never) => unknown
/** The functions that one end offers, by name. */
export type Handlers<Names> = { [Name in keyof Names]: Handler }

type Payload<Called> = Called extends (payload: infer Given) => unknown ? Given : never
/** Handler name, payload, and the buffers to transfer instead of copying. */
export type Call<Theirs, Name extends keyof Theirs> = [
  name: Name,
  payload: Payload<Theirs[Name]>,
  buffers?: readonly Transferable[],
]
export type Result<Called extends Handler> = Awaited<ReturnType<Called>>

/** An error class that survives the transfer. Others arrive as `Error`, with their message and stack. */
export interface ErrorKind {
  readonly name: string
  /** Constructor arguments to rebuild the error; undefined for other classes. */
  pack(error: unknown): readonly unknown[] | undefined
  unpack(args: never): Error
}

/**
 * @example
 * const kind = errorKind(RangeError, ({ message }) => [message])
 */
export function errorKind<Args extends unknown[] | [], Thrown extends Error>(
  type: new (...args: Args) => Thrown,
  argumentsOf: (error: Thrown) => Args,
): ErrorKind {
  return {
    name: type.name,
    pack: (error) => (error instanceof type ? argumentsOf(error) : undefined),
    unpack: (args: Args) => new type(...args),
  }
}

const BASE_KINDS: readonly ErrorKind[] = [
  errorKind(UserError, ({ message, hint, setup }) => [message, { setup, ...(hint !== undefined && { hint }) }]),
  errorKind(MissingAssetError, ({ message }) => [message]),
]

/** `never`: only the two ends know the types of their handlers. */
export type Message<Mine> =
  | { type: 'call'; number: number; name: keyof Mine; payload: never }
  | { type: 'send'; name: keyof Mine; payload: never }
  | { type: 'result'; number: number; value: never }
  | { type: 'error'; number: number; kind: string | undefined; args: never; message: string; stack: string | undefined }

/** The common part of `Worker`, `MessagePort` and processes. */
export interface Port<Mine> {
  postMessage(message: object, buffers?: readonly Transferable[]): void
  on(event: 'message', listener: (message: Message<Mine>) => void): unknown
}

interface Waiting {
  resolve: (value: never) => void
  reject: (error: Error) => void
}

/** One end of the connection. Both ends must know the same error classes. */
export class Channel<Mine extends Handlers<Mine>, Theirs extends Handlers<Theirs>> {
  readonly #port: Port<Mine>
  readonly #handlers: Mine
  readonly #kinds: readonly ErrorKind[]
  readonly #waiting = new Map<number, Waiting>()
  #calls = 0
  #closed: Error | null = null

  constructor(port: Port<Mine>, handlers: Mine, kinds: readonly ErrorKind[] = []) {
    this.#port = port
    this.#handlers = handlers
    this.#kinds = [...BASE_KINDS, ...kinds]
    port.on('message', (message) => this.#receive(message))
  }

  /** Calls from this end without a result yet. */
  get pendingCalls(): number {
    return this.#waiting.size
  }

  call<Name extends keyof Theirs>(...[name, payload, buffers]: Call<Theirs, Name>): Promise<Result<Theirs[Name]>> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw this.#closed
      const number = ++this.#calls
      this.#post({ type: 'call', number, name, payload }, buffers)
      this.#waiting.set(number, { resolve, reject })
    })
  }

  send<Name extends keyof Theirs>(...[name, payload, buffers]: Call<Theirs, Name>): void {
    if (!this.#closed) this.#post({ type: 'send', name, payload }, buffers)
  }

  /** Closes this end after the other one is gone: pending and later calls fail. */
  close(error: Error): void {
    this.#closed ??= error
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }

  #receive(message: Message<Mine>): void {
    switch (message.type) {
      case 'call':
        void this.#answer(message.number, message.name, message.payload)
        return
      case 'send':
        this.#handlers[message.name](message.payload)
        return
      case 'result':
        this.#waiting.get(message.number)?.resolve(message.value)
        this.#waiting.delete(message.number)
        return
      case 'error': {
        const { number, kind, args, stack } = message
        const error = this.#kinds.find(({ name }) => name === kind)?.unpack(args) ?? new Error(message.message)
        if (stack !== undefined) error.stack = stack
        this.#waiting.get(number)?.reject(error)
        this.#waiting.delete(number)
      }
    }
  }

  async #answer(number: number, name: keyof Mine, payload: never): Promise<void> {
    try {
      const value = await this.#handlers[name](payload)
      this.#post({ type: 'result', number, value })
    } catch (error) {
      const stack = error instanceof Error ? error.stack : undefined
      const kind = this.#kinds.find((each) => each.pack(error) !== undefined)
      this.#post({ type: 'error', number, kind: kind?.name, args: kind?.pack(error), message: messageOf(error), stack })
    }
  }

  #post(message: object, buffers: readonly Transferable[] = []): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's, not a window's
    this.#port.postMessage(message, buffers)
  }
}
