/** A stand-in for a model server in the format of OpenAI's chat completions: its answers depend on the question alone. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

export interface ModelServer {
  address: string
  close(): void
}

/** Replies of `cut` end at the token limit; those of the other models are answers, more or less careful. */
const CARE: Readonly<Record<string, number>> = { 'model-a': 0.75, 'model-b': 0.5, 'model-c': 0.25 }
const SLOW_MS = 700

export async function startModelServer(): Promise<ModelServer> {
  const server = createServer((request, response) => {
    const send = (value: unknown): void => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(value))
    }
    if (request.method === 'GET') return send({ object: 'list', data: [] })
    const reply = async (): Promise<void> => {
      const { model, messages } = await readJson(request)
      if (model.startsWith('slow-')) await setTimeout(SLOW_MS)
      send(completion(model.replace('slow-', ''), JSON.stringify(messages)))
    }
    void reply()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => server.closeAllConnections() ?? server.close(),
  }
}

function completion(model: string, prompt: string): unknown {
  const isCut = model === 'cut'
  return {
    id: 'chat',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      {
        index: 0,
        finish_reason: isCut ? 'length' : 'stop',
        message: {
          role: 'assistant',
          content: isCut ? 'Let me think about the room step by step. First,' : answer(model, prompt),
        },
      },
    ],
    usage: { prompt_tokens: 310, completion_tokens: isCut ? 64 : 4, total_tokens: 374 },
  }
}

/** A letter for questions with options, else a small number. */
function answer(model: string, prompt: string): string {
  const digest = createHash('sha256').update(model).update(prompt).digest()
  const careful = digest[0]! / 255 < (CARE[model] ?? 0)
  if (/(?:\\n|")A\. /.test(prompt)) return careful ? 'B' : 'ABCD'[digest[1]! % 4]!
  // Sizes are in centimeters, areas in square meters, the rest is counts and meters.
  const typical = prompt.includes('centimeters') ? 90 : prompt.includes('square meters') ? 20 : 2
  return String(careful ? typical : (typical * (1 + (digest[1]! % 30))) / 10)
}

async function readJson(request: IncomingMessage): Promise<{ model: string; messages: unknown }> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return JSON.parse(text) as { model: string; messages: unknown }
}
