/** Pictures of grid scenes: what an Observe shows, and the same as depth and ids. */
import { type Bitmap, encodePng, encoderName } from '../../../media/image.ts'
import type { Provenance } from '../../../media/ref.ts'
import { prepareScene, Renderer } from '../../../world/render/index.ts'
import { sceneId } from '../grid/scene-json.ts'
import type { Pose, Scene } from '../grid/scene.ts'
import { entitiesOf } from '../grid/view.ts'
import type { Profile } from '../profile.ts'
import { buildGridMesh } from './build.ts'
import { CAMERA_HEIGHT, cameraAt, FIELD_OF_VIEW, NEAR, PICTURE_SIZE } from './camera.ts'
import type { Label, Sight } from './sight.ts'
import { appearanceKey, shownObject } from './shown.ts'
import { hiddenIn } from './visible.ts'

/** Raised whenever the same scene and pose give another picture. */
export const PICTURES_VERSION = 1
/** Deflate level: half the time of the usual 6 for files that are a few per cent larger. */
export const PNG_LEVEL = 3

const SIZE = { width: PICTURE_SIZE, height: PICTURE_SIZE }
/** A scene is drawn as often as somebody looks; it is built once and forgotten with its case. */
const renderers = new WeakMap<Scene, Renderer>()

export function rendererOf(scene: Scene): Renderer {
  let renderer = renderers.get(scene)
  if (renderer === undefined) renderers.set(scene, (renderer = new Renderer(prepareScene(buildGridMesh(scene)))))
  return renderer
}

export interface ViewPicture {
  bitmap: Bitmap
  ids: Uint16Array
}

export function drawView(scene: Scene, pose: Pose, profile: Profile): ViewPicture {
  const camera = cameraAt(pose, profile)
  const { color, ids } = rendererOf(scene).render(camera, { ...SIZE, ids: true })
  return { bitmap: { ...SIZE, channels: 3, data: color }, ids }
}

/** The view as depth and ids. */
export function sightOf(scene: Scene, pose: Pose, profile: Profile, renderer = rendererOf(scene)): Sight {
  const camera = cameraAt(pose, profile)
  const { depth, ids } = renderer.render(camera, { ...SIZE, color: false, depth: true, ids: true })
  return {
    ...SIZE,
    depth,
    ids,
    labels: labelsOf(scene),
    focal: camera.lens.fx,
    cameraHeight: CAMERA_HEIGHT,
    near: NEAR,
  }
}

const labels = new WeakMap<Scene, readonly Label[]>()

function labelsOf(scene: Scene): readonly Label[] {
  let known = labels.get(scene)
  if (known === undefined) {
    const appearance = appearanceKey(scene)
    known = entitiesOf(scene).map((entity): Label => ({
      name: entity.name,
      kind: entity.kind,
      shape: entity.kind === 'object' && entity.oriented ? shownObject(entity, appearance) : null,
    }))
    labels.set(scene, known)
  }
  return known
}

export interface EncodedView {
  png: Uint8Array<ArrayBuffer>
  provenance: Provenance
  hidden: string[]
}

export async function encodeView(
  scene: Scene,
  pose: Pose,
  profile: Profile,
  visible: Parameters<typeof hiddenIn>[1],
): Promise<EncodedView> {
  const { bitmap, ids } = drawView(scene, pose, profile)
  return {
    png: await encodePng(bitmap, { level: PNG_LEVEL }),
    provenance: {
      made: 'render',
      what: 'view',
      scene: sceneId(scene),
      cell: pose.pos,
      heading: pose.heading,
      cameraHeight: CAMERA_HEIGHT,
      fieldOfView: FIELD_OF_VIEW[profile],
      near: NEAR,
      renderer: `sightline space/vision ${PICTURES_VERSION}`,
      encoder: encoderName('image/png', PNG_LEVEL),
    },
    hidden: hiddenIn(scene, visible, ids),
  }
}
