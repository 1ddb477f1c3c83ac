/** Speech recognition: OpenAI's `/audio/transcriptions`, which vLLM and other compatible servers have as well. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { MediaRef } from '../../media/ref.ts'
import { mediaIn, ModelError } from '../types.ts'
import { badReply } from './failure.ts'
import { parseReply } from './parse-reply.ts'
import { bodyOf, type RequestBody, type Transport } from './transport.ts'
import { AUDIO_TYPES, type Wire } from './wire.ts'

export interface TranscribeSettings {
  model: string
  baseUrl: string
  headers: Readonly<Record<string, string>>
  /** Fields from `-M` added to every form as they are: `language`, `temperature`, `prompt`. */
  extra: Readonly<Record<string, unknown>>
  read(ref: MediaRef): Promise<Uint8Array>
}

/** What is kept of a `verbose_json` reply: the text, and the words with their times in seconds. */
const transcriptSchema = z.object({
  text: z.string(),
  language: z.string().nullish().catch(null),
  words: z
    .array(z.object({ word: z.string(), start: z.number(), end: z.number() }))
    .nullish()
    .catch(null),
})

/** Sends one sound, and replies with its transcript as JSON. Texts of the request are not sent: there is nothing to ask. */
export function transcribeWire(settings: TranscribeSettings, transport: Transport): Wire {
  return {
    accepts: new Set(AUDIO_TYPES),
    async ask({ messages, sampling, receive }, signal) {
      const [sound, ...more] = mediaIn(messages)
      if (!sound || more.length > 0) throw new ModelError('unsupported', 'A transcription needs one sound', 0)
      const { temperature } = sampling
      const fields = {
        model: settings.model,
        response_format: 'verbose_json',
        'timestamp_granularities[]': 'word',
        ...(temperature === undefined ? {} : { temperature }),
        ...settings.extra,
      }
      const { body, type } = formOf(fields, sound, await settings.read(sound))
      const headers = { 'content-type': type, accept: 'application/json', ...settings.headers }
      const url = `${settings.baseUrl}/audio/transcriptions`
      const answer = await transport.post({ url, headers, body, signal, receive })
      const parsed = transcriptSchema.safeParse(parseReply(answer.toString('utf8')))
      if (!parsed.success) throw badReply('the reply has no text')
      const { text, language, words } = parsed.data
      return {
        text: JSON.stringify({ text, ...(language ? { language } : {}), ...(words ? { words } : {}) }),
        finish: 'stop',
        tokens: null,
      }
    },
  }
}

/** A form with a file. The boundary follows from the sound, so the same request is the same bytes. */
function formOf(
  fields: Readonly<Record<string, unknown>>,
  sound: MediaRef,
  bytes: Uint8Array,
): { body: RequestBody; type: string } {
  const boundary = `sightline-${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}`
  const text = Object.entries(fields)
    .map(([name, value]) => {
      const content = typeof value === 'string' ? value : JSON.stringify(value)
      return `--${boundary}\r\ncontent-disposition: form-data; name="${name.replaceAll(/["\r\n]/g, '_')}"\r\n\r\n${content}\r\n`
    })
    .join('')
  const name = sound.type === 'audio/mpeg' ? 'sound.mp3' : 'sound.wav'
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: ${sound.type}\r\n\r\n`
  return {
    body: bodyOf(Buffer.from(text + file), Buffer.from(bytes), Buffer.from(`\r\n--${boundary}--\r\n`)),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}
