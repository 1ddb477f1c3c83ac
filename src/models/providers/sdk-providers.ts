/** OpenAI, Anthropic and Google through the AI SDK, each imported on first use. */
import type { MediaType } from '../../media/ref.ts'
import type { MediaBody } from './media-body.ts'
import type { ModelOptions } from './options.ts'
import type { Provider } from './providers.ts'
import { type ProviderOptions, sdkFetch, sdkWire } from './sdk.ts'
import type { Transport } from './transport.ts'
import { AUDIO_TYPES, type Wire } from './wire.ts'

export interface SdkContext {
  provider: Provider
  model: string
  baseUrl: string
  key: string
  options: ModelOptions
  env: Readonly<Record<string, string | undefined>>
  transport: Transport
  media: MediaBody
  warn: (line: string) => void
}

export async function openaiWire(context: SdkContext): Promise<Wire> {
  const { createOpenAI } = await import('@ai-sdk/openai')
  const { options, env } = context
  const provider = createOpenAI({
    apiKey: context.key,
    baseURL: context.baseUrl,
    fetch: sdkFetch(context.transport, context.media, options.extra),
    ...(env.OPENAI_ORG_ID ? { organization: env.OPENAI_ORG_ID } : {}),
    ...(env.OPENAI_PROJECT_ID ? { project: env.OPENAI_PROJECT_ID } : {}),
  })
  const chat = options.api === 'chat'
  return sdkWire({
    model: chat ? provider.chat(context.model) : provider.responses(context.model),
    // Only chat completions accept audio.
    accepts: new Set([...context.provider.media, ...(chat ? AUDIO_TYPES : [])]),
    providerOptions: ({ effort }) => ({
      openai: { ...(chat ? {} : { store: false }), ...(effort === undefined ? {} : { reasoningEffort: effort }) },
    }),
    ...(options.imageDetail ? { partOptions: { openai: { imageDetail: options.imageDetail } } } : {}),
    media: context.media,
    warn: context.warn,
  })
}

/** Claude up to 4.5 takes a thinking budget in tokens; later models use adaptive thinking with an effort. */
const CLAUDE_WITH_BUDGET = /^claude-(3|(opus|sonnet|haiku)-4(-[0-5])?(-\d{8})?$)/

/** Thinking budgets in tokens by effort. Anthropic's minimum is 1,024. */
const THINKING_TOKENS: Readonly<Record<string, number>> = { minimal: 1024, low: 2048, medium: 8192, high: 24_576 }

export async function anthropicWire(context: SdkContext): Promise<Wire> {
  const { createAnthropic } = await import('@ai-sdk/anthropic')
  const provider = createAnthropic({
    apiKey: context.key,
    baseURL: context.baseUrl,
    fetch: sdkFetch(context.transport, context.media, context.options.extra),
  })
  return sdkWire({
    model: provider.languageModel(context.model),
    accepts: new Set(context.provider.media),
    providerOptions: ({ effort }): ProviderOptions => {
      if (effort === undefined || effort === 'none') return {}
      const budgetTokens = THINKING_TOKENS[effort]
      if (CLAUDE_WITH_BUDGET.test(context.model) && budgetTokens !== undefined) {
        return { anthropic: { thinking: { type: 'enabled', budgetTokens } } }
      }
      return { anthropic: { thinking: { type: 'adaptive' }, effort } }
    },
    media: context.media,
    warn: context.warn,
  })
}

/** Media types that Google names differently. */
const GOOGLE_TYPES: Partial<Record<MediaType, string>> = { 'video/quicktime': 'video/mov', 'audio/mpeg': 'audio/mp3' }

export async function googleWire(context: SdkContext): Promise<Wire> {
  const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
  const provider = createGoogleGenerativeAI({
    apiKey: context.key,
    baseURL: context.baseUrl,
    fetch: sdkFetch(context.transport, context.media, context.options.extra),
  })
  return sdkWire({
    model: provider.languageModel(context.model),
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
