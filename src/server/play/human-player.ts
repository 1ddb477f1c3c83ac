/** A human as a model: each request waits for a reply from the browser. */
import { hashOf } from '../../base/hash.ts'
import { HUMAN_PREFIX } from '../../engine/players.ts'
import type { AnySuite } from '../../engine/suite.ts'
import type { ReplyStore } from '../../models/deps.ts'
import { requestKey } from '../../models/key.ts'
import { fromStored, toStored } from '../../models/stored-reply.ts'
import { type Model, type ModelRequest, NO_USAGE, type Reply } from '../../models/types.ts'
import { formatPurpose } from '../../report/format.ts'
import type { PlayTurn } from '../api.ts'

interface PendingTurn {
  turn: PlayTurn
  since: number
  answer(text: string): void
}

export class HumanPlayer implements Model {
  readonly id: string
  /** Plays one episode at a time, like a model with a single connection. */
  readonly local = false
  readonly #replies: ReplyStore
  readonly #metrics: AnySuite['metrics']
  readonly #changed: () => void
  #run = ''
  #pending: PendingTurn | null = null
  #turns = 0

  /** `metrics` give questions their titles; `changed` is called when a question arrives and when it is answered. */
  constructor(name: string, replies: ReplyStore, metrics: AnySuite['metrics'], changed: () => void) {
    this.id = HUMAN_PREFIX + name
    this.#metrics = metrics
    this.#replies = replies
    this.#changed = changed
  }

  /** Sets the current run. Replies are cached per run: another run asks the same question again. */
  setRun(run: string): void {
    this.#run = run
  }

  get turn(): PlayTurn | null {
    return this.#pending?.turn ?? null
  }

  /** Answers the current question; false when `turn` was already answered. */
  reply(turn: number, text: string): boolean {
    if (this.#pending?.turn.number !== turn) return false
    this.#pending.answer(text)
    return true
  }

  connections(): number {
    return 1
  }

  async ask(request: ModelRequest, signal: AbortSignal): Promise<Reply> {
    const key = requestKey(request)
    const { sampleId, ordinal } = request.origin
    const stored = hashOf({ run: this.#run, case: sampleId, ordinal, key })
    const known = fromStored(await this.#replies.get(stored))
    if (known) return { ...known, key }
    const reply = await this.#waitForReply(request, signal)
    await this.#replies.put(stored, toStored(this.id, reply))
    return { ...reply, key }
  }

  async close(): Promise<void> {}

  async #waitForReply(request: ModelRequest, signal: AbortSignal): Promise<Reply> {
    const { messages, epoch, origin, draining } = request
    const turn = {
      number: ++this.#turns,
      sample: origin.sampleId,
      epoch,
      purpose: origin.purpose ?? '',
      title: formatPurpose(origin.purpose ?? '', this.#metrics),
      messages: [...messages],
    }
    const since = performance.now()
    const ends = draining ? AbortSignal.any([signal, draining]) : signal
    try {
      const text = await new Promise<string>((resolve, reject) => {
        const stop = (): void => reject(ends.reason as Error)
        if (ends.aborted) return stop()
        ends.addEventListener('abort', stop, { once: true })
        const answer = (reply: string): void => {
          ends.removeEventListener('abort', stop)
          this.#pending = null
          resolve(reply)
        }
        this.#pending = { turn, since, answer }
        this.#changed()
      })
      const ms = Math.round(performance.now() - since)
      return { text, finish: 'stop', usage: { ...NO_USAGE, calls: 1 }, ms, cached: false }
    } finally {
      this.#pending = null
      this.#changed()
    }
  }
}
