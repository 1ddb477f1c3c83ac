import { fieldOfView, type Pose, Renderer, type PreparedScene } from '../render/index.ts'
import type { Tour } from './tour.ts'

/** Small pictures are enough to see what is in them. */
const LOOK = { width: 96, height: 72 }
const LOOKS = 48
/** A thing counts from so many pixels of the small picture. */
const LEAST_PIXELS = 8

/** The pose of a tour from which most things are seen; in a mesh that names none, the first one. */
export function bestView(scene: PreparedScene, tour: Tour, fovDegrees = 90): Pose | null {
  const renderer = new Renderer(scene)
  const lens = fieldOfView(fovDegrees, LOOK.width, LOOK.height)
  const step = Math.max(1, Math.floor(tour.frames.length / LOOKS))
  const counts = new Uint32Array(1 << 16)
  let best: Pose | null = tour.frames[0]?.pose ?? null
  let most = 0
  for (let i = 0; i < tour.frames.length; i += step) {
    const { pose } = tour.frames[i]!
    const { ids } = renderer.render({ pose, lens }, { ...LOOK, color: false, ids: true })
    counts.fill(0)
    let seen = 0
    for (const id of ids) if (id !== 0 && ++counts[id]! === LEAST_PIXELS) seen += 1
    if (seen <= most) continue
    most = seen
    best = pose
  }
  return best
}
