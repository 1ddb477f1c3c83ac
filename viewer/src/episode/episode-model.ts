/** Turns the events of an episode into transcript entries, media and timeline steps. Pure. */
import { formatPurpose } from '../../../src/report/format.ts'
import type { EpisodeDetail, RecordedEvent } from '../../../src/server/api.ts'
import { type Piece, SeenLines } from './folding.ts'
import type { Moment, SuitePanel } from './panel.ts'
import {
  askEvent,
  measurementEvent,
  mediaEvent,
  messageEvent,
  outcomeEvent,
  readEvent,
  replyEvent,
  type MediaData,
} from './read.ts'

/** A recorded image, video or audio file; one item per recording. */
export interface MediaItem {
  at: number
  sha256: string
  type: string
  bytes: number | null
  width: number | null
  height: number | null
  /** The label shown to the player, or one from its provenance. */
  label: string
  provenance: Readonly<Record<string, unknown>>
  /** Whether a model saw it. */
  shown: boolean
}

export type MessagePart =
  | { kind: 'text'; pieces: readonly Piece[] }
  | { kind: 'media'; media: MediaData; label: string }
  /** Media from earlier requests. */
  | { kind: 'repeated'; media: readonly MediaData[] }

export interface NewMessage {
  at: number
  role: string
  parts: readonly MessagePart[]
}

export type Entry =
  | {
      kind: 'ask'
      at: number
      role: string
      purpose: string | null
      /** Number of messages from earlier requests. */
      earlier: number
      /** The request omits earlier messages: a fork of the conversation. */
      fork: boolean
      messages: readonly NewMessage[]
    }
  | {
      kind: 'reply'
      at: number
      role: string
      text: string
      reasoning: string | null
      media: readonly MediaData[]
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
      /** Whether its data is expanded initially. */
      open: boolean
    }
  | { kind: 'outcome'; at: number; status: string; problem: string | null; outcome: unknown }

export interface EpisodeModel {
  entries: readonly Entry[]
  media: readonly MediaItem[]
  moments: readonly Moment[]
}

/** A text of up to this length before an image is its label. */
const MAX_LABEL_LENGTH = 90

/** @param metrics of the suite, whose titles replace names in the purposes of requests */
export function buildEpisodeModel(
  events: readonly RecordedEvent[],
  panel: SuitePanel | null,
  metrics: EpisodeDetail['metrics'] = {},
): EpisodeModel {
  const writer = new EpisodeModelBuilder(panel, metrics)
  events.forEach((event, at) => writer.add(event, at))
  return writer.finish(events.length)
}

class EpisodeModelBuilder {
  readonly #panel: SuitePanel | null
  readonly #metrics: EpisodeDetail['metrics']
  readonly #entries: Entry[] = []
  readonly #media: MediaItem[] = []
  readonly #moments: Moment[] = []
  readonly #messages = new Map<number, { at: number; role: string; content: Content }>()
  /** Messages already shown with a request. */
  readonly #shownMessages = new Set<number>()
  readonly #seenLines = new SeenLines()
  readonly #replies = new Set<string>()
  readonly #seenMedia = new Set<string>()
  /** Last request by role, to detect forks. */
  readonly #last = new Map<string, readonly number[]>()

  constructor(panel: SuitePanel | null, metrics: EpisodeDetail['metrics']) {
    this.#panel = panel
    this.#metrics = metrics
  }

  add(event: RecordedEvent, at: number): void {
    const known = this.#read(event, at)
    if (!known) this.#note(event, at)
  }

