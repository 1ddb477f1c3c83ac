/** Chooses the views that best show the objects of a question. */
import { optionText, type VsiSample } from '../../src/suites/vsi/samples/sample.ts'
import type { BuiltScene } from '../../src/suites/vsi/domain/scene/built.ts'
import { cameraAt, cameraFor } from '../../src/suites/vsi/domain/camera.ts'
import { startOf } from '../../src/suites/vsi/domain/pose.ts'
import type { Stage } from '../../src/suites/vsi/domain/scene/stage.ts'
import { cellAt, cellCenter, type SeenThing, seenThings } from '../../src/world/geometry/index.ts'
import type { SceneObject } from '../../src/world/mesh.ts'
import { type Camera, fromYawPitch, type Pose } from '../../src/world/render/index.ts'

const VIEW = cameraFor({ kind: 'builtin' })

export interface View {
  camera: Camera
  caption: string
  /** The visible named objects, with their boxes in a 640 × 480 image. */
  seen: readonly SeenThing[]
}

/** Pixels of a video frame from which an object counts as seen. */
const SEEN_PIXELS = VIEW.width * VIEW.height * 0.002
/** Meters between candidate positions. */
const APART = 0.4
/** A single object is viewed from closer positions, also in small rooms. */
const APART_ALONE = 0.15
const NEAR_ALONE = 3.5
/** Maximum distance of a candidate from a named object, in meters. */
const NEAR = 4
/** Degrees between candidate directions. */
const TURN = 30
/** Candidates are rated on images scaled down by this factor. */
const SMALL = 4
/** Pixels of a small image from which an object is well visible, and above which it is too close. */
const WELL = 150
const TOO_NEAR = 5000
const MAX_VIEWS = 4

export function namedInstances({ things }: VsiSample, { objects }: Stage): ReadonlySet<number> {
  const named = new Set((things ?? []).map(({ category }) => category))
  return new Set(objects.filter(({ category }) => named.has(category)).map(({ instance }) => instance))
}

function lookFrom(stage: Stage, camera: Camera, named: ReadonlySet<number>): SeenThing[] {
  const { width, height } = VIEW
  const { ids } = stage.renderer.render(camera, { width, height, color: false, ids: true })
  return seenThings(ids, width).filter(({ instance }) => named.has(instance))
}

/** For appearance order: the frames in which each category is first seen. */
export function firstAppearances(sample: VsiSample, stage: Stage, built: BuiltScene): View[] {
  const named = namedInstances(sample, stage)
  const order = optionText(sample.options![sample.truth.charCodeAt(0) - 65]!).split(', ')
  const views: View[] = []
  const frames = built.tour(VIEW).frames
  for (let i = 0; i < frames.length && views.length < order.length; i += 1) {
    const camera = cameraAt(VIEW, frames[i]!.pose)
    const seen = lookFrom(stage, camera, named).filter(({ pixels }) => pixels >= SEEN_PIXELS)
    const next = order[views.length]!
    const there = seen.some(({ instance }) => categoryOf(stage, instance) === next)
    if (there) views.push({ camera, seen, caption: `${frames[i]!.time.toFixed(1)} s: ${next}` })
  }
  return views
}

export function categoryOf({ objects }: Stage, instance: number): string {
  return objects.find((object) => object.instance === instance)?.category ?? ''
}

/** The view that shows the named objects best, then views that add to it. */
export function bestViews(sample: VsiSample, stage: Stage): View[] {
  const named = namedInstances(sample, stage)
  const things = stage.objects.filter(({ instance }) => named.has(instance))
  const all = candidates(stage, things).map((pose) => ({ pose, shown: shownIn(stage, pose, named) }))
  const chosen: Pose[] = []
  const best = new Map<number, number>()
  while (chosen.length < MAX_VIEWS) {
    const gain = ({ shown }: (typeof all)[number]): number =>
      [...shown].reduce((sum, [instance, share]) => sum + Math.max(0, share - (best.get(instance) ?? 0)), 0)
    const next = all.reduce((a, b) => (gain(b) > gain(a) ? b : a))
    if (chosen.length > 0 && gain(next) < 0.35) break
    chosen.push(next.pose)
    for (const [instance, share] of next.shown) best.set(instance, Math.max(share, best.get(instance) ?? 0))
  }
  return chosen.map((pose, i) => ({
    camera: cameraAt(VIEW, pose),
    seen: lookFrom(stage, cameraAt(VIEW, pose), named).filter(({ pixels }) => pixels > 40),
    caption: `view ${i}`,
  }))
}

/** Poses all over the free floor, in all directions. */
function candidates(stage: Stage, things: readonly SceneObject[]): Pose[] {
  const poses: Pose[] = []
  const { space } = stage
  const eye = startOf(stage, VIEW)[2]
  const alone = things.length === 1
  const [step, near] = alone ? [APART_ALONE, NEAR_ALONE] : [APART, NEAR]
  const { x0, y0, columns, rows, cell } = space.grid
  for (let x = x0; x < x0 + columns * cell; x += step) {
    for (let y = y0; y < y0 + rows * cell; y += step) {
      const at = cellAt(space.grid, x, y)
      if (at === -1 || space.walkable[at] === 0) continue
      const [cx, cy] = cellCenter(space.grid, at)
      const far = ({ box }: SceneObject): boolean => Math.hypot(box.center[0] - cx, box.center[1] - cy) > near
      if (things.length > 0 && things.every(far)) continue
      for (let yaw = 0; yaw < 360; yaw += TURN) poses.push(fromYawPitch([cx, cy, eye], yaw, VIEW.pitchDegrees))
    }
  }
  return poses
}

/** How well each named object is visible, 0…1; or how much of the room is, if no objects are named. */
function shownIn(stage: Stage, pose: Pose, named: ReadonlySet<number>): Map<number, number> {
  const [width, height] = [VIEW.width / SMALL, VIEW.height / SMALL]
  const camera = cameraAt(VIEW, pose, 1 / SMALL)
  const { ids, depth } = stage.renderer.render(camera, { width, height, color: false, ids: true, depth: true })
  if (named.size === 0) {
    // The mean depth rates how much of the room is visible.
    const far = depth.reduce((sum, value) => sum + Math.min(value, 6), 0) / depth.length
    return new Map([[0, far / 6]])
  }
  const shown = new Map<number, number>()
  for (const { instance, pixels, cutByEdge } of seenThings(ids, width)) {
    if (!named.has(instance)) continue
    const share = Math.sqrt(Math.min(1, pixels / WELL)) * (cutByEdge ? 0.2 : 1) * (pixels > TOO_NEAR ? 0.3 : 1)
    if (share > 0.1) shown.set(instance, share)
  }
  return shown
}
