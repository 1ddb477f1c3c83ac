/** A slow OpenAI-compatible server with fixed answers for Theory of Space that counts its requests. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Every reply contains the hash of its request, to find it on disk. */
export const REPLY_NAME = /reply-([0-9a-f]{16})/

const TURNS_BEFORE_TERM = 4
const CHARACTERS_PER_TOKEN = 4

interface ChatRequest {
  model: string
  messages: { role: string; content: unknown }[]
}

export interface ModelServer {
  url: string
  /** Number of replies by request hash. */
  answered: Map<string, number>
  /** Hashes of all requests in order. A provider may charge for each, also if the client was gone before the reply. */
  received: string[]
  /** What the requests cost, in tokens, by model. */
  charged: Map<string, number>
  /** Tokens of the most expensive request and its reply. */
  largest: number
  reset(): void
  close(): Promise<void>
}

export async function startModelServer(delayMs: () => number, host = '127.0.0.1'): Promise<ModelServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const name = createHash('sha256').update(body).digest('hex').slice(0, 16)
      const { model, messages } = JSON.parse(body) as ChatRequest
      const content = answer(name, messages)
      const input = tokensIn(messages.map((message) => textIn(message.content)).join(''))
      const output = tokensIn(content)
      counts.received.push(name)
      counts.charged.set(model, (counts.charged.get(model) ?? 0) + input + output)
      counts.largest = Math.max(counts.largest, input + output)
      setTimeout(() => {
        if (response.destroyed) return
        counts.answered.set(name, (counts.answered.get(name) ?? 0) + 1)
        response.setHeader('content-type', 'application/json')
        response.end(
          JSON.stringify({
            id: name,
            object: 'chat.completion',
            choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
            usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
          }),
        )
      }, delayMs())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const counts: ModelServer = {
    url: `http://${host}:${(server.address() as AddressInfo).port}/v1`,
    answered: new Map(),
    received: [],
    charged: new Map(),
    largest: 0,
    reset: () => {
      counts.answered.clear()
      counts.charged.clear()
      counts.received = []
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return counts
}

function textIn(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? '')
}

function tokensIn(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}

/** Looks around a few times, then answers everything the same way. */
function answer(name: string, messages: ChatRequest['messages']): string {
  const turns = messages.filter(({ role }) => role === 'assistant').length
  const explores = textIn(messages.at(-1)?.content).includes('Actions: [')
  const move = turns < TURNS_BEFORE_TERM ? '[Rotate(90), Observe()]' : '[Term()]'
  return `THINK: reply-${name}\nFINAL ANSWER: ${explores ? `Actions: ${move}` : 'north east, near'}`
}