  finish(length: number): EpisodeModel {
    const end = length - 1
    const last = this.#moments.at(-1)
    if (end >= 0 && last?.at !== end) this.#moments.push({ at: end, kind: 'end', title: 'end' })
    const media = this.#media.filter(({ shown, provenance }) => shown || provenance['made'] !== 'drawing')
    const shownPositions = new Set(media.map(({ at }) => at))
    const mediaPositions = new Set(this.#media.map(({ at }) => at))
    // A suite event right after an image replaces the image's own step.
    const described = new Set(
      this.#moments.filter(({ at, kind }) => kind !== 'note' && !mediaPositions.has(at)).map(({ at }) => at),
    )
    const moments = this.#moments.filter(({ at, kind }) =>
      kind !== 'picture' || !mediaPositions.has(at) ? true : shownPositions.has(at) && !described.has(at + 1),
    )
    // The suite's title is shorter and more informative than the label shown to the player.
    const byPosition = new Map(this.#moments.map((moment) => [moment.at, moment]))
    for (const item of media) {
      const after = byPosition.get(item.at + 1)
      if (after && (after.kind === 'picture' || after.kind === 'move') && !mediaPositions.has(after.at))
        item.label = after.title
    }
    const labels = new Map(this.#media.map((item) => [item.at, item.label]))
    return {
      entries: this.#entries,
      media,
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
        this.#addMedia(media, at)
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
        // The default panel already shows the sample; other panels do not.
        if (this.#panel?.transcriptFirst !== true) this.#addNote(event, at, 'Sample', null)
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

  /** Consecutive measurements share one entry and one step. */
  #measurement(instrument: string, value: unknown, at: number): void {
    const last = this.#entries.at(-1)
    const previous = last?.kind === 'note' && last.type === 'measurement' && last.at === at - 1 ? last : null
    const event = { ...previous?.event, type: 'measurement', [instrument]: value }
    const names = Object.keys(event).filter((name) => name !== 'type')
    if (previous) {
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
    this.#addNote(event, at, title, moment?.kind ?? null, this.#panel?.transcriptFirst)
  }

  #ask(role: string, name: string | null, ids: readonly number[], at: number): void {
    const purpose = name === null ? null : formatPurpose(name, this.#metrics)
    const fresh = ids.filter((id) => !this.#shownMessages.has(id))
    const last = this.#last.get(role) ?? []
    const fork = last.some((id, i) => ids[i] !== id) && ids.some((id) => this.#shownMessages.has(id))
    this.#last.set(role, ids)
    const messages = fresh.flatMap((id) => {
      this.#shownMessages.add(id)
      const message = this.#messages.get(id)
      return message ? this.#message(message) : []
    })
    this.#entries.push({ kind: 'ask', at, role, purpose, earlier: ids.length - fresh.length, fork, messages })
    this.#moments.push({ at, kind: 'ask', title: purpose ? `request: ${purpose}` : `request to ${role}` })
  }

  #message({ at, role, content }: { at: number; role: string; content: Content }): NewMessage[] {
    const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
    // The player's own messages already appear as replies.
    if (role === 'assistant') {
      const text = parts.map((each) => (each.type === 'text' ? each.text : '')).join('')
      if (text.trim() === '' || this.#replies.has(text.trim())) return []
    }
    return [{ at, role, parts: this.#parts(parts) }]
  }

  #parts(parts: Exclude<Content, string>): MessagePart[] {
    const result: MessagePart[] = []
    let repeated: MediaData[] = []
    const flush = (): void => {
      if (repeated.length > 0) result.push({ kind: 'repeated', media: repeated })
      repeated = []
    }
    const isLabel = (text: string, next: Exclude<Content, string>[number] | undefined): boolean =>
      this.#panel?.external !== true &&
      next?.type === 'media' &&
      text.length <= MAX_LABEL_LENGTH &&
      !text.trim().includes('\n')
    for (const [i, part] of parts.entries()) {
      if (part.type === 'text') {
        if (isLabel(part.text, parts[i + 1])) continue
        flush()
        result.push({ kind: 'text', pieces: this.#seenLines.split(part.text) })
        continue
      }
      const before = parts[i - 1]
      const label = before?.type === 'text' && isLabel(before.text, part) ? tidy(before.text) : ''
      const item = this.#mediaItemOf(part.media.sha256, label)
      if (this.#seenMedia.has(part.media.sha256)) {
        repeated.push(part.media)
        continue
      }
      flush()
      this.#seenMedia.add(part.media.sha256)
      result.push({ kind: 'media', media: part.media, label: label || (item?.label ?? '') })
    }
    flush()
    return result
  }

  /** The item for this hash: the one with this label, or the first not yet shown, which takes the label. */
  #mediaItemOf(sha256: string, label: string): MediaItem | undefined {
    const same = this.#media.filter((each) => each.sha256 === sha256)
    const item =
      same.find((each) => each.shown && each.label === label) ?? same.find(({ shown }) => !shown) ?? same.at(-1)
    if (!item) return undefined
    if (!item.shown && label !== '') item.label = label
    item.shown = true
    return item
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
    this.#moments.push({ at, kind: 'reply', title: `${role} replies` })
  }

  #addMedia(media: NonNullable<ReturnType<typeof readEvent<typeof mediaEvent>>>, at: number): void {
    const { sha256, mediaType, bytes, width, height, provenance = {} } = media
    if (!/^(image|video|audio)\//.test(mediaType)) return
    this.#media.push({
      at,
      sha256,
      type: mediaType,
      bytes: bytes ?? null,
      width: width ?? null,
      height: height ?? null,
      label: labelFrom(provenance, this.#media.length),
      provenance,
      shown: false,
    })
    this.#moments.push({ at, kind: 'picture', title: 'image' })
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
  return made === 'drawing' ? 'drawing' : `image ${index + 1}`
}

/** The searchable text of an entry. */
export function entryText(entry: Entry): string {
  switch (entry.kind) {
    case 'ask':
      return [
        entry.purpose ?? '',
        ...entry.messages.flatMap(({ parts }) =>
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
