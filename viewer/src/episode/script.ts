/** From the events of an episode to what the page shows of them: who said what, the pictures, the moments. Pure. */
import type { RecordedEvent } from '../../../src/server/api.ts'
import { type Piece, Said } from './folding.ts'
import type { Moment, SuitePanel } from './panel.ts'
import {
  askEvent,
  measurementEvent,
  mediaEvent,
  messageEvent,
  outcomeEvent,
  readEvent,
  replyEvent,
  type SeenMedia,
} from './read.ts'

/** A picture, video or sound that was kept, each time that it was. */
export interface Shot {
  at: number
  sha256: string
  type: string
  bytes: number | null
  width: number | null
  height: number | null
  /** What the player was told about it, or what its provenance says. */
  label: string
  provenance: Readonly<Record<string, unknown>>
  /** Was it shown to a model? */
  shown: boolean
}

export type SaidPart =
  | { kind: 'text'; pieces: readonly Piece[] }
  | { kind: 'media'; media: SeenMedia; label: string }
  /** Media that were in an earlier request, too. */
  | { kind: 'again'; media: readonly SeenMedia[] }

export interface SaidMessage {
  at: number
  role: string
  parts: readonly SaidPart[]
}

export type Entry =
  | {
      kind: 'ask'
      at: number
      role: string
      purpose: string | null
      /** Messages of the request that stand further up. */
      before: number
      /** Something that was said is left out of this request: a fork of the conversation. */
      fork: boolean
      said: readonly SaidMessage[]
    }
  | {
      kind: 'reply'
      at: number
      role: string
      text: string
      reasoning: string | null
      media: readonly SeenMedia[]
      finish: string | null
      inputTokens: number | null
      outputTokens: number | null
      usd: number | null
      ms: number | null
      cached: boolean
    }
  | {
      kind: 'note'
      at: number
      type: string
      title: string
      mark: Moment['kind'] | null
      event: RecordedEvent
      /** Are its data told at once, or only to those who ask? */
      open: boolean
    }
  | { kind: 'outcome'; at: number; status: string; problem: string | null; outcome: unknown }

export interface Script {
  entries: readonly Entry[]
  shots: readonly Shot[]
  moments: readonly Moment[]
}

/** A text before a picture is its label when it is no longer than this. */
const LABEL_LENGTH = 90

export function scriptOf(events: readonly RecordedEvent[], panel: SuitePanel | null): Script {
  const writer = new ScriptWriter(panel)
  events.forEach((event, at) => writer.add(event, at))
  return writer.finish(events.length)
}

class ScriptWriter {
  readonly #panel: SuitePanel | null
  readonly #entries: Entry[] = []
  readonly #shots: Shot[] = []
  readonly #moments: Moment[] = []
  readonly #messages = new Map<number, { at: number; role: string; content: Content }>()
  /** Messages that an ask has shown. */
  readonly #heard = new Set<number>()
  readonly #said = new Said()
  readonly #replies = new Set<string>()
  readonly #seenMedia = new Set<string>()
  /** Last request by role, to tell a fork. */
  readonly #last = new Map<string, readonly number[]>()

  constructor(panel: SuitePanel | null) {
    this.#panel = panel
  }

  add(event: RecordedEvent, at: number): void {
    const known = this.#read(event, at)
    if (!known) this.#note(event, at)
  }

