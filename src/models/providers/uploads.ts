/**
 * Media that a server keeps (`-M upload=once`). vLLM takes an id with a picture or a video, and later the id alone for as
 * long as it is in its cache. Nothing says what is still there: a request that is refused is sent again in full.
 */
import type { MediaRef } from '../../media/ref.ts'
import { abortReason, type Clock } from '../clock.ts'
import { RequestError } from './failure.ts'

/** Whether a file is named and not sent. */
export type IsThere = (ref: MediaRef) => boolean

/** Refusals after which everything is sent in full, if a name was never accepted. A server that keeps little refuses often. */
const MAX_REFUSALS = 3
/**
 * How long requests wait for the answer to the one that brings their files. After that, the server has most likely taken them
 * in, though a long answer is still being written. Doubled when it turns out to be too short.
 */
const FIRST_WAIT_MS = 1000
const MAX_WAIT_MS = 60_000
/** Ids that are remembered; servers keep fewer files. */
const MAX_KNOWN = 100_000

export function isKept({ type }: MediaRef): boolean {
  return type.startsWith('image/') || type.startsWith('video/')
}

export class Uploads {
  readonly #warn: (line: string) => void
  readonly #clock: Clock
  /** Files that were sent, the oldest first. */
  readonly #sent = new Set<string>()
  /** Files of requests that are not answered yet. */
  readonly #underWay = new Map<string, Promise<unknown>>()
  #waitMs = FIRST_WAIT_MS
  #refusals = 0
  #isAccepted = false
  #isOff = false

  constructor(warn: (line: string) => void, clock: Clock) {
    this.#warn = warn
    this.#clock = clock
  }

  /** @param send sends the request once */
  async send<Reply>(
    media: readonly MediaRef[],
    send: (isThere: IsThere) => Promise<Reply>,
    signal: AbortSignal,
  ): Promise<Reply> {
    if (this.#isOff) return send(() => false)
    const refs = media.filter(isKept)
    const isSent = ({ sha256 }: MediaRef): boolean => this.#sent.has(sha256)
    const isUnderWay = (ref: MediaRef): boolean => !isSent(ref) && this.#underWay.has(ref.sha256)
    // If they fail to arrive, every request sends them itself.
    const others = refs.filter(isUnderWay).map(({ sha256 }) => this.#underWay.get(sha256)!)
    const waitMs = this.#waitMs
    if (others.length > 0) await this.#settled(others, signal, waitMs)
    const isEarly = refs.some(isUnderWay)
    const fresh = refs.filter((ref) => !isSent(ref) && !isUnderWay(ref))
    const named = refs.filter((ref) => !fresh.includes(ref))
    const sending = named.length > 0 ? this.#sendNamed(named, isEarly, send) : send(() => false)
    for (const { sha256 } of fresh) if (!this.#underWay.has(sha256)) this.#underWay.set(sha256, sending)
    try {
      const reply = await sending
      this.#remember(refs)
      return reply
    } catch (error) {
      if (!isEarly || !isRefusal(error)) throw error
    } finally {
      for (const { sha256 } of fresh) if (this.#underWay.get(sha256) === sending) this.#underWay.delete(sha256)
    }
    await this.#settled(others, signal)
    const reply = await this.send(media, send, signal)
    // It was refused because it came too early: those that waited as long were refused as well.
    if (this.#waitMs === waitMs) this.#waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)
    return reply
  }

  /** @param isEarly whether some may not have arrived yet */
  async #sendNamed<Reply>(
    named: readonly MediaRef[],
    isEarly: boolean,
    send: (isThere: IsThere) => Promise<Reply>,
  ): Promise<Reply> {
    const ids = new Set(named.map(({ sha256 }) => sha256))
    try {
      const reply = await send(({ sha256 }) => ids.has(sha256))
      this.#isAccepted = true
      return reply
    } catch (error) {
      if (isEarly || !isRefusal(error)) throw error
      const reply = await send(() => false)
      // Only now it is clear that the names were refused, and not the request.
      for (const id of ids) this.#sent.delete(id)
      this.#refuse()
      return reply
    }
  }

  #refuse(): void {
    this.#refusals += 1
    if (this.#isAccepted || this.#refusals < MAX_REFUSALS || this.#isOff) return
    this.#isOff = true
    this.#warn('the server keeps no media by id; -M upload=once has no effect, and everything is sent in full')
  }

  /** Waits for the answers to other requests, but not longer than `ms`. */
  async #settled(others: readonly Promise<unknown>[], signal: AbortSignal, ms?: number): Promise<void> {
    let stop!: () => void
    const over = new Promise<void>((resolve) => (stop = resolve))
    const cancel = ms === undefined ? undefined : this.#clock.after(ms, stop)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    await Promise.race([Promise.allSettled(others), over])
    cancel?.()
    signal.removeEventListener('abort', stop)
    if (signal.aborted) throw abortReason(signal)
  }

  #remember(refs: readonly MediaRef[]): void {
    for (const { sha256 } of refs) {
      this.#sent.delete(sha256)
      this.#sent.add(sha256)
    }
    for (const oldest of this.#sent) {
      if (this.#sent.size <= MAX_KNOWN) break
      this.#sent.delete(oldest)
    }
  }
}

/** What a server answers if it does not have a file: 400 or 422, or 500 from some versions. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false
  const { status } = error.failure
  return status === 400 || status === 422 || status === 500
}
