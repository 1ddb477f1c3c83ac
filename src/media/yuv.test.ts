import { expect, test } from 'vitest'
import { yuvToRgb, type YuvFormat } from './yuv.ts'

const SAMPLES = [
  [16, 128, 128],
  [235, 128, 128],
  [81, 90, 240],
  [145, 54, 34],
  [1, 255, 0],
  [254, 0, 255],
  [120, 131, 77],
] as const

/** What swscale (ffmpeg 5.1 on x86) makes of the samples above. */
const CASES: readonly (readonly [YuvFormat, readonly (readonly [number, number, number])[]])[] = [
  [
    { matrix: 'bt601', fullRange: false },
    [
      [0, 0, 0],
      [255, 255, 255],
      [253, 0, 0],
      [0, 254, 0],
      [0, 36, 238],
      [255, 223, 18],
      [39, 160, 127],
    ],
  ],
  [
    { matrix: 'bt709', fullRange: false },
    [
      [0, 0, 0],
      [255, 255, 255],
      [255, 23, 0],
      [0, 215, 0],
      [0, 22, 250],
      [255, 236, 6],
      [29, 147, 127],
    ],
  ],
  [
    { matrix: 'bt2020', fullRange: false },
    [
      [0, 0, 0],
      [255, 255, 255],
      [255, 9, 0],
      [0, 224, 0],
      [0, 41, 253],
      [255, 217, 2],
      [35, 153, 127],
    ],
  ],
  [
    { matrix: 'bt601', fullRange: true },
    [
      [16, 16, 16],
      [235, 235, 235],
      [238, 14, 13],
      [13, 237, 13],
      [0, 48, 226],
      [255, 207, 27],
      [48, 154, 125],
    ],
  ],
]

test.each(CASES)('converts %o as swscale does', (format, expected) => {
  const pixels = SAMPLES.map(([y, u, v]) => {
    const planes = { y: new Uint8Array(4).fill(y), u: Uint8Array.of(u), v: Uint8Array.of(v) }
    return [...yuvToRgb({ width: 2, height: 2, ...planes, yStride: 2, uvStride: 1 }, format).data.subarray(9)]
  })
  expect(pixels).toEqual(expected)
})
