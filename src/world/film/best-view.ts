import { fieldOfView, type Pose, Renderer, type PreparedScene } from '../render/index.ts'

/** Small pictures are enough to see what is in them. */
const LOOK = { width: 96, height: 72 }
const LOOKS = 48
/** A thing counts from so many pixels of the small picture. */
const MIN_PIXELS = 8
/** Beyond a room's length, more distance does not show more: it is a hole in the scan. */
const FAR_METERS = 8

/** The pose from which most things are seen; in a mesh that names none, from which one sees farthest. */
export function bestView(scene: PreparedScene, poses: readonly Pose[], fovDegrees = 90): Pose | null {
  const renderer = new Renderer(scene)
  const lens = fieldOfView(fovDegrees, LOOK.width, LOOK.height)
  const step = Math.max(1, Math.floor(poses.length / LOOKS))
  const counts = new Uint32Array(1 << 16)
  let best: Pose | null = null
  let most = 0
  let overview: Pose | null = poses[0] ?? null
  let farthest = 0
  for (let i = 0; i < poses.length; i += step) {
    const pose = poses[i]!
    const { ids, depth } = renderer.render({ pose, lens }, { ...LOOK, color: false, ids: true, depth: true })
    counts.fill(0)
    let seen = 0
    for (const id of ids) if (id !== 0 && ++counts[id]! === MIN_PIXELS) seen += 1
    if (seen > most) {
      most = seen
      best = pose
    }
    const far = depth.reduce((sum, meters) => sum + Math.min(meters, FAR_METERS), 0)
    if (far > farthest) {
      farthest = far
      overview = pose
    }
  }
  return best ?? overview
}
