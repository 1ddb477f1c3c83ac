import { expect, test } from 'vitest'
import { Random } from '../base/random.ts'
import { rgbToYuv, yuvToRgb, type YuvFormat } from './yuv.ts'

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

test.each([
  [2, 2, 3],
  [6, 4, 3],
  [8, 2, 4],
  [18, 10, 3],
  [34, 6, 4],
] as const)('%i × %i pixels of %i channels become planes of rounded means', (width, height, channels) => {
  const random = new Random(`yuv/${width}`)
  const data = Uint8Array.from({ length: width * height * channels }, () => random.pick([0, 255, random.int(256)]))
  const pixel = (x: number, y: number): number[] => [...data.subarray((y * width + x) * channels).subarray(0, 3)]
  const range = (size: number): number[] => [...Array(size).keys()]
  const luma = ([r, g, b]: number[]): number => 16 + (219 / 255) * (0.299 * r! + 0.587 * g! + 0.114 * b!)
  const chroma = (x: number, y: number, of: 0 | 2): number => {
    const four = [pixel(x, y), pixel(x + 1, y), pixel(x, y + 1), pixel(x + 1, y + 1)]
    const [r, g, b] = [0, 1, 2].map((c) => four.reduce((sum, each) => sum + each[c]! / 4, 0))
    const light = 0.299 * r! + 0.587 * g! + 0.114 * b!
    return 128 + ((224 / 255) * (of === 2 ? (b! - light) / 0.886 : (r! - light) / 0.701)) / 2
  }
  const rows = (step: number, of: (x: number, y: number) => number): number[] =>
    range(height / step).flatMap((y) => range(width / step).map((x) => of(x * step, y * step)))
  const exact = [
    ...rows(1, (x, y) => luma(pixel(x, y))),
    ...rows(2, (x, y) => chroma(x, y, 2)),
    ...rows(2, (x, y) => chroma(x, y, 0)),
  ]
  const planes = rgbToYuv({ width, height, channels, data })
  expect(planes).toHaveLength(exact.length)
  for (const [i, value] of exact.entries()) expect(Math.abs(planes[i]! - value)).toBeLessThan(0.51)
})