  finish(length: number): Script {
    const end = length - 1
    const last = this.#moments.at(-1)
    if (end >= 0 && last?.at !== end) this.#moments.push({ at: end, kind: 'end', title: 'end' })
    const shots = this.#shots.filter(({ shown, provenance }) => shown || provenance['made'] !== 'drawing')
    const kept = new Set(shots.map(({ at }) => at))
    const pictures = new Set(this.#shots.map(({ at }) => at))
    // What the suite says about a picture that was just taken stands for the picture.
    const told = new Set(
      this.#moments.filter(({ at, kind }) => kind !== 'note' && !pictures.has(at)).map(({ at }) => at),
    )
    const moments = this.#moments.filter(({ at, kind }) =>
      kind !== 'picture' || !pictures.has(at) ? true : kept.has(at) && !told.has(at + 1),
    )
    // What the suite says about a picture is shorter and says more than what the player is told.
    const byPlace = new Map(this.#moments.map((moment) => [moment.at, moment]))
    for (const shot of shots) {
      const after = byPlace.get(shot.at + 1)
      if (after && (after.kind === 'picture' || after.kind === 'move') && !pictures.has(after.at))
        shot.label = after.title
    }
    const labels = new Map(this.#shots.map((shot) => [shot.at, shot.label]))
    return {
      entries: this.#entries,
      shots,
      moments: moments.map((moment) => ({ ...moment, title: labels.get(moment.at) ?? moment.title })),
    }
  }

  #read(event: RecordedEvent, at: number): boolean {
    switch (event.type) {
      case 'message': {
        const message = readEvent(messageEvent, event)
        if (!message) return false
        this.#messages.set(message.id, { at, role: message.role, content: message.content })
        return true
      }
      case 'ask': {
        const ask = readEvent(askEvent, event)
        if (!ask) return false
        this.#ask(ask.role, ask.purpose ?? null, ask.messages, at)
        return true
      }
      case 'reply': {
        const reply = readEvent(replyEvent, event)
        if (!reply) return false
        this.#reply(reply, at)
        return true
      }
      case 'media': {
        const media = readEvent(mediaEvent, event)
        if (!media) return false
        this.#media(media, at)
        return true
      }
      case 'outcome': {
        const outcome = readEvent(outcomeEvent, event)
        if (!outcome) return false
        const { status, problem, outcome: data } = outcome
        this.#entries.push({ kind: 'outcome', at, status, problem: problem ?? null, outcome: data })
        this.#moments.push({ at, kind: 'end', title: `end: ${status}` })
        return true
      }
      case 'sample':
        // The general panel shows it; beside another one it is a line for those who want to know.
        if (this.#panel?.general !== true) this.#addNote(event, at, 'Sample', null)
        return true
      case 'measurement': {
        const measurement = readEvent(measurementEvent, event)
        if (!measurement) return false
        this.#measurement(measurement.instrument, measurement.value, at)
        return true
      }
      default:
        return false
    }
  }

  /** What is measured together is one line and one moment. */
  #measurement(instrument: string, value: unknown, at: number): void {
    const last = this.#entries.at(-1)
    const goesOn = last?.kind === 'note' && last.type === 'measurement' && last.at === at - 1 ? last : null
    const event = { ...goesOn?.event, type: 'measurement', [instrument]: value }
    const names = Object.keys(event).filter((name) => name !== 'type')
    if (goesOn) {
      this.#entries.pop()
      this.#moments.pop()
    }
    this.#moments.push({ at, kind: 'verdict', title: 'measured' })
    this.#addNote(event, at, `Measured: ${names.join(', ')}`, 'verdict')
  }

  #addNote(event: RecordedEvent, at: number, title: string, mark: Moment['kind'] | null, open = false): void {
    this.#entries.push({ kind: 'note', at, type: event.type, title, mark, event, open })
  }

