/** A person as a model: a request waits until somebody in a browser has answered it. */
import { hashOf } from '../../base/hash.ts'
import type { ReplyStore } from '../../models/deps.ts'
import { requestKey } from '../../models/key.ts'
import { fromStored, toStored } from '../../models/stored-reply.ts'
import { type Model, type ModelRequest, NO_USAGE, type Reply } from '../../models/types.ts'
import type { PlayTurn } from '../api.ts'

export const PERSON_PREFIX = 'human/'

interface Waiting {
  turn: PlayTurn
  since: number
  answer(text: string): void
}

export class Person implements Model {
  readonly id: string
  /** One episode at a time, as a model with a single connection: nobody plays sixteen rooms at once. */
  readonly local = false
  readonly #replies: ReplyStore
  readonly #changed: () => void
  #run = ''
  #waiting: Waiting | null = null
  #turns = 0

  /** `changed` is called when a question comes and when it is answered. */
  constructor(name: string, replies: ReplyStore, changed: () => void) {
    this.id = PERSON_PREFIX + name
    this.#replies = replies
    this.#changed = changed
  }

  /** The run that is played. Replies are kept for it alone: in another run the same question is asked anew. */
  plays(run: string): void {
    this.#run = run
  }

  get turn(): PlayTurn | null {
    return this.#waiting?.turn ?? null
  }

  /** Answers the question that is asked now; false when it is not this one, because it was answered already. */
  reply(turn: number, text: string): boolean {
    if (this.#waiting?.turn.number !== turn) return false
    this.#waiting.answer(text)
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
    const reply = await this.#answered(request, signal)
    await this.#replies.put(stored, toStored(this.id, reply))
    return { ...reply, key }
  }

  async close(): Promise<void> {}

  async #answered(request: ModelRequest, signal: AbortSignal): Promise<Reply> {
    const { messages, epoch, origin, draining } = request
    const turn = {
      number: ++this.#turns,
      sample: origin.sampleId,
      epoch,
      purpose: origin.purpose ?? '',
      messages: [...messages],
    }
    const since = performance.now()
    const ends = draining ? AbortSignal.any([signal, draining]) : signal
    try {
      const text = await new Promise<string>((resolve, reject) => {
        const stop = (): void => reject(ends.reason as Error)
        if (ends.aborted) return stop()
        ends.addEventListener('abort', stop, { once: true })
        const answer = (said: string): void => {
          ends.removeEventListener('abort', stop)
          this.#waiting = null
          resolve(said)
        }
        this.#waiting = { turn, since, answer }
        this.#changed()
      })
      const ms = Math.round(performance.now() - since)
      return { text, finish: 'stop', usage: { ...NO_USAGE, calls: 1 }, ms, cached: false }
    } finally {
      this.#waiting = null
      this.#changed()
    }
  }
}
