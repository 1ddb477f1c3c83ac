/** Changes of scene as PySceneDetect's ContentDetector finds them: by how much hue, saturation and value of pixels change. */
import type { Bitmap } from '../../../../suite.ts'
import type { Clip } from '../../domain/clip.ts'
import { roundHalfEven } from '../../../../suite.ts'
import { resizeLikeOpenCv } from '../networks/resize.ts'

/** What VBench-Long asks of it. */
const THRESHOLD = 35
const SHORTEST_SCENE = 15
/** Larger pictures are made smaller to about this. */
const LOOKED_AT = 256

/** First frames of all scenes but the first. */
export async function sceneCuts(clip: Clip, frames: number): Promise<number[]> {
  const filter = new MergingFilter()
  const cuts: number[] = []
  let last: Uint8Array | null = null
  let index = 0
  for await (const { opencv } of clip.frames()) {
    const now = hueSaturationValue(shrunk(opencv))
    const isAbove = last !== null && difference(last, now) >= THRESHOLD
    const cut = filter.next(index, isAbove)
    if (cut !== null) cuts.push(cut)
    last = now
    if (++index === frames) break
  }
  return cuts
}

function shrunk(bitmap: Bitmap): Bitmap {
  const factor = Math.max(bitmap.width, bitmap.height) / LOOKED_AT
  if (factor <= 1) return bitmap
  const side = (length: number) => Math.max(1, roundHalfEven(length / factor))
  return resizeLikeOpenCv(bitmap, { width: side(bitmap.width), height: side(bitmap.height) })
}

/** Tables of OpenCV: 4096 · 255 / x and 4096 · 180 / 6x. */
const SATURATION = Int32Array.from({ length: 256 }, (_, x) => (x === 0 ? 0 : roundHalfEven((255 << 12) / x)))
const HUE = Int32Array.from({ length: 256 }, (_, x) => (x === 0 ? 0 : roundHalfEven((180 << 12) / (6 * x))))

/** As OpenCV converts bytes: hue from 0 to 179, saturation and value to 255. */
function hueSaturationValue({ width, height, channels, data }: Bitmap): Uint8Array {
  const size = width * height
  const out = new Uint8Array(size * 3)
  for (let i = 0; i < size; i++) {
    const [r, g, b] = [0, 1, 2].map((c) => data[i * channels + Math.min(c, channels - 1)]!) as [number, number, number]
    const value = Math.max(r, g, b)
    const range = value - Math.min(r, g, b)
    const turn = value === r ? g - b : value === g ? b - r + 2 * range : r - g + 4 * range
    const hue = (turn * HUE[range]! + (1 << 11)) >> 12
    out[i] = hue < 0 ? hue + 180 : hue
    out[size + i] = (range * SATURATION[value]! + (1 << 11)) >> 12
    out[2 * size + i] = value
  }
  return out
}

function difference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!)
  return sum / a.length
}

/** Cuts that follow each other within a shortest scene become one, once there was a first. */
class MergingFilter {
  #lastAbove: number | null = null
  #isEnabled = false
  #mergedFrom: number | null = null

  next(index: number, isAbove: boolean): number | null {
    this.#lastAbove ??= index
    const isLongEnough = index - this.#lastAbove >= SHORTEST_SCENE
    if (isAbove) this.#lastAbove = index
    if (this.#mergedFrom !== null) {
      if (!isLongEnough || isAbove || this.#lastAbove - this.#mergedFrom < SHORTEST_SCENE) return null
      this.#mergedFrom = null
      return this.#lastAbove
    }
    if (!isAbove) return null
    if (isLongEnough) {
      this.#isEnabled = true
      return index
    }
    if (this.#isEnabled) this.#mergedFrom = index
    return null
  }
}
