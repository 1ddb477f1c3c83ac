/**
 * Imaging quality from image statistics: a proxy, no network. Five statistics of the gray picture, each mapped to 0…1
 * with the constants below, and their weighted mean. What it rewards is written next to each.
 */
import { type Bitmap, resizeBitmap } from '../../../suite.ts'
import { meanOverFrames } from './rules/frames.ts'
import { imagingSize } from './rules/sizes.ts'
import type { Measure } from './types.ts'

export interface ImageStatistics {
  /** Variance of the Laplacian: sharp edges. */
  sharpness: number
  /** Standard deviation of the noise after Immerkær. */
  noise: number
  /** Share of pixels that are black or white. */
  clipped: number
  /** Standard deviation of the gray values. */
  contrast: number
  /** How much more columns and rows differ at borders of 8 × 8 blocks than inside. */
  blockiness: number
}

/** Below the first value a statistic counts as 0 and from the second on as 1; swapped where less is better. */
export const IMAGING_SCALE = {
  sharpness: { from: 10, to: 1000, log: true, weight: 0.35 },
  noise: { from: 15, to: 0, log: false, weight: 0.2 },
  clipped: { from: 0.25, to: 0.01, log: false, weight: 0.15 },
  contrast: { from: 10, to: 55, log: false, weight: 0.15 },
  blockiness: { from: 1, to: 0.05, log: false, weight: 0.15 },
} as const satisfies Record<keyof ImageStatistics, { from: number; to: number; log: boolean; weight: number }>

export function imagingScore(statistics: ImageStatistics): number {
  let score = 0
  for (const [name, { from, to, log, weight }] of Object.entries(IMAGING_SCALE)) {
    const value = statistics[name as keyof ImageStatistics]
    const [x, a, b] = log ? [Math.log(Math.max(value, 1e-6)), Math.log(from), Math.log(to)] : [value, from, to]
    score += weight * Math.min(1, Math.max(0, (x - a) / (b - a)))
  }
  return score
}

export function imageStatistics({ width, height, data }: Bitmap): ImageStatistics {
  const grey = new Float32Array(width * height)
  let sum = 0
  let squares = 0
  for (let i = 0; i < grey.length; i++) {
    const value = 0.299 * data[i * 3]! + 0.587 * data[i * 3 + 1]! + 0.114 * data[i * 3 + 2]!
    grey[i] = value
    sum += value
    squares += value * value
  }
  const mean = sum / grey.length
  const { laplacian, noise } = secondDifferences(grey, width, height)
  const clipped = grey.reduce((count, value) => (value < 2 + noise || value > 253 - noise ? count + 1 : count), 0)
  // Noise looks like edges, like contrast, and hides blocks and clipping: its share is taken out of each.
  return {
    sharpness: Math.max(0, laplacian - LAPLACIAN_OF_NOISE * noise ** 2),
    noise,
    clipped: clipped / grey.length,
    contrast: Math.sqrt(Math.max(0, squares / grey.length - mean * mean - noise ** 2)),
    blockiness: blockiness(grey, width, height, STEP_OF_NOISE * noise),
  }
}

/** Variance of the Laplacian of noise of variance 1: the squares of the mask, 4² + 4 × 1²; a quarter more to be sure. */
const LAPLACIAN_OF_NOISE = 20 * 1.25
/** Mean absolute difference of two normal numbers of variance 1. */
const STEP_OF_NOISE = 2 / Math.sqrt(Math.PI)

function secondDifferences(grey: Float32Array, width: number, height: number): { laplacian: number; noise: number } {
  let sum = 0
  let squares = 0
  let noise = 0
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x
      const sides = grey[i - 1]! + grey[i + 1]! + grey[i - width]! + grey[i + width]!
      const corners = grey[i - width - 1]! + grey[i - width + 1]! + grey[i + width - 1]! + grey[i + width + 1]!
      const second = sides - 4 * grey[i]!
      sum += second
      squares += second * second
      noise += Math.abs(corners - 2 * sides + 4 * grey[i]!)
    }
  }
  const count = Math.max(1, (width - 2) * (height - 2))
  const mean = sum / count
  // Immerkær 1996: the mask cancels everything linear; the factor makes it a standard deviation.
  return { laplacian: squares / count - mean * mean, noise: (Math.sqrt(Math.PI / 2) / (6 * count)) * noise }
}

const BLOCK = 8

function blockiness(grey: Float32Array, width: number, height: number, noiseStep: number): number {
  let [atBorder, borders, inside, insides] = [0, 0, 0, 0]
  for (let y = 0; y < height; y++) {
    for (let x = 1; x < width; x++) {
      const step = Math.abs(grey[y * width + x]! - grey[y * width + x - 1]!)
      if (x % BLOCK === 0) {
        atBorder += step
        borders++
      } else {
        inside += step
        insides++
      }
    }
  }
  if (borders === 0 || insides === 0) return 0
  const real = (step: number) => Math.sqrt(Math.max(0, step ** 2 - noiseStep ** 2))
  return Math.max(0, real(atBorder / borders) / Math.max(0.5, real(inside / insides)) - 1)
}

export function imagingMeasure(): Measure {
  return {
    title: 'image statistics',
    tier: 'proxy',
    outputs: ['imaging_quality'],
    version: 'statistics-3',
    start({ info }) {
      const size = imagingSize(info)
      return meanOverFrames('imaging_quality', async (bitmap) => {
        const isSmall = size.width === bitmap.width && size.height === bitmap.height
        return imagingScore(imageStatistics(isSmall ? bitmap : await resizeBitmap(bitmap, size.width, size.height)))
      })
    },
  }
}
