/** OpenAI-compatible chat completions: vLLM, SGLang, Ollama, LM Studio, OpenRouter and others. */
import { z } from 'zod'
import type { MediaType } from '../../media/ref.ts'
import { parseReply } from './parse-reply.ts'
import { badReply, httpFailure } from './failure.ts'
import type { MediaBody } from './media-body.ts'
import { mergeInto } from './merge.ts'
import type { Transport } from './transport.ts'
import { logprobsSchema, sampledIn } from './sampled.ts'
import { isKept, type IsThere, type Uploads } from './uploads.ts'
import { type FinishReason, mediaIn, type Message, type Part } from '../types.ts'
import type { Wire, WireReply, WireRequest } from './wire.ts'

export interface CompatibleSettings {
  model: string
  baseUrl: string
  headers: Readonly<Record<string, string>>
  accepts: ReadonlySet<MediaType>
  /** Fields from `-M` added to every request as is. */
  extra: Readonly<Record<string, unknown>>
  /** OpenRouter expects `reasoning: { effort }`, the others `reasoning_effort`. */
  effortField: 'reasoning' | 'reasoning_effort'
  /** `detail` of every image. */
  imageDetail?: string | undefined
  media: MediaBody
  /** Pictures and videos that the server has are named and not sent again. */
  uploads?: Uploads | undefined
}

export function compatibleWire(settings: CompatibleSettings, transport: Transport): Wire {
  const url = `${settings.baseUrl}/chat/completions`
  return {
    accepts: settings.accepts,
    async ask(request, signal) {
      const { uploads } = settings
      if (!uploads) return send(request, signal, () => false)
      return uploads.send(mediaIn(request.messages), (isThere) => send(request, signal, isThere), signal)
    },
  }

  async function send(request: WireRequest, signal: AbortSignal, isThere: IsThere): Promise<WireReply> {
    const json = JSON.stringify(requestBody(request, settings, isThere))
    const headers = { 'content-type': 'application/json', accept: 'application/json', ...settings.headers }
    const { receive, onQueued } = request
    const call = { url, headers, signal, receive, onQueued }
    const answer =
      transport.spool && request.id !== undefined
        ? await transport.spool({ ...call, id: request.id, json })
        : await transport.post({ ...call, body: settings.media.fill(json) })
    return readReply(answer.toString('utf8'))
  }
}

function requestBody(request: WireRequest, settings: CompatibleSettings, isThere: IsThere): Record<string, unknown> {
  const { temperature, topP, maxTokens, seed, stop, effort } = request.sampling
  const body: Record<string, unknown> = {
    model: settings.model,
    messages: request.messages.map((message) => ({
      role: message.role,
      content: contentOf(message, settings, isThere),
    })),
    temperature,
    top_p: topP,
    max_tokens: maxTokens,
    seed,
    stop,
    ...(effort === undefined
      ? {}
      : settings.effortField === 'reasoning'
        ? { reasoning: { effort } }
        : { reasoning_effort: effort }),
    stream: false,
  }
  mergeInto(body, settings.extra)
  return body
}

function contentOf(message: Message, settings: CompatibleSettings, isThere: IsThere): unknown {
  if (typeof message.content === 'string') return message.content
  // Many servers accept only a plain string for other roles, and some require one for a text-only user message.
  if (message.content.every((part) => part.type === 'text')) {
    const texts = message.content.map((part) => (part.type === 'text' ? part.text : ''))
    if (message.role !== 'user' || texts.length === 1) return texts.join('')
  }
  return message.content.map((part) => wirePart(part, settings, isThere))
}

function wirePart(part: Part, { media, imageDetail, uploads }: CompatibleSettings, isThere: IsThere): unknown {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { type, sha256 } = part.media
  const named = uploads && isKept(part.media) ? { uuid: sha256 } : {}
  if (isThere(part.media)) {
    return type.startsWith('video/')
      ? { type: 'video_url', video_url: null, ...named }
      : { type: 'image_url', image_url: null, ...named }
  }
  const data = media.placeholder(part.media)
  if (type.startsWith('video/'))
    return { type: 'video_url', video_url: { url: `data:${type};base64,${data}` }, ...named }
  if (type.startsWith('audio/')) {
    return { type: 'input_audio', input_audio: { data, format: type === 'audio/mpeg' ? 'mp3' : 'wav' } }
  }
  return { type: 'image_url', image_url: { url: `data:${type};base64,${data}`, detail: imageDetail }, ...named }
}

const count = z.number().nonnegative().nullish().catch(null)

const contentSchema = z.union([
  z.string(),
  z.array(z.object({ type: z.string().nullish(), text: z.string().nullish() }).loose()),
])

const completionSchema = z.object({
  choices: z.array(
    z.object({
      message: z.object({
        content: contentSchema.nullish(),
        refusal: z.string().nullish().catch(null),
        // vLLM, SGLang and DeepSeek use `reasoning_content`; OpenRouter, Ollama and newer vLLM use `reasoning`.
        reasoning_content: z.string().nullish().catch(null),
        reasoning: z.string().nullish().catch(null),
      }),
      finish_reason: z.string().nullish(),
      logprobs: z.object({ content: logprobsSchema.nullish() }).nullish().catch(null),
      token_ids: z.array(z.number()).nullish().catch(null),
    }),
  ),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count }).nullish().catch(null),
      completion_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(null),
      cost: count,
    })
    .nullish()
    .catch(null),
})

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  stop_sequence: 'stop',
  end_turn: 'stop',
  length: 'length',
  max_tokens: 'length',
  content_filter: 'content-filter',
  refusal: 'content-filter',
}

/** OpenRouter and some proxies return errors with status 200. */
const errorSchema = z.object({ error: z.object({ message: z.string(), code: z.unknown().optional() }) })

function readReply(text: string): WireReply {
  const json = parseReply(text)
  const failed = errorSchema.safeParse(json)
  if (failed.success) {
    const code = Number(failed.data.error.code)
    throw httpFailure(code >= 400 && code < 600 ? code : 502, {}, text, 0)
  }
  const parsed = completionSchema.safeParse(json)
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.')
    throw badReply(`the reply is not a chat completion (${field ? `invalid or missing "${field}"` : 'not an object'})`)
  }
  const choice = parsed.data.choices[0]
  if (choice === undefined) throw badReply('the reply contains no choices')
  const { message } = choice
  const finish = message.refusal ? 'content-filter' : (FINISH[choice.finish_reason ?? 'stop'] ?? 'other')
  if (choice.finish_reason === 'error')
    throw badReply('the provider stopped with an error before the reply was complete')
  const reasoning = message.reasoning_content ?? message.reasoning
  const { usage } = parsed.data
  return {
    text: plainText(message.content) || (message.refusal ?? ''),
    ...(reasoning ? { reasoning } : {}),
    ...sampledIn(choice.logprobs?.content, choice.token_ids),
    finish,
    tokens:
      typeof usage?.prompt_tokens === 'number' && typeof usage.completion_tokens === 'number'
        ? {
            input: usage.prompt_tokens,
            output: usage.completion_tokens,
            reasoning: usage.completion_tokens_details?.reasoning_tokens ?? 0,
            cachedInput: usage.prompt_tokens_details?.cached_tokens ?? 0,
            cacheWrite: 0,
          }
        : null,
    ...(typeof usage?.cost === 'number' ? { chargedUsd: usage.cost } : {}),
  }
}

function plainText(content: z.infer<typeof contentSchema> | null | undefined): string {
  if (typeof content === 'string') return content
  return (content ?? [])
    .map((part) => (part.type === undefined || part.type === 'text' ? (part.text ?? '') : ''))
    .join('')
}
