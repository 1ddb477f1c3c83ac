/** Replies in the wire formats of the providers, for the hostile server. */

export type Dialect = 'openai-responses' | 'openai-chat' | 'anthropic' | 'google' | 'bedrock'

export interface ServedReply {
  text: string
  reasoning: string
  finish: 'stop' | 'length' | 'content-filter'
  inputTokens: number
  outputTokens: number
  reasoningTokens: number
  cachedTokens: number
}

export function dialectOf(path: string): Dialect {
  if (path.endsWith('/responses')) return 'openai-responses'
  if (path.endsWith('/messages')) return 'anthropic'
  if (path.endsWith('/converse')) return 'bedrock'
  return path.includes(':generateContent') ? 'google' : 'openai-chat'
}

const DEFAULTS: ServedReply = {
  text: 'The chair is left of the table.',
  reasoning: '',
  finish: 'stop',
  inputTokens: 100,
  outputTokens: 20,
  reasoningTokens: 0,
  cachedTokens: 0,
}

export function replyBody(dialect: Dialect, wanted: Partial<ServedReply>): unknown {
  const reply = { ...DEFAULTS, ...wanted }
  return { 'openai-responses': responses, 'openai-chat': chat, anthropic, google, bedrock }[dialect](reply)
}

export function errorBody(dialect: Dialect, status: number, message: string): unknown {
  if (dialect === 'anthropic') return { type: 'error', error: { type: 'api_error', message } }
  if (dialect === 'google') return { error: { code: status, message, status: 'UNAVAILABLE' } }
  if (dialect === 'bedrock') return { message }
  return { error: { message, type: 'server_error', code: null, param: null } }
}

function responses(reply: ServedReply) {
  const stopped = { stop: null, length: 'max_output_tokens', 'content-filter': 'content_filter' }[reply.finish]
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_760_000_000,
    model: 'served',
    status: stopped === null ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: stopped === null ? null : { reason: stopped },
    output: [
      ...(reply.reasoning === ''
        ? []
        : [{ type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: reply.reasoning }] }]),
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: reply.text, annotations: [] }],
      },
    ],
    usage: {
      input_tokens: reply.inputTokens,
      input_tokens_details: { cached_tokens: reply.cachedTokens },
      output_tokens: reply.outputTokens,
      output_tokens_details: { reasoning_tokens: reply.reasoningTokens },
      total_tokens: reply.inputTokens + reply.outputTokens,
    },
  }
}

function chat(reply: ServedReply) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_760_000_000,
    model: 'served',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.text,
          ...(reply.reasoning === '' ? {} : { reasoning_content: reply.reasoning }),
        },
        finish_reason: { stop: 'stop', length: 'length', 'content-filter': 'content_filter' }[reply.finish],
      },
    ],
    usage: {
      prompt_tokens: reply.inputTokens,
      completion_tokens: reply.outputTokens,
      total_tokens: reply.inputTokens + reply.outputTokens,
      prompt_tokens_details: { cached_tokens: reply.cachedTokens },
      completion_tokens_details: { reasoning_tokens: reply.reasoningTokens },
    },
  }
}

function anthropic(reply: ServedReply) {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'served',
    content: [
      ...(reply.reasoning === '' ? [] : [{ type: 'thinking', thinking: reply.reasoning, signature: 'sig' }]),
      { type: 'text', text: reply.text },
    ],
    stop_reason: { stop: 'end_turn', length: 'max_tokens', 'content-filter': 'refusal' }[reply.finish],
    stop_sequence: null,
    // Anthropic counts cached input separately.
    usage: {
      input_tokens: reply.inputTokens - reply.cachedTokens,
      cache_read_input_tokens: reply.cachedTokens,
      cache_creation_input_tokens: 0,
      output_tokens: reply.outputTokens,
    },
  }
}

function google(reply: ServedReply) {
  return {
    candidates: [
      {
        index: 0,
        content: {
          role: 'model',
          parts: [...(reply.reasoning === '' ? [] : [{ text: reply.reasoning, thought: true }]), { text: reply.text }],
        },
        finishReason: { stop: 'STOP', length: 'MAX_TOKENS', 'content-filter': 'SAFETY' }[reply.finish],
      },
    ],
    usageMetadata: {
      promptTokenCount: reply.inputTokens,
      cachedContentTokenCount: reply.cachedTokens,
      // Google counts thinking separately from the answer.
      candidatesTokenCount: reply.outputTokens - reply.reasoningTokens,
      thoughtsTokenCount: reply.reasoningTokens,
      totalTokenCount: reply.inputTokens + reply.outputTokens,
    },
    modelVersion: 'served',
  }
}

/** The Converse API. */
function bedrock(reply: ServedReply) {
  return {
    output: {
      message: {
        role: 'assistant',
        content: [
          ...(reply.reasoning === ''
            ? []
            : [{ reasoningContent: { reasoningText: { text: reply.reasoning, signature: 'sig' } } }]),
          { text: reply.text },
        ],
      },
    },
    stopReason: { stop: 'end_turn', length: 'max_tokens', 'content-filter': 'content_filtered' }[reply.finish],
    // Cached input is counted separately.
    usage: {
      inputTokens: reply.inputTokens - reply.cachedTokens,
      outputTokens: reply.outputTokens,
      totalTokens: reply.inputTokens + reply.outputTokens,
      cacheReadInputTokens: reply.cachedTokens,
      cacheWriteInputTokens: 0,
    },
    metrics: { latencyMs: 12 },
  }
}
