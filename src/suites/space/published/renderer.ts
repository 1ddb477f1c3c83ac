/** Pictures of the published rendered scenes. Nothing is known of them but their pixels: no depth, no ids. */
import { readFile } from 'node:fs/promises'
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
} from '../../../suite.ts'
import type { PictureFiles, SpaceSample } from '../samples/sample.ts'
import { headingName } from '../domain/grid/relations.ts'
import { sceneId } from '../domain/grid/scene-json.ts'
import type { Profile } from '../domain/profile.ts'
import { PICTURE_SIZE } from '../domain/vision/camera.ts'
import { fogPicture, MAP_SIZE } from '../play/pictures/fog-picture.ts'
import { calibrationPicture } from '../play/pictures/instructions.ts'
import type { ObservationRenderer } from '../play/renderer.ts'
import { CALIBRATION, exists, OBJECTS, pictureName } from './picture-files.ts'

export function openPictureFiles(
  sample: SpaceSample,
  pictures: PictureFiles,
  episode: Episode<Profile>,
): ObservationRenderer {
  const folder = episode.files.path(pictures.key, `The rendered scene ${sample.id}`)
  return {
    async instructions() {
      const calibration = join(dirname(folder), CALIBRATION)
      const first = (await exists(calibration))
        ? await keepFile(episode, calibration, true)
        : // The picture of the data set is shared by all its scenes, and is not in the folder of one.
          await episode.keep(calibrationPicture(episode.profile), 'image/png', { made: 'render', what: 'calibration' })
      return [first, await keepFile(episode, join(folder, OBJECTS), false)]
    },
    async observe({ anchor, pose }, scene) {
      const name = pictureName(pictures, anchor, headingName(pose.heading), scene !== sample.scene)
      return { picture: await keepFile(episode, join(folder, name), true), frame: null, hidden: [] }
    },
    async fog(probe, scene, pose) {
      const size = { width: MAP_SIZE, height: MAP_SIZE }
      const provenance = { made: 'render', what: 'fog', scene: sceneId(scene), cell: pose.pos }
      return episode.keep(await fogPicture(probe, scene, pose), 'image/png', provenance, size)
    },
  }
}

/** A picture of the data set; views are scaled to the size of the protocol, with Lanczos as published. */
async function keepFile(episode: Episode<Profile>, file: string, isView: boolean): Promise<MediaRef> {
  const { bytes, read } = await readPicture(file)
  const bitmap = isView ? await resizeBitmap(read, PICTURE_SIZE, PICTURE_SIZE) : read
  const provenance = {
    made: 'file',
    file: basename(file),
    source: sha256(bytes),
    resize: isView ? `lanczos3 ${PICTURE_SIZE}×${PICTURE_SIZE}` : null,
    encoder: encoderName('image/png'),
  }
  const { width, height } = bitmap
  return episode.keep(await encodePng(bitmap), 'image/png', provenance, { width, height })
}

/** What is missing or broken ends the episode that looks at it, not the run. */
async function readPicture(file: string): Promise<{ bytes: Uint8Array; read: Bitmap }> {
  try {
    const bytes = await readFile(file)
    return { bytes, read: await decodeImage(bytes) }
  } catch (error) {
    throw new MissingAssetError(`The picture ${file} cannot be read: ${fileErrorReason(error)}.`, { cause: error })
  }
}
