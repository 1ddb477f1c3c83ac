import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Random } from '../base/random.ts'
import { sha256 } from '../base/hash.ts'
import { type Bitmap, decodeImage } from './image.ts'
import { quickPng } from './quick-png.ts'

function drawn(width: number, height: number, channels: Bitmap['channels'], pixel: (i: number) => number): Bitmap {
  return { width, height, channels, data: Uint8Array.from({ length: width * height * channels }, (_, i) => pixel(i)) }
}

const random = new Random('quick-png')
const PICTURES: [string, Bitmap][] = [
  ['a single pixel', drawn(1, 1, 3, () => 200)],
  ['one colour', drawn(640, 480, 3, () => 255)],
  ['noise', drawn(317, 201, 3, () => random.int(256))],
  ['a slope', drawn(640, 97, 3, (i) => i >> 9)],
  ['stripes', drawn(33, 400, 3, (i) => (i % 99 < 50 ? 0 : 255))],
  ['grey', drawn(50, 40, 1, (i) => (i * i) % 251)],
  ['transparent', drawn(50, 40, 4, (i) => (i % 4 === 3 ? 128 : i % 200))],
  // One byte far more common than others, which would have codes of more than 12 bits.
  ['rare bytes', drawn(1000, 600, 3, (i) => (Math.log2(i + 1) % 1 === 0 ? (i % 255) + 1 : 0))],
]

describe('a quick PNG', () => {
  test.each(PICTURES)('of %s comes back as it was', async (_, bitmap) => {
    const back = await decodeImage(quickPng(bitmap), { channels: bitmap.channels })
    expect([back.width, back.height]).toEqual([bitmap.width, bitmap.height])
    expect(Buffer.compare(back.data, bitmap.data)).toBe(0)
  })

  test('of any bytes is a stream with the right checksum', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.uint8Array({ minLength: 1, maxLength: 3000 }),
        (width, bytes) => {
          const height = Math.ceil(bytes.length / width)
          const data = new Uint8Array(width * height)
          data.set(bytes)
          const png = quickPng({ width, height, channels: 1, data })
          // Behind the signature, the header's chunk, and length and name of the data's; before its sum and the end's chunk.
          const rows = inflateSync(png.subarray(8 + 25 + 8, png.length - 16))
          expect(rows.length).toBe((width + 1) * height)
        },
      ),
      { seed: 7, numRuns: 200 },
    )
  })

  test('has the same bytes on every machine', () => {
    expect(sha256(quickPng(PICTURES[3]![1]))).toBe('a5bfccee10b170caf3e97918b4d3b9852d79ceee4cdf7f2d836604aaf4d88606')
  })

  test('is refused when pixels are missing', () => {
    expect(() => quickPng({ width: 2, height: 2, channels: 3, data: new Uint8Array(11) })).toThrow(/fewer pixels/)
  })
})
