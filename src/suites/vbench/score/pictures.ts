/** Pictures for people: for every prompt a contact sheet of its videos, frames over time, flow below them. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bitmap, encodePng, resizeBitmap } from '../../../media/index.ts'
import { explained } from '../../../store/disk.ts'
import { FlowKernel, flowSize, type FlowField } from '../../../media/flow/index.ts'
import { grouped } from '../grouped.ts'
import { middleFrames } from '../rules/frames.ts'
import { openClip } from '../videos/clip.ts'
import { safeName } from '../videos/names.ts'
import type { MeasuredVideo } from './measure.ts'

const COLUMNS = 8
const THUMB = 160
const GAP = 4
/** Speed at which a flow picture is fully coloured, in pixels at the size of the thresholds. */
const FULL_SPEED = 12

/** One PNG a prompt: two rows a video, its frames and its motion. */
export async function drawPictures(
  folder: string,
  videos: readonly MeasuredVideo[],
  out: string,
  signal: AbortSignal,
): Promise<string[]> {
  await explained(out, () => mkdir(out, { recursive: true }))
  const files: string[] = []
  for (const [prompt, own] of grouped(videos, ({ video }) => video.prompt.prompt)) {
    const rows: Bitmap[][] = []
    for (const { path } of own) {
      signal.throwIfAborted()
      // A video that cannot be read has no pictures; that it cannot be read is said elsewhere.
      const strips = await stripsOf(join(folder, path)).catch(() => null)
      if (strips) rows.push(strips.frames, strips.flows)
    }
    if (rows.length === 0) continue
    const file = join(out, safeName(prompt, 0, '.png').replace(/-0\.png$/, '.png'))
    const png = await encodePng(sheetOf(rows))
    await explained(file, () => writeFile(file, png))
    files.push(file)
  }
  return files
}

async function stripsOf(path: string): Promise<{ frames: Bitmap[]; flows: Bitmap[] }> {
  const clip = await openClip(path)
  try {
    const { width, height, frames: length } = clip.info
    const chosen = new Set(middleFrames(COLUMNS, length))
    const kernel = new FlowKernel(flowSize(width, height), 2)
    const frames: Bitmap[] = []
    const flows: Bitmap[] = []
    let index = 0
    for await (const bitmap of clip.frames()) {
      kernel.load(index % 2, bitmap.data, bitmap.width, bitmap.height)
      if (chosen.has(index)) {
        frames.push(await thumb(bitmap))
        // The first frame came from nowhere: its motion is that to itself, none.
        const from = index === 0 ? 0 : (index + 1) % 2
        flows.push(await thumb(flowPicture(kernel.flow(from, index % 2))))
      }
      index++
    }
    return { frames, flows }
  } finally {
    await clip.close()
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
      const pure = Math.min(1, Math.max(0, Math.abs(((hue * 6 + [0, 4, 2][c]!) % 6) - 3) - 1))
      data[i * 3 + c] = 255 * (1 - strength * (1 - pure))
    }
  }
  return { width, height, channels: 3, data }
}

function sheetOf(rows: readonly (readonly Bitmap[])[]): Bitmap {
  const width = COLUMNS * (THUMB + GAP) + GAP
  const heights = rows.map((row) => Math.max(...row.map((each) => each.height), 1) + GAP)
  const height = heights.reduce((sum, each) => sum + each, GAP)
  const data = new Uint8Array(width * height * 3).fill(32)
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
