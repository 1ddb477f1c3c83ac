/** Renders views of grid scenes, in color or as depth and ids. */
import { type Bitmap, memoized, type Provenance, QUICK_PNG_NAME, quickPng } from '../../../../suite.ts'
import { type Camera, pixelCounts, prepareScene, Renderer } from '../../../../world.ts'
import { sceneId } from '../grid/scene-json.ts'
import type { Entity, Pose, Scene } from '../grid/scene.ts'
import { entitiesOf } from '../grid/view.ts'
import type { Profile } from '../profile.ts'
import { buildGridMesh, instanceId } from './build.ts'
import { CAMERA_HEIGHT, cameraAt, FIELD_OF_VIEW, NEAR, IMAGE_SIZE } from './camera.ts'
import { type DepthIdFrame, MIN_PIXELS, type Label } from './depth-id-frame.ts'
import { appearanceKey, displayedObject } from './displayed-object.ts'
import { SKY } from './shell.ts'

/** Increased whenever the same scene and pose give a different image. */
export const IMAGES_VERSION = 4

/** Each scene is built once and released with its sample. */
const rendererOf = memoized((scene: Scene) => new Renderer(prepareScene(buildGridMesh(scene))))

/** Pixels around an object that are antialiased with it. */
const BORDER = 2

export function renderView(scene: Scene, pose: Pose, profile: Profile): { bitmap: Bitmap; ids: Uint16Array } {
  const camera = cameraAt(pose, profile)
  const renderer = rendererOf(scene)
  const size = IMAGE_SIZE[profile]
  const { color, ids } = renderer.render(camera, { width: size, height: size, ids: true, background: SKY })
  smoothObjects(renderer, camera, color, ids, size)
  return { bitmap: { width: size, height: size, channels: 3, data: color }, ids }
}

/**
 * Renders objects and doors again, with four samples per pixel: jagged edges make them hard to recognize. Antialiasing
 * the whole image would take three times as long.
 */
function smoothObjects(renderer: Renderer, camera: Camera, color: Uint8Array, ids: Uint16Array, size: number): void {
  for (const box of boxesOf(ids, size).values()) {
    const left = Math.max(0, box.left - BORDER)
    const top = Math.max(0, box.top - BORDER)
    const width = Math.min(size, box.right + BORDER + 1) - left
    const height = Math.min(size, box.bottom + BORDER + 1) - top
    const { lens } = camera
    const part = { ...camera, lens: { ...lens, cx: lens.cx - left, cy: lens.cy - top } }
    const smooth = renderer.render(part, { width, height, antialias: true, background: SKY }).color
    for (let row = 0; row < height; row++) {
      const at = ((top + row) * size + left) * 3
      color.set(smooth.subarray(row * width * 3, (row + 1) * width * 3), at)
    }
  }
}

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

function boxesOf(ids: Uint16Array, size: number): Map<number, Box> {
  const boxes = new Map<number, Box>()
  let box: Box | undefined
  let last = 0
  for (let y = 0, i = 0; y < size; y++) {
    for (let x = 0; x < size; x++, i++) {
      const id = ids[i]!
      if (id === 0) continue
      if (id !== last || box === undefined) {
        last = id
        box = boxes.get(id)
        if (box === undefined) boxes.set(id, (box = { left: x, top: y, right: x, bottom: y }))
      }
      if (x < box.left) box.left = x
      if (x > box.right) box.right = x
      box.bottom = y
    }
  }
  return boxes
}

export function depthIdFrame(scene: Scene, pose: Pose, profile: Profile, renderer = rendererOf(scene)): DepthIdFrame {
  const camera = cameraAt(pose, profile)
  const size = { width: IMAGE_SIZE[profile], height: IMAGE_SIZE[profile] }
  const { depth, ids } = renderer.render(camera, { ...size, color: false, depth: true, ids: true })
  return {
    ...size,
    depth,
    ids,
    labels: labelsOf(scene),
    focal: camera.lens.fx,
    cameraHeight: CAMERA_HEIGHT,
    near: NEAR,
  }
}

const labelsOf = memoized((scene: Scene): readonly Label[] => {
  const appearance = appearanceKey(scene)
  return entitiesOf(scene).map((entity) => ({
    name: entity.name,
    kind: entity.kind,
    shape: entity.kind === 'object' && entity.oriented ? displayedObject(entity, appearance) : null,
  }))
})

export function encodeView(scene: Scene, pose: Pose, profile: Profile, visible: readonly Entity[]) {
  const { bitmap, ids } = renderView(scene, pose, profile)
  const provenance: Provenance = {
    made: 'render',
    what: 'view',
    scene: sceneId(scene),
    cell: pose.pos,
    heading: pose.heading,
    cameraHeight: CAMERA_HEIGHT,
    fieldOfView: FIELD_OF_VIEW[profile],
    near: NEAR,
    renderer: `sightline space/vision ${IMAGES_VERSION}`,
    encoder: QUICK_PNG_NAME,
  }
  return { png: quickPng(bitmap), provenance, hidden: hiddenNames(scene, visible, ids) }
}

/** Names of visible entities with too few pixels in the image. */
function hiddenNames(scene: Scene, visible: readonly Entity[], ids: Uint16Array): string[] {
  const counts = pixelCounts(ids, scene.order.length)
  return visible.filter(({ name }) => counts[instanceId(scene, name)]! < MIN_PIXELS).map(({ name }) => name)
}
