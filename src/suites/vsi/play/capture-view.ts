/** The agent's view from a pose, stored as an image with its provenance. */
import { type Episode, type MediaRef, QUICK_PNG_NAME, quickPng } from '../../../suite.ts'
import { type Pose, RENDERER, toMatrix } from '../../../world.ts'
import { cameraAt, type CameraSettings } from '../domain/camera.ts'
import type { Stage } from '../domain/scene/stage.ts'

export interface View {
  pose: Pose
  media: MediaRef
}

/** What `use` makes of a view's colors, which hold until the next one is drawn. */
export function withPixels<T>(
  { renderer }: Stage,
  settings: CameraSettings,
  pose: Pose,
  use: (rgb: Uint8Array) => T,
): T {
  const { width, height } = settings
  return renderer.renderColor(cameraAt(settings, pose), { width, height }, use)
}

/** Renders and stores a view. `shared` views are the same for all questions of a scene and rendered once. */
export async function captureView(
  stage: Stage,
  episode: Episode,
  settings: CameraSettings,
  pose: Pose,
  { shared = false }: { shared?: boolean } = {},
): Promise<View> {
  const { width, height, focal, near } = settings
  const draw = (): Uint8Array =>
    withPixels(stage, settings, pose, (data) => quickPng({ width, height, channels: 3, data }))
  const matrix = toMatrix(pose)
  const key = [width, height, focal, ...matrix].join()
  const png = shared ? await stage.images.getOrCreate(key, async () => draw()) : draw()
  const provenance = {
    made: 'render',
    scene: stage.hash,
    pose: matrix,
    focal,
    near,
    renderer: RENDERER,
    encoder: QUICK_PNG_NAME,
  }
  return { pose, media: await episode.keep(png, 'image/png', provenance, { width, height }) }
}
