/** What a video looks like, for people: frames over time in a row, and the motion that led to each of them. */
import { type Bitmap, encodeJpeg, type FlowField, FlowKernel, flowSize, resizeBitmap } from '../../../suite.ts'
import { middleFrames } from './rules/frames.ts'
import type { ClipInfo } from '../domain/clip.ts'
import type { Measure } from './types.ts'

export const STRIP_COLUMNS = 8
const THUMB = 160
const GAP = 4
/** Half the size at which motion is measured: quick, and still finer than what is shown. */
const FLOW_SIDE = 128
/** Speed at which a flow picture is fully colored, in pixels of its own size: 12 at the size of the thresholds. */
const FULL_SPEED = 6
const BACKGROUND = 32

export interface Strips {
  frames: Bitmap[]
  flows: Bitmap[]
}

/** Watches a clip and keeps a few small pictures of it. */
export class StripMeter {
  readonly #chosen: ReadonlySet<number>
  readonly #kernel: FlowKernel
  readonly #strips: Strips = { frames: [], flows: [] }

  constructor(
    { width, height, frames }: ClipInfo,
    kernel: FlowKernel = new FlowKernel(flowSize(width, height, FLOW_SIDE), 2),
  ) {
    this.#chosen = new Set(middleFrames(STRIP_COLUMNS, frames))
    this.#kernel = kernel
  }

  async frame(bitmap: Bitmap, index: number): Promise<void> {
    const wanted = this.#chosen.has(index)
    if (!wanted && !this.#chosen.has(index + 1)) return
    this.#kernel.load(index % 2, bitmap.data, bitmap.width, bitmap.height)
    if (!wanted) return
    // The first frame came from nowhere: its motion is that to itself, none.
    const flow = flowPicture(this.#kernel.flow(index === 0 ? 0 : (index + 1) % 2, index % 2))
    this.#strips.frames.push(await thumb(bitmap))
    this.#strips.flows.push(await thumb(flow))
  }

  end(): Strips {
    return this.#strips
  }
}

function thumb(bitmap: Bitmap): Promise<Bitmap> {
  return resizeBitmap(bitmap, THUMB, Math.max(1, Math.round((THUMB * bitmap.height) / bitmap.width)))
}

/** Direction as hue, speed as saturation; white stands still. */
export function flowPicture({ width, height, x, y }: FlowField): Bitmap {
  const data = new Uint8Array(width * height * 3)
  for (let i = 0; i < width * height; i++) {
    const strength = Math.min(1, Math.hypot(x[i]!, y[i]!) / FULL_SPEED)
    const hue = (Math.atan2(y[i]!, x[i]!) / (2 * Math.PI) + 1) % 1
    for (let c = 0; c < 3; c++) {
      const pure = Math.min(1, Math.max(0, Math.abs(((hue * 6 + HUE_OFFSET[c]!) % 6) - 3) - 1))
      data[i * 3 + c] = 255 * (1 - strength * (1 - pure))
    }
  }
  return { width, height, channels: 3, data }
}

/** Where red, green and blue stand on the wheel of hues, in sixths. */
const HUE_OFFSET = [0, 4, 2] as const

/** Rows of pictures under each other, each row as high as its highest. */
export function sheetOf(rows: readonly (readonly Bitmap[])[]): Bitmap {
  const width = STRIP_COLUMNS * (THUMB + GAP) + GAP
  const heights = rows.map((row) => Math.max(...row.map((each) => each.height), 1) + GAP)
  const height = heights.reduce((sum, each) => sum + each, GAP)
  const data = new Uint8Array(width * height * 3).fill(BACKGROUND)
  let top = GAP
  for (const [r, row] of rows.entries()) {
    for (const [c, picture] of row.entries()) {
      const left = GAP + c * (THUMB + GAP)
      for (let y = 0; y < picture.height; y++) {
        const from = picture.data.subarray(y * picture.width * 3, (y + 1) * picture.width * 3)
        data.set(from, ((top + y) * width + left) * 3)
      }
    }
    top += heights[r]!
  }
  return { width, height, channels: 3, data }
}

const MAX_IDLE = 4

/** Draws a contact sheet of frames and one of motion while others measure; only the sheets are kept. */
export function pictureMeasure(): Measure {
  const idle: FlowKernel[] = []
  return {
    title: 'pictures',
    tier: 'exact',
    outputs: ['pictures'],
    version: 'pictures-1',
    start({ info, episode }) {
      const size = flowSize(info.width, info.height, FLOW_SIDE)
      const at = idle.findIndex(({ width, height }) => width === size.width && height === size.height)
      const kernel = at < 0 ? new FlowKernel(size, 2) : idle.splice(at, 1)[0]!
      const meter = new StripMeter(info, kernel)
      const keep = async (row: readonly Bitmap[], shows: 'frames' | 'motion') => {
        const sheet = sheetOf([row])
        const { width, height } = sheet
        const made = { made: 'drawing', shows }
        const ref = await episode.keep(await encodeJpeg(sheet), 'image/jpeg', made, { width, height })
        return { ...ref, width, height }
      }
      return {
        frame: (bitmap, index) => meter.frame(bitmap, index),
        async end() {
          idle.push(kernel)
          if (idle.length > MAX_IDLE) idle.shift()
          const { frames, flows } = meter.end()
          return { pictures: { frames: await keep(frames, 'frames'), flow: await keep(flows, 'motion') } }
        },
      }
    },
  }
}
