/** Images of the published rendered scenes. They have no depth and no ids. */
import { basename, dirname, join } from 'node:path'
import {
  type Bitmap,
  decodeImage,
  encodePng,
  encoderName,
  type Episode,
  type MediaRef,
  MissingAssetError,
  resizeBitmap,
  sha256,
  fileErrorReason,
  readRegular,
} from '../../../suite.ts'
import type { ImageFiles, SpaceSample } from '../samples/sample.ts'
import { headingName } from '../domain/grid/relations.ts'
import { sceneId } from '../domain/grid/scene-json.ts'
import type { Profile } from '../domain/profile.ts'
import { PUBLISHED_SIZE } from '../domain/vision/camera.ts'
import { fogImage, MAP_SIZE } from '../play/images/fog-image.ts'
import { calibrationImage } from '../play/images/instructions.ts'
import type { ObservationRenderer } from '../play/renderer.ts'
import { CALIBRATION, exists, OBJECTS, imageName } from './image-files.ts'

export function openImageFiles(
  sample: SpaceSample,
  images: ImageFiles,
  episode: Episode<Profile>,
): ObservationRenderer {
  const folder = episode.files.path(images.key, `The rendered scene ${sample.id}`)
  return {
    async instructions() {
      const calibration = join(dirname(folder), CALIBRATION)
      const first = (await exists(calibration))
        ? await keepFile(episode, calibration)
        : // The dataset has one calibration image for all scenes, so a single scene folder comes without it.
          await episode.keep(calibrationImage(episode.profile), 'image/png', { made: 'render', what: 'calibration' })
      return [first, await keepFile(episode, join(folder, OBJECTS))]
    },
    async observe({ anchor, pose }, scene) {
      const name = imageName(images, anchor, headingName(pose.heading), scene !== sample.scene)
      return { image: await keepFile(episode, join(folder, name)), frame: null, hidden: [] }
    },
    async fog(probe, scene, pose) {
      const size = { width: MAP_SIZE, height: MAP_SIZE }
      const provenance = { made: 'render', what: 'fog', scene: sceneId(scene), cell: pose.pos }
      return episode.keep(await fogImage(probe, scene, pose), 'image/png', provenance, size)
    },
  }
}

/** Stores an image of the dataset, resized as published: to a square, with Lanczos. This squeezes the contact sheet. */
async function keepFile(episode: Episode<Profile>, file: string): Promise<MediaRef> {
  const { bytes, read } = await readImage(file)
  const bitmap = await resizeBitmap(read, PUBLISHED_SIZE, PUBLISHED_SIZE)
  const provenance = {
    made: 'file',
    file: basename(file),
    source: sha256(bytes),
    resize: `lanczos3 ${PUBLISHED_SIZE}×${PUBLISHED_SIZE}`,
    encoder: encoderName('image/png'),
  }
  const { width, height } = bitmap
  return episode.keep(await encodePng(bitmap), 'image/png', provenance, { width, height })
}

/** A missing or damaged image ends the episode, not the run. */
async function readImage(file: string): Promise<{ bytes: Uint8Array; read: Bitmap }> {
  try {
    const bytes = await readRegular(file)
    return { bytes, read: await decodeImage(bytes) }
  } catch (error) {
    throw new MissingAssetError(`Cannot read image ${file}: ${fileErrorReason(error)}.`, { cause: error })
  }
}
