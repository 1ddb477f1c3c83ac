/** Adapter for AI SDK language models (OpenAI, Anthropic, Google), sent over our own transport. */
import type { createOpenAI } from '@ai-sdk/openai'
import { MissingAssetError, UserError } from '../../base/errors.ts'
import { isObject } from '../../base/json-object.ts'
import type { MediaType } from '../../media/ref.ts'
import { CachePoints } from './cache-points.ts'
import { badReply, RequestError, SentDirectly } from './failure.ts'
import type { FileUploads } from './file-uploads.ts'
import type { MediaBody } from './media-body.ts'
import { mergeInto } from './merge.ts'
import { logprobsSchema, sampledIn } from './sampled.ts'
import { parseReply } from './parse-reply.ts'
import type { Transport } from './transport.ts'
import { type FinishReason, ModelError, textOf, type Sampling } from '../types.ts'
import type { Wire, WireReply, WireRequest } from './wire.ts'

export type SdkModel = ReturnType<ReturnType<typeof createOpenAI>['chat']>
type CallOptions = Parameters<SdkModel['doGenerate']>[0]
type Generated = Awaited<ReturnType<SdkModel['doGenerate']>>
export type ProviderOptions = NonNullable<CallOptions['providerOptions']>

export interface SdkSettings {
  model: SdkModel
  accepts: ReadonlySet<MediaType>
  /** SDK options for these sampling parameters: the effort, and options that are always set. */
  providerOptions(sampling: Sampling): ProviderOptions
  /** Options of every image. */
  partOptions?: ProviderOptions
  /** Options of a part after which the prompt is cached, where the provider must be told. */
  cacheOptions?: ProviderOptions
  /** The provider's name for a media type, if different. */
  mediaType?(type: MediaType): string
  media: MediaBody
  /** Explains an error that is not the SDK's own; null for the usual explanation. */
  explain?(error: Error): RequestError | null
  /** Called once per distinct warning, such as a parameter the model does not support. */
  warn(line: string): void
}

/** The signal of a request is all that the SDK passes on to `fetch` as it is. */
const requests = new WeakMap<AbortSignal, Pick<WireRequest, 'receive' | 'onQueued' | 'id'>>()

export function sdkWire(settings: SdkSettings): Wire {
  const warned = new Set<string>()
  const points = settings.cacheOptions && new CachePoints()
  return {
    accepts: settings.accepts,
    async ask(request, signal) {
      const options = callOptions(request, settings, points?.of(request.messages) ?? [], signal)
      requests.set(signal, request)
      let generated: Generated
      try {
        generated = await settings.model.doGenerate(options)
      } catch (error) {
        const known = error instanceof Error && !error.name.startsWith('AI_') ? settings.explain?.(error) : null
        throw known ?? toRequestError(error)
      }
      for (const warning of generated.warnings) {
        const line = 'feature' in warning ? `${warning.feature}: ${warning.details ?? warning.type}` : warning.message
        if (warned.has(line)) continue
        warned.add(line)
        settings.warn(line)
      }
      const reply = readGenerated(generated)
      points?.answered(request.messages)
      return reply
    },
  }
}

/** `fetch` for the SDK: adds media and user-defined fields, uses our transport, and checks that the reply is JSON. */
export function sdkFetch(
  transport: Transport,
  media: MediaBody,
  extra: Readonly<Record<string, unknown>>,
  files?: FileUploads,
): typeof globalThis.fetch {
  const hasExtra = Object.keys(extra).length > 0
  return async (input, init) => {
    if (typeof init?.body !== 'string') throw new TypeError('expected a JSON request')
    let { body } = init
    if (hasExtra) {
      const fields: unknown = JSON.parse(body)
      if (isObject(fields)) mergeInto(fields, extra)
      body = JSON.stringify(fields)
    }
    const signal = init.signal ?? new AbortController().signal
    const headers = Object.fromEntries(new Headers(init.headers))
    if (files) body = JSON.stringify(await files.name(JSON.parse(body), headers, signal))
    const { receive, onQueued, id } = requests.get(signal) ?? {}
    const call = {
      url: input instanceof Request ? input.url : String(input),
      headers: withBetas(headers, files?.headers ?? {}),
      signal,
      receive,
      onQueued,
    }
    const answer =
      transport.spool && id !== undefined
        ? await transport.spool({ ...call, id, json: body })
        : await transport.post({ ...call, body: media.fill(body) })
    parseReply(answer.toString('utf8'))
    return new Response(new Uint8Array(answer), { headers: { 'content-type': 'application/json' } })
  }
}

