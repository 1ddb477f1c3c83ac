import { describe, expect, it } from 'vitest'
import { maskOfId } from './mask-encode.ts'
import { targetOf } from './mask.ts'
import { outlineOf } from './mask-outline.ts'

const WIDTH = 12
const HEIGHT = 8

/** A ring: a block of 5 × 4 with a hole, and a pixel in the far corner. */
const ids = new Uint8Array(WIDTH * HEIGHT)
for (let y = 2; y < 6; y++) for (let x = 3; x < 8; x++) ids[y * WIDTH + x] = 1
ids[3 * WIDTH + 5] = 0
ids[WIDTH * HEIGHT - 1] = 1

const mask = { mask_base64: maskOfId(ids, 1, WIDTH, HEIGHT), bbox: [3, 2, 11, 7] }

describe('the outline of a mask', () => {
  it('fills exactly its pixels', () => {
    const outline = outlineOf(targetOf(mask, { width: WIDTH, height: HEIGHT }))!
    expect(outline).toMatchObject({ frame: { width: WIDTH, height: HEIGHT }, offset: [0, 0] })
    const filled = new Uint8Array(WIDTH * HEIGHT)
    for (const [, x, y, length] of outline.fill.matchAll(/M(\d+) (\d+)h(\d+)v1/g))
      filled.fill(1, Number(y) * WIDTH + Number(x), Number(y) * WIDTH + Number(x) + Number(length))
    expect(filled).toEqual(ids)
  })

  it('runs along pixel edges, including holes', () => {
    const { edge } = outlineOf(targetOf(mask, { width: WIDTH, height: HEIGHT }))!
    const across = [...edge.matchAll(/h(\d+)/g)].reduce((sum, [, length]) => sum + Number(length), 0)
    const down = [...edge.matchAll(/v1/g)].length
    // Both sides of the block, of its hole and of the pixel.
    expect([across, down]).toEqual([2 * (5 + 1 + 1), 2 * (4 + 1 + 1)])
  })

  it('is null for a broken mask', () => {
    expect(outlineOf(targetOf({ mask_base64: '!!' }, { width: 1, height: 1 }))).toBeNull()
  })
})
