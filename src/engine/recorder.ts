import type { MediaRef, Provenance } from '../media/ref.ts'
import type { Message, Reply, Role, Sampling } from '../models/types.ts'
import type { Measured } from './measure.ts'
import type { EpisodeEvent, SampleBase } from './suite.ts'

/**
 * Records an episode as JSON lines. Every request resends the whole conversation, so each distinct message is written
 * once and requests refer to messages by number; otherwise the log would grow quadratically.
 */
export class Recorder {
  readonly lines: string[] = []
  /** Numbers of the messages, by object and by text. */
  readonly #ids = new Map<Message | string, number>()
  #messages = 0
  hasOutcome = false

  readonly #isSilent: boolean

  /**
   * @param before earlier events of the episode, to which new ones are appended
   * @param isSilent nobody will read the events
   */
  constructor(before: readonly unknown[] = [], isSilent = false) {
    this.#isSilent = isSilent
    for (const event of before) {
      this.lines.push(JSON.stringify(event))
      // New messages are numbered after the existing ones.
      if (isEvent(event, 'message')) this.#messages += 1
      if (isEvent(event, 'outcome')) this.hasOutcome = true
    }
  }

  /** The first event of an episode, so scoring and viewing it later need no dataset. */
  sample(sample: SampleBase): void {
    this.#write({ type: 'sample', sample })
  }

  measurement(measured: Measured): void {
    this.#write({ type: 'measurement', ...measured })
  }

  note(event: EpisodeEvent): void {
    this.#write(event)
  }

  ask(
    ordinal: number,
    role: Role,
    messages: readonly Message[],
    sampling: Sampling,
    purpose: string | undefined,
  ): void {
    if (this.#isSilent) return
    const ids = messages.map((message) => this.#idOf(message))
    this.#write({ type: 'ask', ordinal, role, purpose, messages: ids, sampling })
  }

  reply(ordinal: number, role: Role, { text, media, reasoning, finish, usage, ms, cached, key, sampled }: Reply): void {
    this.#write({ type: 'reply', ordinal, role, text, media, reasoning, finish, usage, ms, cached, key, sampled })
  }

  media(ref: MediaRef, provenance: Provenance): void {
    const { sha256, type, bytes, width, height } = ref
    this.#write({ type: 'media', sha256, mediaType: type, bytes, width, height, provenance })
  }

  outcome(status: string, outcome: unknown, problem: string | undefined): void {
    this.hasOutcome = true
    this.#write({ type: 'outcome', status, outcome, problem })
  }

  #write(event: object): void {
    if (!this.#isSilent) this.lines.push(JSON.stringify(event))
  }

  #idOf(message: Message): number {
    const known = this.#ids.get(message)
    if (known !== undefined) return known
    const text = JSON.stringify(message)
    let id = this.#ids.get(text)
    if (id === undefined) {
      id = this.#messages++
      this.#ids.set(text, id)
      this.lines.push(`{"type":"message","id":${id},${text.slice(1)}`)
    }
    this.#ids.set(message, id)
    return id
  }
}

/** Whether a value read from disk is an event of this type. */
export function isEvent(event: unknown, type: string): event is Readonly<Record<string, unknown>> {
  return typeof event === 'object' && event !== null && 'type' in event && event.type === type
}
