/** A video walkthrough of a scene: recorded, or rendered along a path that covers the room. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Bitmap,
  type DataFiles,
  hashOf,
  MissingAssetError,
  openVideo,
  quickPng,
  readFrames,
  sha256,
  UserError,
  readRegular,
} from '../../../../suite.ts'
import { film, type Pose, RENDERER } from '../../../../world.ts'
import { VIDEO_FPS } from './known.ts'
import { cameraAt, type CameraSettings } from '../camera.ts'
import type { BuiltinOrigin, OwnOrigin, ScanOrigin, SceneOrigin } from './origin.ts'
import { runInThread } from './run-in-thread.ts'
import { framesWalkthrough } from './scan-frames.ts'
import type { WholeVideo } from './stage.ts'
import { loadAsset, loadStage, ownFolder, scanFile } from './stages.ts'

export interface Walkthrough {
  frames: number
  /** Frames per second; for a recorded video, the mean over its length; null for single frames. */
  fps: number | null
  /** Provenance of each frame. */
  provenance: Readonly<Record<string, string | number>>
  /** Where a frame was taken from; null for a recorded video. */
  poseOf(index: number): Pose | null
  /** @param ready called with the number of frames that are ready */
  frameImages(indices: readonly number[], ready: (count: number) => void): Promise<WalkthroughFrame[]>
  /** The whole video as a file. */
  whole(): Promise<WholeVideo>
}

export interface WalkthroughFrame {
  index: number
  png: Uint8Array
  width: number
  height: number
  pose: Pose | null
}

/** @param camera of scenes without a video; a recorded one has its own */
export async function openWalkthrough(
  origin: SceneOrigin,
  files: DataFiles,
  camera: CameraSettings,
): Promise<Walkthrough> {
  if (origin.kind !== 'scan') return drawnWalkthrough(origin, files, camera)
  return origin.capture === 'frames' ? framesWalkthrough(origin, files) : scanWalkthrough(origin, files)
}

async function scanWalkthrough(origin: ScanOrigin, files: DataFiles): Promise<Walkthrough> {
  const { scene } = origin
  const path = await scanFile(origin, 'video', files)
  const { frames, fps, decoder, hash } = await loadAsset(async () => {
    const video = await openVideo(path)
    const { frames, fps } = video.info
    const opened = { frames, fps, decoder: video.decoder, hash: sha256(await readRegular(path)) }
    await video.close()
    return opened
  })
  if (frames === 0) throw new MissingAssetError(`the video of ${scene} has no frames`)
  return {
    frames,
    fps,
    provenance: { video: hash, decoder },
    poseOf: () => null,
    frameImages: (indices) =>
      loadAsset(async () => {
        const video = await openVideo(path)
        try {
          const found = await readFrames(video, indices)
          const missing = indices.find((_, i) => found[i] === undefined)
          if (missing !== undefined) throw new UserError(`The video of ${scene} ends before frame ${missing}.`)
          return found.map(({ index, bitmap }) => {
            const { width, height } = bitmap
            return { index, width, height, png: quickPng(bitmap), pose: null }
          })
        } finally {
          await video.close()
        }
      }),
    whole: () => loadAsset(async () => ({ bytes: await readRegular(path) })),
  }
}

/** Frames are rendered on demand; only the whole video is encoded. */
async function drawnWalkthrough(
  origin: BuiltinOrigin | OwnOrigin,
  files: DataFiles,
  camera: CameraSettings,
): Promise<Walkthrough> {
  const { hash, tour } = await loadAsset(() =>
    origin.kind === 'own'
      ? runInThread('ownTour', { folder: ownFolder(origin, files), camera })
      : runInThread('tour', { ...origin, camera }),
  )
  const { width, height, focal } = camera
  const key = hashOf(camera)
  /** What `use` makes of a frame, which holds until the next one is drawn. */
  const draw = async <T>(pose: Pose, use: (bitmap: Bitmap) => T): Promise<T> => {
    const { renderer } = await loadStage(origin, files)
    // Yields to the event loop, so model replies are handled between frames.
    await nextTurn()
    return renderer.lend(cameraAt(camera, pose), { width, height, antialias: true }, ({ color }) =>
      use({ width, height, channels: 3, data: color }),
    )
  }
  return {
    frames: tour.frames.length,
    fps: VIDEO_FPS,
    provenance: { scene: hash, fps: VIDEO_FPS, focal, renderer: RENDERER },
    poseOf: (index) => tour.frames[index]!.pose,
    frameImages: async (indices, ready) => {
      const { images } = await loadStage(origin, files)
      let count = 0
      return Promise.all(
        indices.map(async (index) => {
          const { pose } = tour.frames[index]!
          const png = await images.getOrCreate(`${key}/${index}`, () => draw(pose, quickPng))
          ready(++count)
          return { index, width, height, pose, png }
        }),
      )
    },
    // All questions of a scene share the video, so it is rendered and encoded once.
    whole: async () => {
      const { videos } = await loadStage(origin, files)
      return videos.getOrCreate(key, async () => {
        const drawOwn = (pose: Pose) => draw(pose, (frame) => ({ ...frame, data: new Uint8Array(frame.data) }))
        const { bytes, encoder } = await film(tour, drawOwn, { width, height })
        return { bytes, encoder }
      })
    },
  }
}
