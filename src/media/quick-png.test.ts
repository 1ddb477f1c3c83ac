import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { Random } from '../base/random.ts'
import { sha256 } from '../base/hash.ts'
import { type Bitmap, decodeImage } from './image.ts'
import { quickPng } from './quick-png.ts'

function drawn(width: number, height: number, channels: Bitmap['channels'], pixel: (i: number) => number): Bitmap {
  return { width, height, channels, data: Uint8Array.from({ length: width * height * channels }, (_, i) => pixel(i)) }
}

const random = new Random('quick-png')
const BITMAPS: [string, Bitmap][] = [
  ['a single pixel', drawn(1, 1, 3, () => 200)],
  ['one color', drawn(640, 480, 3, () => 255)],
  ['noise', drawn(317, 201, 3, () => random.int(256))],
  ['a gradient', drawn(640, 97, 3, (i) => i >> 9)],
  ['stripes', drawn(33, 400, 3, (i) => (i % 99 < 50 ? 0 : 255))],
  ['grayscale', drawn(50, 40, 1, (i) => (i * i) % 251)],
  ['transparent', drawn(50, 40, 4, (i) => (i % 4 === 3 ? 128 : i % 200))],
  // One byte is so common that the others would get codes of more than 12 bits.
  ['rare bytes', drawn(1000, 600, 3, (i) => (Math.log2(i + 1) % 1 === 0 ? (i % 255) + 1 : 0))],
]

// As in a thread of `data make`: with a module of its own.
vi.resetModules()
const { leaveUncompressed, quickPng: uncompressed } = await import('./quick-png.ts')
leaveUncompressed()

describe('a quick PNG', () => {
  test.each(BITMAPS)('of %s decodes to the same pixels, compressed or not', async (_, bitmap) => {
    for (const encode of [quickPng, uncompressed]) {
      const decoded = await decodeImage(encode(bitmap), { channels: bitmap.channels })
      expect([decoded.width, decoded.height]).toEqual([bitmap.width, bitmap.height])
      expect(Buffer.compare(decoded.data, bitmap.data)).toBe(0)
    }
    const { width, height, channels } = bitmap
    expect(uncompressed(bitmap).length).toBeGreaterThan((width * channels + 1) * height)
  })

  test('of any bytes is a zlib stream with a valid checksum', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.uint8Array({ minLength: 1, maxLength: 3000 }),
        (width, bytes) => {
          const height = Math.ceil(bytes.length / width)
          const data = new Uint8Array(width * height)
          data.set(bytes)
          const png = quickPng({ width, height, channels: 1, data })
          // After the signature, IHDR, and the length and name of IDAT; before the CRC of IDAT and IEND.
          const rows = inflateSync(png.subarray(8 + 25 + 8, png.length - 16))
          expect(rows.length).toBe((width + 1) * height)
        },
      ),
      { seed: 7, numRuns: 200 },
    )
  })

  test('has the same bytes on every machine', () => {
    expect(sha256(quickPng(BITMAPS[3]![1]))).toBe('a5bfccee10b170caf3e97918b4d3b9852d79ceee4cdf7f2d836604aaf4d88606')
  })

  test('rejects a bitmap with missing pixels', () => {
    expect(() => quickPng({ width: 2, height: 2, channels: 3, data: new Uint8Array(11) })).toThrow(/fewer pixels/)
  })
})
