import { setMaxListeners } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { MissingAssetError } from '../../base/errors.ts'
import { ByteBudget } from '../byte-budget.ts'
import { RequestError } from './failure.ts'
import { bodyOf, MAX_REPLY_BYTES, openTransport, type Receive, type RequestBody, type Transport } from './transport.ts'

const MEGABYTE = 2 ** 20
const never = new AbortController().signal
setMaxListeners(0, never)

let server: Server
let transport: Transport
let respond: RequestListener
beforeEach(async () => {
  server = createServer((request, response) => {
    request.resume()
    respond(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  transport = await openTransport({})
})
afterEach(async () => {
  await transport.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function post(receive?: Receive, body = bodyOf(Buffer.from('{}'))): Promise<Buffer> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return transport.post({ url, headers: {}, body, signal: never, receive })
}

it('reads many large replies at once within a bounded share of memory, and finishes all of them', async () => {
  const reply = Buffer.alloc(3 * MEGABYTE, 'x')
  respond = (_, response) => response.end(reply)
  const budget = new ByteBudget(4 * MEGABYTE)
  let most = 0
  let waits = 0
  const read = async (): Promise<number> => {
    const held = budget.hold()
    const bytes = await post(async (size) => {
      await held.take(size, never, () => (waits += 1))
      most = Math.max(most, budget.bytes)
    })
    held.release()
    return bytes.length
  }
  const sizes = await Promise.all(Array.from({ length: 24 }, read))
  expect(new Set(sizes)).toEqual(new Set([reply.length]))
  expect(waits).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(8 * MEGABYTE)
})

/** Counts what was made of it. */
function streamed(megabytes: number): RequestBody & { made: number } {
  const body = {
    made: 0,
    length: megabytes * MEGABYTE,
    async *pieces() {
      for (; body.made < megabytes; body.made++) yield await Promise.resolve(Buffer.alloc(MEGABYTE))
    },
  }
  return body
}

it('sends the next requests as soon as others are sent, though none is answered', async () => {
  let arrived = 0
  let answer = (): void => {}
  respond = (request, response) => {
    request.on('end', () => {
      arrived += 1
      const earlier = answer
      answer = () => {
        earlier()
        response.end('{}')
      }
      if (arrived === 5) answer()
    })
  }
  const replies = await Promise.all(Array.from({ length: 5 }, () => post(undefined, streamed(30))))
  expect(replies.map(String)).toEqual(['{}', '{}', '{}', '{}', '{}'])
})

it('makes a body as the server reads it', async () => {
  let read = (): void => {}
  const isOpen = new Promise<void>((resolve) => {
    server.removeAllListeners('request')
    server.on('request', (request, response) => {
      read = () => request.resume().on('end', () => response.end('{}'))
      resolve()
    })
  })
  const body = streamed(40)
  const reply = post(undefined, body)
  await isOpen
  await setTimeout(200)
  expect(body.made).toBeLessThan(20)
  read()
  await reply
  expect(body.made).toBe(40)
})

it('says which file is missing if one cannot be read while the request is sent', async () => {
  respond = (_, response) => response.end('{}')
  const body = {
    length: 20,
    async *pieces() {
      yield await Promise.resolve(Buffer.alloc(10))
      throw new MissingAssetError('Cannot read image/png file abc')
    },
  }
  await expect(post(undefined, body)).rejects.toThrow(new MissingAssetError('Cannot read image/png file abc'))
})

it('leaves on the server what does not fit, until there is room', async () => {
  const isSent = new Promise<void>((resolve) => {
    respond = (_, response) => {
      // Does not end the response before the client has read most of it.
      response.write(Buffer.alloc(MAX_REPLY_BYTES / 2, 'x'))
      response.on('drain', () => {
        response.end()
        resolve()
      })
    }
  })
  let makeRoom = (): void => {}
  const room = new Promise<void>((resolve) => (makeRoom = resolve))
  let pieces = 0
  let onPiece = (): void => {}
  const isReading = new Promise<void>((resolve) => (onPiece = resolve))
  const reply = post(async () => {
    pieces += 1
    onPiece()
    await room
  })
  await isReading
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(pieces).toBe(1)
  makeRoom()
  await isSent
  expect(await reply).toHaveLength(MAX_REPLY_BYTES / 2)
})

it.each([
  ['', (size: number) => Buffer.alloc(size, ' ')],
  ['gzip', (size: number) => gzipSync(Buffer.alloc(size, ' '))],
])('a reply over the limit is an error of its own, and is not asked for again: %s', async (encoding, body) => {
  respond = (_, response) => response.setHeader('content-encoding', encoding).end(body(MAX_REPLY_BYTES + 1))
  let received = 0
  const failed = await post((size) => {
    received += size
    return Promise.resolve()
  }).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(RequestError)
  expect((failed as RequestError).failure).toMatchObject({
    kind: 'too-large',
    retry: false,
    message: 'the reply is larger than 4 MB',
  })
  expect(received).toBeLessThanOrEqual(MAX_REPLY_BYTES)

  respond = (_, response) => response.setHeader('content-encoding', encoding).end(body(MAX_REPLY_BYTES))
  expect(await post()).toHaveLength(MAX_REPLY_BYTES)
})

it('an episode gets no more than the whole memory for replies', async () => {
  respond = (_, response) => response.end(Buffer.alloc(MEGABYTE, ' '))
  const held = new ByteBudget(1.5 * MEGABYTE).hold()
  const receive: Receive = (size) => held.take(size, never)
  await post(receive)
  await expect(post(receive)).rejects.toMatchObject({
    failure: { kind: 'too-large', retry: false, message: 'the replies of the episode are together larger than 1.5 MB' },
  })
})

it.each(['', 'gzip', 'br'])('reads only the start of an error: %s', async (encoding) => {
  respond = (_, response) => {
    response.writeHead(500, { 'content-encoding': encoding })
    response.write(encoding === 'gzip' ? gzipSync(Buffer.alloc(64 * MEGABYTE, 'y')) : Buffer.alloc(MEGABYTE, 'y'))
    // Never ends.
  }
  const failed = await post().catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(RequestError)
  expect((failed as RequestError).failure).toMatchObject({ status: 500, retry: true })
  expect((failed as RequestError).message.length).toBeLessThan(5000)
})

it('a connection that is lost within the body of a stream fails as one that is lost before', async () => {
  respond = (_, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('half', () => response.destroy())
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { body } = await transport.request({ method: 'GET', url, headers: {}, signal: never })
  const read = async (): Promise<void> => {
    for await (const _ of body) continue
  }
  await expect(read()).rejects.toMatchObject({ name: 'RequestError', failure: { kind: 'network', retry: true } })
})

it.each([
  ['EAI_AGAIN', true],
  ['ETIMEDOUT', false],
])('knows whether a server may have got a request: %s', async (code, unsent) => {
  const failing = await openTransport({}, (_, __, done) => done(Object.assign(new Error(code), { code }), ''))
  const call = { url: 'http://models.invalid/', headers: {}, body: bodyOf(Buffer.from('{}')), signal: never }
  await expect(failing.post(call)).rejects.toMatchObject({ failure: { kind: 'network', retry: true, unsent } })
  await failing.close()
})
