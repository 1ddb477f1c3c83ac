/** Gemini's Files API takes a file in two steps: where it goes, and the file. */
import { badReply } from './failure.ts'
import type { StreamReply } from './transport.ts'
import { type BatchHttp, drain } from './batch-protocol.ts'

interface Upload {
  name: string
  type: string
  body: Buffer | AsyncIterable<Buffer>
  length: number
}

export async function uploadToGoogle(
  http: BatchHttp,
  { name, type, body, length }: Upload,
  signal: AbortSignal,
): Promise<StreamReply> {
  const { origin, pathname } = new URL(http.baseUrl)
  const started = await http.request({
    method: 'POST',
    url: `${origin}/upload${pathname}/files`,
    headers: {
      'content-type': 'application/json',
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': 'start',
      'x-goog-upload-header-content-length': String(length),
      'x-goog-upload-header-content-type': type,
    },
    body: Buffer.from(JSON.stringify({ file: { displayName: name } })),
    signal,
  })
  await drain(started)
  const to = started.headers['x-goog-upload-url']
  // The key goes along: no other server gets it.
  if (typeof to !== 'string' || !URL.canParse(to) || new URL(to).origin !== origin) {
    throw badReply('the server names no address of its own for the upload')
  }
  return http.request({
    method: 'POST',
    url: to,
    headers: { 'x-goog-upload-offset': '0', 'x-goog-upload-command': 'upload, finalize' },
    body,
    length,
    signal,
  })
}
