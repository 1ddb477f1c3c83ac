import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { encodePng } from './image.ts'
import { encodeMask, maskArea, maskBox, maskFromBase64, pointInMask } from './mask.ts'

const GREYS = Uint8Array.of(0, 1, 128, 129, 255, 200)

async function base64(channels: 1 | 3): Promise<string> {
  const data = channels === 1 ? GREYS : Uint8Array.from([...GREYS].flatMap((grey) => [grey, grey, grey]))
  return Buffer.from(await encodePng({ width: 3, height: 2, channels, data })).toString('base64')
}

describe('a mask from Base64', () => {
  test.each([1, 3] as const)('with %i channel(s) is inside above 128', async (channels) => {
    const mask = await maskFromBase64(await base64(channels))
    expect([...mask.inside]).toEqual([0, 0, 0, 1, 1, 1])
    expect(maskArea(mask)).toBe(3)
    expect(maskBox(mask)).toEqual({ x1: 0, y1: 1, x2: 2, y2: 1 })
  })

  test('can have a prefix, line breaks and stray characters', async () => {
    const text = await base64(1)
    const messy = `data:image/png;base64,${text.slice(0, 20)}\n ${text.slice(20, 40)}\r\n*${text.slice(40)}`
    expect((await maskFromBase64(messy)).inside).toEqual((await maskFromBase64(text)).inside)
  })

  test('with 16 bits uses the high byte', async () => {
    const raw = { width: 3, height: 1, channels: 1 } as const
    const image = sharp(Uint16Array.of(128 * 257, 129 * 257, 300), { raw }).toColourspace('grey16')
    const mask = await maskFromBase64((await image.png().toBuffer()).toString('base64'))
    expect([...mask.inside]).toEqual([0, 1, 0])
  })

  test.each([
    ['empty', '', /empty/],
    ['truncated', 'iVBORw0KGgoAAAANSUhEUgAAB4AAAAQ4', /Cannot decode/],
  ])('is rejected if %s', async (_, text, message) => {
    await expect(maskFromBase64(text)).rejects.toThrow(message)
  })
})

test('finds a point in its pixel, and never outside the image', async () => {
  const mask = await maskFromBase64(await base64(1))
  expect(pointInMask(mask, 0.99, 1.01)).toBe(true)
  expect(pointInMask(mask, 0, 0.99)).toBe(false)
  for (const [x, y] of [
    [-0.1, 1],
    [3, 1],
    [1, 2],
    [Number.NaN, 1],
  ] as const)
    expect(pointInMask(mask, x, y)).toBe(false)
})

test('an empty mask has no box, and an encoded mask decodes to itself', async () => {
  expect(maskBox({ width: 2, height: 1, inside: Uint8Array.of(0, 0) })).toBeUndefined()
  const mask = { width: 2, height: 2, inside: Uint8Array.of(0, 1, 1, 0) }
  expect(await maskFromBase64(Buffer.from(await encodeMask(mask)).toString('base64'))).toEqual(mask)
})
