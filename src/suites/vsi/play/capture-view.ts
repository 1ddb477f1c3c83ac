/** The agent's view from a pose, stored as an image with its provenance. */
import { type Episode, type MediaRef, QUICK_PNG_NAME, quickPng } from '../../../suite.ts'
import { type Pose, RENDERER, type SeenThing, seenThings, toMatrix } from '../../../world.ts'
import { VIEW } from '../domain/pose.ts'
import { cameraAt, type Stage } from '../domain/scene/stage.ts'

export interface View {
  pose: Pose
  media: MediaRef
}

const SIZE = { width: VIEW.width, height: VIEW.height }

export function renderPixels({ renderer }: Stage, pose: Pose): Uint8Array {
  return renderer.render(cameraAt(pose), SIZE).color
}

/** The visible objects, for baselines that know the scene. */
export function visibleObjects({ renderer }: Stage, pose: Pose): SeenThing[] {
  const { ids } = renderer.render(cameraAt(pose), { ...SIZE, color: false, ids: true })
  return seenThings(ids, VIEW.width)
}

/** Renders and stores a view. `shared` views are the same for all questions of a scene and rendered once. */
export async function captureView(
  stage: Stage,
  episode: Episode,
  pose: Pose,
  { shared = false }: { shared?: boolean } = {},
): Promise<View> {
  const draw = (): Uint8Array => quickPng({ ...SIZE, channels: 3, data: renderPixels(stage, pose) })
  const matrix = toMatrix(pose)
  const png = shared ? await stage.images.getOrCreate(matrix.join(), async () => draw()) : draw()
  const provenance = {
    made: 'render',
    scene: stage.hash,
    pose: matrix,
    focal: VIEW.focal,
    near: VIEW.near,
    renderer: RENDERER,
    encoder: QUICK_PNG_NAME,
  }
  return { pose, media: await episode.keep(png, 'image/png', provenance, SIZE) }
}
