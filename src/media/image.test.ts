import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { UserError } from '../base/errors.ts'
import {
  decodeImage,
  decodeImage16,
  encodeJpeg,
  encodePng,
  encodePng16,
  encoderName,
  imageSize,
  resizeBitmap,
} from './image.ts'

const COLORS = Uint8Array.of(255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30, 40, 50, 60, 70, 80, 90)

describe('a PNG', () => {
  test('preserves every pixel', async () => {
    const bitmap = { width: 3, height: 2, channels: 3 as const, data: COLORS }
    expect(await decodeImage(await encodePng(bitmap))).toEqual(bitmap)
  })

  test('keeps grayscale as one channel', async () => {
    const bitmap = { width: 2, height: 2, channels: 1 as const, data: Uint8Array.of(0, 1, 128, 255) }
    const png = await encodePng(bitmap)
    expect(await sharp(png).metadata()).toMatchObject({ channels: 1, depth: 'uchar' })
    expect(await decodeImage(png, { channels: 1 })).toEqual(bitmap)
  })

  test('preserves 16-bit values', async () => {
    const bitmap = { width: 3, height: 1, data: Uint16Array.of(0, 1234, 65_535) }
    const png = await encodePng16(bitmap)
    expect(await sharp(png).metadata()).toMatchObject({ channels: 1, depth: 'ushort' })
    expect(await decodeImage16(png)).toEqual(bitmap)
  })

  test('composites transparency on white when decoded to three channels', async () => {
    const bitmap = { width: 1, height: 1, channels: 4 as const, data: Uint8Array.of(0, 0, 0, 0) }
    expect([...(await decodeImage(await encodePng(bitmap))).data]).toEqual([255, 255, 255])
  })

  test('has the same bytes each time, with the documented settings', async () => {
    const bitmap = { width: 3, height: 2, channels: 3 as const, data: COLORS }
    expect(await encodePng(bitmap)).toEqual(await encodePng(bitmap))
    expect(encoderName('image/png')).toMatch(/^sharp \d+\.\d+\.\d+ png level=6 filter=none$/)
  })
})

describe('a JPEG', () => {
  test('is close to the original', async () => {
    const data = new Uint8Array(16 * 16 * 3).map((_, i) => [200, 40, 90][i % 3]!)
    const jpeg = await encodeJpeg({ width: 16, height: 16, channels: 3, data })
    const back = await decodeImage(jpeg)
    expect(Math.max(...back.data.map((value, i) => Math.abs(value - data[i]!)))).toBeLessThan(4)
    expect(encoderName('image/jpeg', 80)).toMatch(/jpeg quality=80 chroma=4:4:4$/)
  })

  test('is rotated by its EXIF orientation', async () => {
    const stored = sharp(Buffer.alloc(8 * 4 * 3, 9), { raw: { width: 8, height: 4, channels: 3 } })
    const jpeg = await stored.withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect(await imageSize(jpeg)).toEqual({ width: 4, height: 8 })
    expect(await decodeImage(jpeg)).toMatchObject({ width: 4, height: 8 })
  })
})

test('resizes to exactly the requested size', async () => {
  const bitmap = { width: 3, height: 2, channels: 3 as const, data: COLORS }
  const scaled = await resizeBitmap(bitmap, 8, 5)
  expect(scaled).toMatchObject({ width: 8, height: 5, channels: 3 })
  expect(scaled.data).toHaveLength(8 * 5 * 3)
})

test.each([
  ['an empty file', new Uint8Array()],
  ['text', Buffer.from('not an image')],
])('rejects %s with a clear error', async (_, bytes) => {
  await expect(decodeImage(bytes)).rejects.toThrow(UserError)
  await expect(decodeImage(bytes)).rejects.toThrow(/Cannot decode the image/)
})

test('rejects a truncated image', async () => {
  const noise = new Uint8Array(64 * 64 * 3).map((_, i) => (i * 2_654_435_761) >>> 24)
  const png = await encodePng({ width: 64, height: 64, channels: 3, data: noise })
  await expect(decodeImage(png.subarray(0, 2000))).rejects.toThrow(/Cannot decode/)
})
