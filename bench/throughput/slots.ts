/**
 * A server in the wire format of vLLM with as many places as the client has connections; every reply takes the same time.
 * Prints its address, and on every line of input how long its places were empty. Arguments: places, milliseconds per reply.
 */
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

const [places, replyMs] = process.argv.slice(2).map(Number) as [number, number]
let inFlight = 0
let requests = 0
/** Since when all places are full: before that, the client starts. */
let fullSince: number | null = null
let lastChange = 0
/** Milliseconds of empty places, up to the last request, after which there is nothing to send. */
let emptyMs = 0
let emptyUntilLast = 0
let lastRequest = 0

function change(by: number): void {
  const now = performance.now()
  if (fullSince !== null) emptyMs += Math.max(0, places - inFlight) * (now - lastChange)
  lastChange = now
  inFlight += by
  if (inFlight >= places) fullSince ??= now
  if (by > 0) {
    emptyUntilLast = emptyMs
    lastRequest = now
  }
}

/** A letter where there are options, a number elsewhere: nothing is asked twice. */
function replyTo(end: string): string {
  const content = /\bA\. /.test(end) ? '{"answer": "A"}' : '{"answer": 2}'
  return JSON.stringify({
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    usage: { prompt_tokens: 100, completion_tokens: 1 },
  })
}

/** The question comes after the pictures. */
const END_BYTES = 8000

const server = createServer((request, response) => {
  let end: Buffer = Buffer.alloc(0)
  request.on('data', (chunk: Buffer) => {
    end = chunk.length >= END_BYTES ? chunk.subarray(-END_BYTES) : Buffer.concat([end, chunk]).subarray(-END_BYTES)
  })
  request.on('end', () => {
    requests += 1
    change(1)
    setTimeout(() => {
      change(-1)
      response.writeHead(200, { 'content-type': 'application/json' }).end(replyTo(end.toString()))
    }, replyMs)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) console.log(`http://127.0.0.1:${address.port}/v1`)
})
createInterface({ input: process.stdin })
  .on('line', () => {
    const seconds = fullSince === null ? 0 : (lastRequest - fullSince) / 1000
    // Places that were never all full were idle.
    const idleShare = fullSince === null ? 1 : seconds > 0 ? emptyUntilLast / 1000 / places / seconds : 0
    console.log(JSON.stringify({ requests, idleShare }))
  })
  .on('close', () => process.exit())
