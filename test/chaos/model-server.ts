/** A slow OpenAI-compatible server with fixed answers for Theory of Space that records its requests. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Every reply contains the hash of its request, to find it on disk. */
export const REPLY_NAME = /reply-([0-9a-f]{16})/

const TURNS_BEFORE_TERM = 4

export interface ModelServer {
  url: string
  /** Number of replies by request hash. */
  answered: Map<string, number>
  /** Requests that must not come again. */
  paid: Set<string>
  /** Requests in `paid` that came again. */
  paidTwice: string[]
  close(): Promise<void>
}

export async function startModelServer(delayMs: () => number, host = '127.0.0.1'): Promise<ModelServer> {
  const answered = new Map<string, number>()
  const paid = new Set<string>()
  const paidTwice: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const name = createHash('sha256').update(body).digest('hex').slice(0, 16)
      if (paid.has(name)) paidTwice.push(name)
      const { messages } = JSON.parse(body) as { messages: { role: string; content: unknown }[] }
      setTimeout(() => {
        if (response.destroyed) return
        answered.set(name, (answered.get(name) ?? 0) + 1)
        response.setHeader('content-type', 'application/json')
        response.end(
          JSON.stringify({
            id: name,
            object: 'chat.completion',
            choices: [
              { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: answer(name, messages) } },
            ],
            usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
          }),
        )
      }, delayMs())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/v1`,
    answered,
    paid,
    paidTwice,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Looks around a few times, then answers everything the same way. */
function answer(name: string, messages: readonly { role: string; content: unknown }[]): string {
  const turns = messages.filter(({ role }) => role === 'assistant').length
  const last = JSON.stringify(messages.at(-1)?.content ?? '')
  const explores = last.includes('Actions: [')
  const move = turns < TURNS_BEFORE_TERM ? '[Rotate(90), Observe()]' : '[Term()]'
  return `THINK: reply-${name}\nFINAL ANSWER: ${explores ? `Actions: ${move}` : 'north east, near'}`
}