  #note(event: RecordedEvent, at: number): void {
    const moment = this.#panel?.moments?.(event, at) ?? null
    if (moment) this.#moments.push(moment)
    const title = moment?.title ?? this.#panel?.title?.(event) ?? event.type
    this.#addNote(event, at, title, moment?.kind ?? null, this.#panel?.general)
  }

  #ask(role: string, purpose: string | null, ids: readonly number[], at: number): void {
    const fresh = ids.filter((id) => !this.#heard.has(id))
    const last = this.#last.get(role) ?? []
    const fork = last.some((id, i) => ids[i] !== id) && ids.some((id) => this.#heard.has(id))
    this.#last.set(role, ids)
    const said = fresh.flatMap((id) => {
      this.#heard.add(id)
      const message = this.#messages.get(id)
      return message ? this.#message(message) : []
    })
    this.#entries.push({ kind: 'ask', at, role, purpose, before: ids.length - fresh.length, fork, said })
    this.#moments.push({ at, kind: 'ask', title: purpose ? `asks: ${purpose}` : `asks ${role}` })
  }

  #message({ at, role, content }: { at: number; role: string; content: Content }): SaidMessage[] {
    const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
    // The player's own words stand further up already, as its reply.
    if (role === 'assistant') {
      const words = parts.map((each) => (each.type === 'text' ? each.text : '')).join('')
      if (words.trim() === '' || this.#replies.has(words.trim())) return []
    }
    return [{ at, role, parts: this.#parts(parts) }]
  }

  #parts(parts: Exclude<Content, string>): SaidPart[] {
    const said: SaidPart[] = []
    let again: SeenMedia[] = []
    const flush = (): void => {
      if (again.length > 0) said.push({ kind: 'again', media: again })
      again = []
    }
    const isLabel = (text: string, next: Exclude<Content, string>[number] | undefined): boolean =>
      this.#panel?.guest !== true &&
      next?.type === 'media' &&
      text.length <= LABEL_LENGTH &&
      !text.trim().includes('\n')
    for (const [i, part] of parts.entries()) {
      if (part.type === 'text') {
        if (isLabel(part.text, parts[i + 1])) continue
        flush()
        said.push({ kind: 'text', pieces: this.#said.hear(part.text) })
        continue
      }
      const before = parts[i - 1]
      const label = before?.type === 'text' && isLabel(before.text, part) ? tidy(before.text) : ''
      const shot = this.#shotOf(part.media.sha256, label)
      if (this.#seenMedia.has(part.media.sha256)) {
        again.push(part.media)
        continue
      }
      flush()
      this.#seenMedia.add(part.media.sha256)
      said.push({ kind: 'media', media: part.media, label: label || (shot?.label ?? '') })
    }
    flush()
    return said
  }

  /** The shot of these bytes that is meant: the one with this label, or the first that was not shown yet gets it. */
  #shotOf(sha256: string, label: string): Shot | undefined {
    const same = this.#shots.filter((each) => each.sha256 === sha256)
    const shot =
      same.find((each) => each.shown && each.label === label) ?? same.find(({ shown }) => !shown) ?? same.at(-1)
    if (!shot) return undefined
    if (!shot.shown && label !== '') shot.label = label
    shot.shown = true
    return shot
  }

  #reply(reply: NonNullable<ReturnType<typeof readEvent<typeof replyEvent>>>, at: number): void {
    const { role, text, reasoning, media, finish, usage, ms, cached } = reply
    this.#replies.add(text.trim())
    this.#entries.push({
      kind: 'reply',
      at,
      role,
      text,
      reasoning: reasoning ?? null,
      media: media ?? [],
      finish: finish ?? null,
      inputTokens: usage?.inputTokens ?? null,
      outputTokens: usage?.outputTokens ?? null,
      usd: usage?.usd ?? null,
      ms: ms ?? null,
      cached: cached ?? false,
    })
    this.#moments.push({ at, kind: 'reply', title: `${role} answers` })
  }

  #media(media: NonNullable<ReturnType<typeof readEvent<typeof mediaEvent>>>, at: number): void {
    const { sha256, mediaType, bytes, width, height, provenance = {} } = media
    if (!/^(image|video|audio)\//.test(mediaType)) return
    this.#shots.push({
      at,
      sha256,
      type: mediaType,
      bytes: bytes ?? null,
      width: width ?? null,
      height: height ?? null,
      label: labelFrom(provenance, this.#shots.length),
      provenance,
      shown: false,
    })
    this.#moments.push({ at, kind: 'picture', title: 'picture' })
  }
}

type Content = NonNullable<ReturnType<typeof readEvent<typeof messageEvent>>>['content']

function tidy(label: string): string {
  return label.trim().replace(/:$/, '')
}

function labelFrom(provenance: Readonly<Record<string, unknown>>, index: number): string {
  const { frame, what, made } = provenance
  if (typeof frame === 'number') return `frame ${frame}`
  if (typeof what === 'string') return what
  return made === 'drawing' ? 'drawing' : `picture ${index + 1}`
}

/** Everything that is written in an entry, for searching. */
export function textOfEntry(entry: Entry): string {
  switch (entry.kind) {
    case 'ask':
      return [
        entry.purpose ?? '',
        ...entry.said.flatMap(({ parts }) =>
          parts.map((each) =>
            each.kind === 'text'
              ? each.pieces.map(({ text }) => text).join('\n')
              : each.kind === 'media'
                ? each.label
                : '',
          ),
        ),
      ].join('\n')
    case 'reply':
      return `${entry.text}\n${entry.reasoning ?? ''}`
    case 'note':
      return `${entry.title}\n${JSON.stringify(entry.event)}`
    case 'outcome':
      return `${entry.status}\n${entry.problem ?? ''}\n${JSON.stringify(entry.outcome) ?? ''}`
  }
}
