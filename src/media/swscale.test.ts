import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { scaleToRgb } from './swscale.ts'

/** Hashes of what ffmpeg 5.1 on x86 makes of the pattern below with `scale=…:flags=bilinear`. */
const CASES = [
  { from: [40, 30], to: [16, 24], fullRange: false, hash: '95ef3b4a3f059779' },
  { from: [24, 16], to: [64, 40], fullRange: false, hash: '402de40b6b615418' },
  { from: [50, 38], to: [64, 20], fullRange: true, hash: '4c315022fdbf8a58' },
  { from: [33, 20], to: [32, 32], fullRange: false, hash: '73648c44d8f10ed0' },
] as const

test.each(CASES)('scales $from to $to as swscale does, in every bit', ({ from, to, fullRange, hash }) => {
  const [width, height] = from
  const [chromaWidth, chromaHeight] = [(width + 1) >> 1, (height + 1) >> 1]
  const luma = width * height
  const chroma = chromaWidth * chromaHeight
  const bytes = Uint8Array.from({ length: luma + 2 * chroma }, (_, i) => (i * 73 + ((i * i) >> 5) * 19) & 255)
  const planes = {
    width,
    height,
    y: bytes,
    u: bytes.subarray(luma),
    v: bytes.subarray(luma + chroma),
    yStride: width,
    uvStride: chromaWidth,
  }
  const { data } = scaleToRgb(planes, { matrix: 'bt601', fullRange }, { width: to[0], height: to[1] })
  expect(createHash('sha256').update(data).digest('hex').slice(0, 16)).toBe(hash)
})
