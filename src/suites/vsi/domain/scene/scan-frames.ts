/** The still frames that a scan was captured with, as a walkthrough: another capture than the benchmark's videos. */
import { basename } from 'node:path'
import {
  type Bitmap,
  type DataFiles,
  decodeImage,
  MissingAssetError,
  quickPng,
  readRegular,
  resizeBitmap,
  sha256,
  UserError,
} from '../../../../suite.ts'
import { findScan, skyDirection, type SkyDirection } from '../../../../world.ts'
import type { ScanOrigin } from './origin.ts'
import { loadAsset } from './stages.ts'
import type { Walkthrough, WalkthroughFrame } from './walkthrough.ts'

/** Frames are scaled down to fit, upright or not; the published agent stretches them to exactly this. */
const LONG_SIDE = 640

/** Clockwise quarter turns that put the sky up. */
const QUARTER_TURNS: Readonly<Record<SkyDirection, number>> = { Up: 0, Left: 1, Down: 2, Right: 3 }

export async function framesWalkthrough(
  { source, dataset, scene }: ScanOrigin,
  files: DataFiles,
): Promise<Walkthrough> {
  const root = files.path(`${source}/frames`, scene)
  const { frames, missing } = await loadAsset(() => findScan(root, dataset, scene))
  if (frames.length === 0)
    throw new MissingAssetError(missing.find((each) => each.startsWith('frames')) ?? `frames of ${scene}`)
  const sky = await loadAsset(() => skyDirection(root, dataset, scene))
  const frameImage = async (index: number): Promise<WalkthroughFrame> => {
    const path = frames[index]!
    const bitmap = await decodeImage(await readRegular(path)).catch((error: unknown) => {
      throw new UserError(`Cannot read frame ${basename(path)} of ${scene}.`, { cause: error })
    })
    const upright = turned(bitmap, QUARTER_TURNS[sky])
    const scale = Math.min(1, LONG_SIDE / Math.max(upright.width, upright.height))
    const [width, height] = [Math.round(upright.width * scale), Math.round(upright.height * scale)]
    return { index, width, height, png: quickPng(await resizeBitmap(upright, width, height)), pose: null }
  }
  return {
    frames: frames.length,
    fps: null,
    provenance: { capture: 'frames', files: sha256(frames.map((path) => basename(path)).join('\n')) },
    poseOf: () => null,
    frameImages: (indices, ready) =>
      loadAsset(async () => {
        const images: WalkthroughFrame[] = []
        for (const index of indices) {
          images.push(await frameImage(index))
          ready(images.length)
        }
        return images
      }),
    whole: () => {
      throw new UserError('capture=frames has single frames, not a video.', { hint: 'Leave out input=video.' })
    },
  }
}

/** Turned clockwise by quarter turns. */
export function turned(bitmap: Bitmap, quarters: number): Bitmap {
  if (quarters === 0) return bitmap
  const { width, height, channels, data } = bitmap
  const [w, h] = quarters === 2 ? [width, height] : [height, width]
  const out = new Uint8Array(data.length)
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const [fromX, fromY] =
        quarters === 1 ? [y, height - 1 - x] : quarters === 2 ? [width - 1 - x, height - 1 - y] : [width - 1 - y, x]
      const from = (fromY * width + fromX) * channels
      for (let c = 0; c < channels; c++) out[(y * w + x) * channels + c] = data[from + c]!
    }
  }
  return { width: w, height: h, channels, data: out }
}
