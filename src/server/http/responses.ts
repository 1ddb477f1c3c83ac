/** JSON responses with an ETag, compressed when worthwhile. */
import type { Context } from 'hono'
import { type PackedJson, packJson, unpackJson } from './packed-json.ts'

export async function sendJson(c: Context, value: unknown): Promise<Response> {
  return sendPacked(c, await packJson(value))
}

export async function sendPacked(c: Context, packed: PackedJson): Promise<Response> {
  const { etag, gzip } = packed
  const headers = new Headers({
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept-Encoding',
    ETag: etag,
  })
  if (c.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers })
  if (!gzip || !/\bgzip\b/.test(c.req.header('accept-encoding') ?? '')) {
    return new Response(toBytes(await unpackJson(packed)), { headers })
  }
  headers.set('Content-Encoding', 'gzip')
  return new Response(toBytes(gzip), { headers })
}

/** A view of the same memory, without copying. */
function toBytes(buffer: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer.buffer as ArrayBuffer, buffer.byteOffset, buffer.length)
}
