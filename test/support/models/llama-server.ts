/**
 * A server in the wire format of llama.cpp's `llama-server`: `/health`, `/v1/models` and `/v1/chat/completions`, with its
 * fields and its errors. It can misbehave in any way.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Completion {
  content: string
  reasoning?: string
  finish?: 'stop' | 'length' | (string & {})
  refusal?: string
}

/** The body of `POST /v1/chat/completions`. */
export function completion({ content, reasoning, finish = 'stop', refusal }: Completion): string {
  const predicted = Math.ceil((content.length + (reasoning?.length ?? 0)) / 4)
  return JSON.stringify({
    choices: [
      {
        finish_reason: finish,
        index: 0,
        message: {
          role: 'assistant',
          content,
          ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
          ...(refusal === undefined ? {} : { refusal }),
        },
      },
    ],
    created: 1_760_000_000,
    model: 'test.gguf',
    system_fingerprint: 'b6500-abcdef12',
    object: 'chat.completion',
    usage: {
      completion_tokens: predicted,
      prompt_tokens: 120,
      total_tokens: 120 + predicted,
      prompt_tokens_details: { cached_tokens: 40 },
    },
    id: 'chatcmpl-0123456789abcdef',
    timings: {
      cache_n: 40,
      prompt_n: 80,
      prompt_ms: 31.2,
      prompt_per_token_ms: 0.39,
      prompt_per_second: 2564.1,
      predicted_n: predicted,
      predicted_ms: 210.5,
      predicted_per_token_ms: 8.4,
      predicted_per_second: 118.8,
    },
  })
}

/** The errors of llama-server by their type, each with its status. */
const STATUS = {
  invalid_request_error: 400,
  exceed_context_size_error: 400,
  authentication_error: 401,
  not_found_error: 404,
  server_error: 500,
  unavailable_error: 503,
} as const

export type Act = (response: ServerResponse, request: IncomingMessage) => void

export function error(type: keyof typeof STATUS, message: string, more: Record<string, unknown> = {}): Act {
  const code = STATUS[type]
  return json(JSON.stringify({ error: { code, message, type, ...more } }), code)
}

export function json(body: string | Buffer, status = 200, headers: Record<string, string> = {}): Act {
  return (response) =>
    void response
      .writeHead(status, { server: 'llama.cpp', 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(body)
}

export interface LlamaServer {
  /** With `/v1`. */
  url: string
  /** Chat completions so far. */
  asked(): number
  close(): Promise<void>
}

/** @param chat what happens to a chat completion, given the text of its last message and how many came before it */
export async function startLlamaServer(chat: (last: string, index: number) => Act): Promise<LlamaServer> {
  let asked = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const route = `${request.method} ${request.url}`
      if (route === 'GET /health' || route === 'GET /v1/health') json('{"status":"ok"}')(response, request)
      else if (route === 'GET /v1/models') {
        const model = { id: 'test.gguf', object: 'model', created: 1_760_000_000, owned_by: 'llamacpp' }
        json(JSON.stringify({ object: 'list', data: [model] }))(response, request)
      } else if (route === 'POST /v1/chat/completions') {
        const { messages } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { messages: { content: unknown }[] }
        chat(JSON.stringify(messages.at(-1)?.content ?? ''), asked++)(response, request)
      } else error('not_found_error', 'File Not Found')(response, request)
    })
  })
  server.on('clientError', (_, socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: () => asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
