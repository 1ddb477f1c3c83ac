/** The built-in renderer: renders observations on demand. */
import { encoderName, QUICK_PNG_NAME } from '../../../../suite.ts'
import type { ObservationRenderer, OpenRenderer } from '../renderer.ts'
import { sceneId } from '../../domain/grid/scene-json.ts'
import { FIELD_OF_VIEW, IMAGE_SIZE } from '../../domain/vision/camera.ts'
import { fogImage, MAP_SIZE } from './fog-image.ts'
import { calibrationImage, contactSheet } from './instructions.ts'
import { encodeView, IMAGES_VERSION, depthIdFrame } from '../../domain/vision/images.ts'

const RENDERER = `sightline space/vision ${IMAGES_VERSION}`

export const openSceneRenderer: OpenRenderer = (sample, episode): ObservationRenderer => {
  const { profile } = episode
  const square = { width: IMAGE_SIZE[profile], height: IMAGE_SIZE[profile] }
  const provenanceBase = { made: 'render', renderer: RENDERER, encoder: encoderName('image/png') }
  return {
    async instructions() {
      const view = calibrationImage(profile)
      const sheet = await contactSheet(sample.scene, (done, total) =>
        episode.progress('Rendering objects', done, total),
      )
      return [
        await episode.keep(
          view,
          'image/png',
          { ...provenanceBase, encoder: QUICK_PNG_NAME, what: 'calibration', fieldOfView: FIELD_OF_VIEW[profile] },
          square,
        ),
        await episode.keep(sheet, 'image/png', { ...provenanceBase, what: 'objects', scene: sceneId(sample.scene) }),
      ]
    },
    async observe({ pose, visible }, scene) {
      episode.progress('Rendering the view', 0, 1)
      const { png, provenance, hidden } = encodeView(scene, pose, profile, visible)
      return {
        image: await episode.keep(png, 'image/png', provenance, square),
        frame: () => depthIdFrame(scene, pose, profile),
        hidden,
      }
    },
    async fog(probe, scene, pose) {
      const png = await fogImage(probe, scene, pose)
      const provenance = {
        ...provenanceBase,
        what: 'fog',
        scene: sceneId(scene),
        cell: pose.pos,
        candidates: probe.candidates.flat(),
      }
      return episode.keep(png, 'image/png', provenance, { width: MAP_SIZE, height: MAP_SIZE })
    },
  }
}
