/** Episodes in words for readers: question, answer, ground truth and an image, from the events alone. */
import { z } from 'zod'
import { MEDIA_TYPES } from '../media/ref.ts'
import { type Message, textOf } from '../models/types.ts'
import type { RunHeader } from '../store/records.ts'
import { suiteOptions } from './options.ts'
import { isEvent } from './recorder.ts'
import type { AnySuite, EpisodeDescription, RecordedImage } from './suite.ts'

/** Logs and suites may hold texts of any length. */
const MAX_TEXT_LENGTH = 2000
const MAX_CHOICE_LENGTH = 200
const MAX_CHOICES = 50

const imageEvent = z.object({
  sha256: z.string(),
  mediaType: z.enum(MEDIA_TYPES).refine((type) => type.startsWith('image/')),
  bytes: z.number(),
  width: z.number().exactOptional(),
  height: z.number().exactOptional(),
  provenance: z.record(z.string(), z.unknown()).catch({}),
})
const partSchema = z.union([z.object({ type: z.literal('text'), text: z.string() }), z.unknown()])
const messageEvent = z.object({ id: z.number(), role: z.string(), content: z.union([z.string(), z.array(partSchema)]) })
const askEvent = z.object({ role: z.literal('player'), messages: z.array(z.number()) })
const replyEvent = z.object({ role: z.literal('player'), text: z.string() })

/** Describes one episode, given its events. */
export type Describe = (events: readonly unknown[]) => EpisodeDescription

/**
 * How the episodes of a run are described. What the suite does not say comes from the log; so does everything if the
 * suite is not installed (null) or fails, for example on outcomes of another version.
 *
 * @example
 * const describe = episodeDescriber(suite, run.header)
 * const { question, answer, truth } = describe(await run.events(line))
 */
export function episodeDescriber(suite: AnySuite | null, { profile, options }: RunHeader): Describe {
  const known = suite?.describe && attempt(() => ({ profile, options: suiteOptions(suite, options) }))
  return (events) => {
    const images = imagesIn(events)
    const [first] = events
    const sample = isEvent(first, 'sample') ? first['sample'] : null
    const outcome = events.findLast((event) => isEvent(event, 'outcome'))?.['outcome'] ?? null
    const told =
      known && sample !== null ? attempt(() => suite.describe!(sample, outcome, { ...known, images })) : undefined
    const question = told?.question ?? firstRequest(events)
    const image = told?.image ?? images[0]
    const answer = told ? told.answer : lastReply(events)
    return {
      ...(question !== undefined && { question: clipped(question) }),
      ...(answer !== undefined && { answer: clipped(answer) }),
      ...(told?.truth !== undefined && { truth: clipped(told.truth) }),
      ...(told?.unit !== undefined && { unit: told.unit }),
      ...(told?.choices && {
        choices: told.choices.slice(0, MAX_CHOICES).map((choice) => clipped(choice, MAX_CHOICE_LENGTH)),
      }),
      ...(image && { image: refOf(image) }),
      ...(told?.map && { map: told.map }),
    }
  }
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

function clipped<T extends string | number | null>(value: T, length = MAX_TEXT_LENGTH): T | string {
  return typeof value === 'string' && value.length > length ? `${value.slice(0, length - 1)}…` : value
}

function refOf({ sha256, type, bytes, width, height }: NonNullable<EpisodeDescription['image']>) {
  return { sha256, type, bytes, ...(width !== undefined && { width }), ...(height !== undefined && { height }) }
}

function imagesIn(events: readonly unknown[]): RecordedImage[] {
  return events.flatMap((event): RecordedImage[] => {
    const { data } = isEvent(event, 'media') ? imageEvent.safeParse(event) : {}
    return data ? [{ ...refOf({ ...data, type: data.mediaType }), provenance: data.provenance }] : []
  })
}

/** The text of the last message of the first request to the player. */
function firstRequest(events: readonly unknown[]): string | undefined {
  for (const event of events) {
    const ask = isEvent(event, 'ask') ? askEvent.safeParse(event).data : undefined
    if (!ask) continue
    const sent = events.find((each) => isEvent(each, 'message') && each['id'] === ask.messages.at(-1))
    const message = messageEvent.safeParse(sent).data
    return message && textOf(message as Message).trim()
  }
  return undefined
}

function lastReply(events: readonly unknown[]): string | undefined {
  const reply = events.findLast((event) => isEvent(event, 'reply') && event['role'] === 'player')
  return replyEvent.safeParse(reply).data?.text
}
