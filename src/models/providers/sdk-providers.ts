/** OpenAI, Anthropic and Google through the AI SDK, each imported on first use. */
import type { MediaType } from '../../media/ref.ts'
import type { FileUploads } from './file-uploads.ts'
import type { MediaBody } from './media-body.ts'
import type { ModelOptions } from './options.ts'
import type { Provider } from './providers.ts'
import { type ProviderOptions, sdkFetch, type SdkModel, sdkWire } from './sdk.ts'
import type { Transport } from './transport.ts'
import { claudeThinking, THINKING_TOKENS } from './thinking.ts'
import { AUDIO_TYPES, type Wire } from './wire.ts'

export interface SdkContext {
  provider: Provider
  model: string
  baseUrl: string
  key: string | undefined
  options: ModelOptions
  env: Readonly<Record<string, string | undefined>>
  transport: Transport
  media: MediaBody
  /** Media that are uploaded once. */
  files?: FileUploads | undefined
  warn: (line: string) => void
  /** Redacts a secret that was not known when the model was opened. */
  keepSecret: (secret: string | undefined) => void
  /** Milliseconds since 1970. */
  now: () => number
}

export async function openaiWire(context: SdkContext): Promise<Wire> {
  const { createOpenAI } = await import('@ai-sdk/openai')
  const { options, env } = context
  const provider = createOpenAI({
    apiKey: context.key ?? '',
    baseURL: context.baseUrl,
    fetch: sdkFetch(context.transport, context.media, options.extra, context.files),
    ...(env.OPENAI_ORG_ID ? { organization: env.OPENAI_ORG_ID } : {}),
    ...(env.OPENAI_PROJECT_ID ? { project: env.OPENAI_PROJECT_ID } : {}),
  })
  return openaiWireOf(provider, context, options.api === 'chat')
}

/** Azure is OpenAI at another address. */
export function openaiWireOf(
  provider: { chat(model: string): SdkModel; responses(model: string): SdkModel },
  context: SdkContext,
  chat: boolean,
): Wire {
  const { imageDetail } = context.options
  return sdkWire({
    model: chat ? provider.chat(context.model) : provider.responses(context.model),
    // Only chat completions accept audio.
    accepts: new Set([...context.provider.media, ...(chat ? AUDIO_TYPES : [])]),
    providerOptions: ({ effort }) => ({
      openai: {
        ...(chat ? {} : { store: false }),
        ...(effort === undefined ? {} : { reasoningEffort: effort }),
        // The SDK knows reasoning models by name, but a deployment can have any.
        ...(context.provider.family === 'azure' && effort !== undefined ? { forceReasoning: true } : {}),
      },
    }),
    ...(imageDetail ? { partOptions: { openai: { imageDetail }, azure: { imageDetail } } } : {}),
    media: context.media,
    warn: context.warn,
  })
}

export async function anthropicWire(context: SdkContext): Promise<Wire> {
  const { createAnthropic } = await import('@ai-sdk/anthropic')
  const provider = createAnthropic({
    apiKey: context.key ?? '',
    baseURL: context.baseUrl,
    fetch: sdkFetch(context.transport, context.media, context.options.extra, context.files),
  })
  return sdkWire({
    model: provider.languageModel(context.model),
    accepts: new Set(context.provider.media),
    providerOptions: ({ effort }): ProviderOptions => {
      if (effort === undefined || effort === 'none') return {}
      const thinking = claudeThinking(context.model, effort)
      return { anthropic: { thinking, ...(thinking.type === 'adaptive' ? { effort } : {}) } }
    },
    cacheOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    media: context.media,
    warn: context.warn,
  })
}

/** Media types that Google names differently. */
const GOOGLE_TYPES: Partial<Record<MediaType, string>> = { 'video/quicktime': 'video/mov', 'audio/mpeg': 'audio/mp3' }

export async function googleWire(context: SdkContext): Promise<Wire> {
  const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
  const provider = createGoogleGenerativeAI({
    apiKey: context.key ?? '',
    baseURL: context.baseUrl,
    fetch: sdkFetch(context.transport, context.media, context.options.extra, context.files),
  })
  return googleWireOf(provider.languageModel(context.model), context)
}

/** Vertex AI has the same models and the same format. */
export function googleWireOf(
  model: SdkModel,
  context: SdkContext,
  more: Pick<Parameters<typeof sdkWire>[0], 'explain'> = {},
): Wire {
  return sdkWire({
    ...more,
    model,
    accepts: new Set(context.provider.media),
    providerOptions: ({ effort }): ProviderOptions => {
      if (effort === undefined) return {}
      if (!context.model.startsWith('gemini-2.5')) {
        return { google: { thinkingConfig: { thinkingLevel: effort, includeThoughts: true } } }
      }
      const thinkingBudget = effort === 'none' ? 0 : THINKING_TOKENS[effort]
      return thinkingBudget === undefined
        ? {}
        : { google: { thinkingConfig: { thinkingBudget, includeThoughts: true } } }
    },
    mediaType: (type) => GOOGLE_TYPES[type] ?? type,
    media: context.media,
    warn: context.warn,
  })
}