/** A header of several values, such as `anthropic-beta`, keeps those of the SDK. */
function withBetas(own: Record<string, string>, more: Readonly<Record<string, string>>): Record<string, string> {
  const added = Object.entries(more).map(([name, value]) => [name, own[name] ? `${own[name]},${value}` : value])
  return { ...own, ...(Object.fromEntries(added) as Record<string, string>) }
}

function callOptions(
  request: WireRequest,
  settings: SdkSettings,
  points: ReturnType<CachePoints['of']>,
  signal: AbortSignal,
): CallOptions {
  const { temperature, topP, maxTokens, seed, stop } = request.sampling
  const prompt: CallOptions['prompt'] = []
  for (const [at, message] of request.messages.entries()) {
    if (message.role === 'system') {
      // Anthropic and Google only have one system prompt, before all messages.
      if (prompt.some((earlier) => earlier.role !== 'system')) {
        throw new ModelError('unsupported', 'system messages are only supported at the start of the conversation', 0)
      }
      prompt.push({ role: 'system', content: textOf(message) })
    } else if (message.role === 'assistant') {
      prompt.push({ role: 'assistant', content: [{ type: 'text', text: textOf(message) }] })
    } else {
      const content: (TextPart | FilePart)[] = []
      const parts =
        typeof message.content === 'string' ? [{ type: 'text' as const, text: message.content }] : message.content
      for (const [position, part] of parts.entries()) {
        const isCached = points.some((point) => point.message === at && point.part === position)
        const providerOptions = {
          ...(part.type === 'media' && settings.partOptions),
          ...(isCached && settings.cacheOptions),
        }
        const options = Object.keys(providerOptions).length > 0 ? { providerOptions } : {}
        if (part.type === 'text') content.push({ type: 'text', text: part.text, ...options })
        else {
          content.push({
            type: 'file',
            // The SDK treats the placeholder as Base64; it is replaced when the request is sent.
            data: settings.media.placeholder(part.media),
            mediaType: settings.mediaType?.(part.media.type) ?? part.media.type,
            ...options,
          })
        }
      }
      prompt.push({ role: 'user', content })
    }
  }
  return {
    prompt,
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(seed === undefined ? {} : { seed }),
    ...(stop === undefined ? {} : { stopSequences: [...stop] }),
    providerOptions: settings.providerOptions(request.sampling),
    abortSignal: signal,
  }
}

type UserContent = Extract<CallOptions['prompt'][number], { role: 'user' }>['content'][number]
type TextPart = Extract<UserContent, { type: 'text' }>
type FilePart = Extract<UserContent, { type: 'file' }>

const FINISH: Readonly<Record<Generated['finishReason']['unified'], FinishReason>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content-filter',
  'tool-calls': 'other',
  error: 'other',
  other: 'other',
}

function readGenerated({ content, finishReason, usage, providerMetadata }: Generated): WireReply {
  if (content.length === 0 && finishReason.raw === undefined) throw badReply('the reply contains no content')
  let text = ''
  let reasoning = ''
  for (const part of content) {
    if (part.type === 'text') text += part.text
    if (part.type === 'reasoning') reasoning += part.text
  }
  return {
    text,
    ...(reasoning === '' ? {} : { reasoning }),
    ...sampledIn(logprobsSchema.safeParse(providerMetadata?.['openai']?.['logprobs']).data, null),
    finish: FINISH[finishReason.unified],
    tokens:
      usage.inputTokens.total === undefined || usage.outputTokens.total === undefined
        ? null
        : {
            input: usage.inputTokens.total,
            output: usage.outputTokens.total,
            reasoning: usage.outputTokens.reasoning ?? 0,
            cachedInput: usage.inputTokens.cacheRead ?? 0,
            cacheWrite: usage.inputTokens.cacheWrite ?? 0,
          },
  }
}

const OURS = [RequestError, SentDirectly, ModelError, MissingAssetError, UserError]

/** Unwraps errors from our transport; the SDK's own errors are about an invalid request or reply. */
function toRequestError(error: unknown): unknown {
  for (let inner = error, depth = 0; inner instanceof Error && depth < 5; inner = inner.cause, depth++) {
    if (OURS.some((known) => inner instanceof known)) return inner
    if (inner.name === 'AbortError' || inner.name === 'TimeoutError') return inner
  }
  if (!(error instanceof Error)) return badReply(String(error))
  if (error.name === 'AI_UnsupportedFunctionalityError') {
    return new RequestError({ kind: 'unsupported', retry: false, message: error.message })
  }
  if (error.name === 'AI_InvalidArgumentError' || error.name === 'AI_InvalidPromptError') {
    return new RequestError({ kind: 'bad-request', retry: false, message: error.message })
  }
  // Schema errors can be pages long; the first line names the part that failed.
  return badReply(`the reply does not match the provider's format: ${error.message.split('\n')[0]}`)
}
