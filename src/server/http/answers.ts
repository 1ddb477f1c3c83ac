/** JSON as an answer: with a tag, so that nothing is sent twice, and compressed where that pays. */
import type { Context } from 'hono'
import { type Packed, pack, unpacked } from './packed.ts'

export async function answerJson(c: Context, value: unknown): Promise<Response> {
  return answerPacked(c, await pack(value))
}

export async function answerPacked(c: Context, packed: Packed): Promise<Response> {
  const { etag, gzip } = packed
  const headers = new Headers({
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept-Encoding',
    ETag: etag,
  })
  if (c.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers })
  if (!gzip || !/\bgzip\b/.test(c.req.header('accept-encoding') ?? '')) {
    return new Response(bytesOf(await unpacked(packed)), { headers })
  }
  headers.set('Content-Encoding', 'gzip')
  return new Response(bytesOf(gzip), { headers })
}

/** The same memory, seen as what a response takes. */
function bytesOf(buffer: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer.buffer as ArrayBuffer, buffer.byteOffset, buffer.length)
}
