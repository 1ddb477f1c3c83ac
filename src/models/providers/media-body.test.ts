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
  const send = async (value: unknown): Promise<unknown> =>
    JSON.parse(Buffer.concat(await media.fill(JSON.stringify(value))).toString('utf8'))
  return { media, reads, send }
}

describe('MediaBody', () => {
  const a = file('picture a')
  const b = file('picture b!')

  it('puts the Base64 where the marks are, in any order and as often as wanted', async () => {
    const { media, send } = open([a, b])
    const encoded = (of: typeof a) => Buffer.from(of.bytes).toString('base64')
    expect(
      await send({ x: [media.mark(b.ref), `data:${media.mark(a.ref)}`, 'ü "!" media-', media.mark(b.ref)] }),
    ).toEqual({
      x: [encoded(b), `data:${encoded(a)}`, 'ü "!" media-', encoded(b)],
    })
    expect(await send('no picture')).toBe('no picture')
  })

  it('reads a picture once while there is room, and the longest unused one again when there is not', async () => {
    const { media, reads, send } = open([a, b], 20)
    for (const { ref } of [a, a, b, a]) await send(media.mark(ref))
    expect(reads).toEqual(['picture a', 'picture b!', 'picture a'])
  })

  it('names the file that cannot be read', async () => {
    const { media, send } = open([])
    await expect(send(media.mark(a.ref))).rejects.toThrow(
      `image/jpeg ${a.ref.sha256.slice(0, 12)}… could not be read: gone`,
    )
  })
})
