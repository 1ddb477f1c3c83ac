import { describe, expect, it } from 'vitest'
import { sha256 } from '../../base/hash.ts'
import type { MediaRef } from '../../media/ref.ts'
import { MediaBody } from './media-body.ts'

function file(content: string): { ref: MediaRef; bytes: Uint8Array } {
  const bytes = Buffer.from(content)
  return { bytes, ref: { sha256: sha256(bytes), type: 'image/jpeg', bytes: bytes.length } }
}

function open(files: readonly ReturnType<typeof file>[], capacity?: number) {
  const reads: string[] = []
  const media = new MediaBody((ref) => {
    const found = files.find((known) => known.ref.sha256 === ref.sha256)
    if (!found) return Promise.reject(new Error('gone'))
    reads.push(Buffer.from(found.bytes).toString())
    return Promise.resolve(found.bytes)
  }, capacity)
  const send = async (value: unknown): Promise<unknown> => {
    const body = media.fill(JSON.stringify(value))
    const sent: Buffer[] = []
    for await (const piece of body.pieces()) sent.push(piece)
    const bytes = Buffer.concat(sent)
    expect(bytes.length).toBe(body.length)
    return JSON.parse(bytes.toString('utf8'))
  }
  return { media, reads, send }
}

describe('MediaBody', () => {
  const a = file('image a')
  const b = file('image b!')

  it('replaces placeholders with Base64, in any order and repeatedly', async () => {
    const { media, send } = open([a, b])
    const encoded = (of: typeof a) => Buffer.from(of.bytes).toString('base64')
    expect(
      await send({
        x: [media.placeholder(b.ref), `data:${media.placeholder(a.ref)}`, 'ü "!" media-', media.placeholder(b.ref)],
      }),
    ).toEqual({
      x: [encoded(b), `data:${encoded(a)}`, 'ü "!" media-', encoded(b)],
    })
    expect(await send('no image')).toBe('no image')
  })

  it('reads a file once while it is cached, and evicts the least recently used', async () => {
    const { media, reads, send } = open([a, b], 20)
    for (const { ref } of [a, a, b, a]) await send(media.placeholder(ref))
    expect(reads).toEqual(['image a', 'image b!', 'image a'])
  })

  it('names the file that it cannot read', async () => {
    const { media, send } = open([])
    await expect(send(media.placeholder(a.ref))).rejects.toThrow(
      `Cannot read image/jpeg file ${a.ref.sha256.slice(0, 12)}…: gone`,
    )
  })
})
