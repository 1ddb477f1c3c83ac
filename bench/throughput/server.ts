/**
 * A server in the wire format of vLLM with a model of its time: one accelerator encodes pictures and fills prompts, one after
 * the other; what its caches hold costs nothing; replies are decoded side by side. Prints its address, and on every line of
 * input what it has counted since the last one.
 */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { DECODE_MS, ENCODE_MS, PICTURE_TOKENS, PREFILL_MS } from './costs.ts'

/** Pictures that the caches hold: those of eight videos. */
const CAPACITY = 256

interface Part {
  type: string
  text?: string
  uuid?: string
  image_url?: { url: string } | null
}

/** Least recently used first. */
const encoded = new Map<string, true>()
const prefixes = new Map<string, true>()
const NOTHING = { requests: 0, bytes: 0, busyMs: 0, idleMs: 0, encoded: 0 }
let counted = { ...NOTHING }
/** When the accelerator is free. */
let free = 0

function isCached(cache: Map<string, true>, key: string, capacity: number): boolean {
  const known = cache.delete(key)
  cache.set(key, true)
  if (cache.size > capacity) cache.delete(cache.keys().next().value!)
  return known
}

/** Milliseconds of the accelerator; null if a picture that is only named is not there. */
function workFor(parts: readonly Part[]): number | null {
  let ms = 0
  let prefix = ''
  for (const part of parts) {
    if (part.type !== 'image_url') {
      ms += PREFILL_MS * Math.ceil((part.text ?? '').length / 4)
      continue
    }
    if (!part.image_url && !encoded.has(part.uuid ?? '')) return null
    const id = part.uuid ?? createHash('sha256').update(part.image_url!.url).digest('hex')
    if (!isCached(encoded, id, CAPACITY)) {
      counted.encoded += 1
      ms += ENCODE_MS
    }
    prefix = createHash('sha256').update(prefix).update(id).digest('base64')
    if (!isCached(prefixes, prefix, CAPACITY)) ms += PREFILL_MS * PICTURE_TOKENS
  }
  return ms
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    void (async () => {
      const body = Buffer.concat(chunks)
      counted.bytes += body.length
      const { messages } = JSON.parse(body.toString()) as { messages: { content: Part[] }[] }
      const ms = workFor(messages.at(-1)!.content)
      if (ms === null) {
        response.writeHead(400, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ error: { message: 'a multimodal item is not in the cache', code: 400 } }))
        return
      }
      const now = performance.now()
      // Before the first request the client starts.
      if (counted.requests > 0) counted.idleMs += Math.max(0, now - free)
      counted.requests += 1
      counted.busyMs += ms
      free = Math.max(free, now) + ms
      await pause(free - now + DECODE_MS)
      const message = { role: 'assistant', content: 'A' }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({
          choices: [{ index: 0, finish_reason: 'stop', message }],
          usage: { prompt_tokens: 100, completion_tokens: 1 },
        }),
      )
    })()
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) console.log(`http://127.0.0.1:${address.port}/v1`)
})
createInterface({ input: process.stdin })
  .on('line', () => {
    console.log(JSON.stringify(counted))
    counted = { ...NOTHING }
    encoded.clear()
    prefixes.clear()
  })
  .on('close', () => process.exit())
