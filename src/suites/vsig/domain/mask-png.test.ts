import { deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { Random } from '../../../base/random.ts'
import { publishedBase64, publishedHit } from '../published/mask-hit.ts'
import { isCrop, type Size, targetHit, targetOf } from './mask.ts'
import { maskOfId } from './mask-encode.ts'
import { decodeGray, parsePng, pixelAt, type Png } from './mask-png.ts'

const WIDTH = 97
const HEIGHT = 61

/** Blobs on an empty background, like masks, and a noisy corner that compresses badly. */
function blobs(random: Random): Uint8Array {
  const pixels = new Uint8Array(WIDTH * HEIGHT)
  for (let i = 0; i < 3; i++) {
    const [cx, cy, r] = [random.int(WIDTH), random.int(HEIGHT), random.between(3, 14)]
    for (let y = 0; y < HEIGHT; y++) {
      for (let x = 0; x < WIDTH; x++) if (Math.hypot(x - cx, y - cy) < r) pixels[y * WIDTH + x] = 255
    }
  }
  for (let y = 50; y < HEIGHT; y++) for (let x = 80; x < WIDTH; x++) pixels[y * WIDTH + x] = random.int(256)
  return pixels
}

function read(bytes: Uint8Array): Png {
  const png = parsePng(bytes)
  if (typeof png === 'string') throw new Error(png)
  return png
}

describe('a mask', () => {
  const random = new Random('masks')
  const gray = (): Sharp => sharp(blobs(random), { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
  const kinds: Record<string, () => Sharp> = {
    'gray, no filter': () => gray().toColourspace('b-w').png(),
    'gray, all filters': () => gray().toColourspace('b-w').png({ adaptiveFiltering: true }),
    'gray, stored': () => gray().toColourspace('b-w').png({ compressionLevel: 0 }),
    'gray, best': () => gray().toColourspace('b-w').png({ compressionLevel: 9, adaptiveFiltering: true }),
    interlaced: () => gray().toColourspace('b-w').png({ progressive: true }),
    colour: () => gray().toColourspace('srgb').png({ adaptiveFiltering: true }),
    'colour and alpha': () => gray().toColourspace('srgb').ensureAlpha(0.5).png({ adaptiveFiltering: true }),
    palette: () => gray().toColourspace('srgb').png({ palette: true, colours: 4, dither: 0 }),
    '16 bits': () => gray().toColourspace('grey16').png({ adaptiveFiltering: true }),
  }
  it.each(Object.keys(kinds))('%s: a single pixel matches the whole image and sharp', async (kind) => {
    const bytes = await kinds[kind]!().toBuffer()
    const png = read(bytes)
    const whole = decodeGray(png)!
    const theirs = await sharp(bytes).removeAlpha().toColourspace('srgb').raw().toBuffer()
    const channels = theirs.length / (WIDTH * HEIGHT)
    for (let i = 0; i < WIDTH * HEIGHT; i += 7) {
      expect(pixelAt(png, i % WIDTH, Math.floor(i / WIDTH))).toBe(whole[i])
      expect(Math.abs(whole[i]! - theirs[i * channels]!)).toBeLessThanOrEqual(1)
    }
  })

  it('is reported as broken if truncated', async () => {
    const bytes = await gray().toColourspace('b-w').png().toBuffer()
    for (let cut = 0; cut < bytes.length - 12; cut += 11) {
      const png = parsePng(bytes.subarray(0, cut))
      if (typeof png === 'string') expect(png).toMatch(/PNG/)
      else expect(png.complete).toBe(false)
    }
  })

  it('gives a result or null for any damage, never an exception', async () => {
    const bytes = await gray().toColourspace('b-w').png().toBuffer()
    for (let i = 0; i < 400; i++) {
      const damaged = Uint8Array.from(bytes)
      for (let k = 0; k < 3; k++) damaged[random.between(33, bytes.length - 1)] = random.int(256)
      const png = parsePng(damaged)
      if (typeof png === 'string' || png.width * png.height > 1e6) continue
      const value = pixelAt(png, 5, 40)
      expect(value === null || (value >= 0 && value <= 255)).toBe(true)
      decodeGray(png)
    }
    // A valid mask is still read correctly afterward.
    const png = read(bytes)
    const whole = decodeGray(png)!
    for (let i = 0; i < whole.length; i += 13) expect(pixelAt(png, i % WIDTH, Math.floor(i / WIDTH))).toBe(whole[i])
  })
})

describe('a hostile mask', () => {
  const chunk = (type: string, body: Uint8Array): Buffer => {
    const bytes = Buffer.alloc(12 + body.length)
    bytes.writeUInt32BE(body.length, 0)
    bytes.write(type, 4, 'latin1')
    bytes.set(body, 8)
    return bytes
  }
  const hostile = (width: number, height: number, rows: Uint8Array): Buffer => {
    const header = Buffer.alloc(13)
    header.writeUInt32BE(width, 0)
    header.writeUInt32BE(height, 4)
    header[8] = 8
    const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
    return Buffer.concat([
      signature,
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(rows)),
      chunk('IEND', Buffer.of()),
    ])
  }

  it.each([
    ['inflates to far more than its picture', hostile(10, 10, new Uint8Array(64 * 1024 * 1024))],
    ['claims more pixels than it has bytes for', hostile(8000, 8000, new Uint8Array(100))],
  ])('%s: is reported as broken', (_, bytes) => {
    const png = read(bytes)
    expect([pixelAt(png, 0, 0), decodeGray(png)]).toEqual([null, null])
  })

  it('of invalid size is not decoded', () => {
    expect(parsePng(hostile(100_000, 100_000, new Uint8Array(100)))).toBe('invalid PNG size 100000 × 100000')
  })
})

describe('a point on a mask', () => {
  const ids = new Uint8Array(200 * 100)
  for (let y = 20; y <= 39; y++) for (let x = 50; x <= 69; x++) ids[y * 200 + x] = 7
  const mask = { mask_base64: maskOfId(ids, 7, 200, 100), bbox: [50, 20, 69, 39] }
  const frame = { width: 200, height: 100 }
  const published = (object: typeof mask, x: number, y: number, size: Size): boolean =>
    publishedHit(object, Math.trunc((x * size.width) / 1000), Math.trunc((y * size.height) / 1000), size)

  it.each([
    [300, 300, true],
    [250, 200, true],
    [349.9, 399.9, true],
    [350, 300, false],
    [249.9, 300, false],
    [-5, 300, false],
    [Number.NaN, 300, false],
  ])('(%s, %s): %s', (x, y, hit) => {
    expect(targetHit(targetOf(mask, frame), [x, y])).toBe(hit)
    expect(published(mask, x, y, frame)).toBe(hit)
  })

  it('uses the size of the mask if the video differs; the published rule treats it as a crop', () => {
    const twice = { width: 400, height: 200 }
    expect(targetHit(targetOf(mask, twice), [300, 300])).toBe(true)
    expect(published(mask, 300, 300, twice)).toBe(false)
  })

  it('treats a mask with the size of its box as a crop', () => {
    const crop = { mask_base64: maskOfId(new Uint8Array(20 * 20).fill(7), 7, 20, 20), bbox: [50, 20, 69, 39] }
    expect(isCrop({ width: 20, height: 20 }, [50, 20, 69, 39])).toBe(true)
    expect(targetHit(targetOf(crop, frame), [300, 300])).toBe(true)
    expect(targetHit(targetOf(crop, frame), [500, 300])).toBe(false)
  })

  it('at 1000 is on the last pixel', () => {
    const all = { mask_base64: maskOfId(new Uint8Array(200 * 100).fill(7), 7, 200, 100), bbox: [0, 0, 199, 99] }
    expect(targetHit(targetOf(all, frame), [1000, 1000])).toBe(true)
    expect(published(all, 1000, 1000, frame)).toBe(false)
    // Python reads a negative index from the end.
    expect(publishedHit({ ...all, bbox: [-9, -9, 199, 99] }, -1, -1, frame)).toBe(true)
  })
})

describe('base64 as the published scorers decode it', () => {
  it.each([
    ['aGVsbG8=', 'hello'],
    [' aGVs\nbG8= ', 'hello'],
    ['aGVs-_bG8=', 'hello'],
    ['aGVsbG8=aGVsbG8=', 'hello'],
    ['aGVsbG8', null],
    ['aGVsbG8ü=', null],
    ['!!!!', ''],
    ['', ''],
  ])('%j', (text, expected) => {
    const bytes = publishedBase64(text)
    expect(bytes && Buffer.from(bytes).toString()).toBe(expected)
  })
})
