/** What pictures show of an object: which camera sees a motion, and which parts are seen at all. */
import {
  type Camera,
  type Frame,
  isMovable,
  joinMeshes,
  type ObjectMesh,
  prepareScene,
  Renderer,
  type Robot,
} from '../../../../world.ts'
import { type Box, centerOf, sizeOf, union } from '../../domain/assembly/box.ts'
import { type ArticulatedModel, trueRobot } from '../../domain/objects/model.ts'
import { partBoxes, partFrames, partOfLink, rangeOf, reachedBox } from '../../domain/objects/pose.ts'
import { cameraFor, type PictureSize, type ViewName } from './cameras.ts'
import { type Look as DrawnLook, PLAIN_LOOK } from './look.ts'
import type { PartFrames } from './stage.ts'

/** How a motion is shown, and how much of the picture it changes. Plain JSON. */
export interface MotionView {
  view: ViewName
  /** From near by: the part and where it goes fill the picture. */
  isClose: boolean
  /** Share of pixels that differ between rest and some other moment; 0 if an end of the motion does not show the part. */
  changed: number
}

/** Small pictures tell as much: a motion of a few pixels is not seen either way. */
const SIZE: PictureSize = { width: 160, height: 120 }
/** Above this share a motion is shown with the whole object. */
const PLAIN = 0.012
/** Below this share nobody sees a motion. */
const LEAST = 0.003
/** Fewer pixels of a part are not seen for one. */
const FEWEST_PIXELS = 4
const CLOSE_VIEWS: readonly ViewName[] = ['front', 'left', 'top']
/** How much of its surroundings a close-up shows. */
const MARGIN = 1.5

export function isSeen({ changed }: MotionView): boolean {
  return changed >= LEAST
}

/** The whole object from the front, as published. */
export const WHOLE: MotionView = { view: 'front', isClose: false, changed: 1 }

/** The camera that shows a part's true motion: that of the whole object if it can be seen from there. */
export function motionView(model: ArticulatedModel, part: string): MotionView {
  const robot = trueRobot(model)
  const poses = posesOf(robot, part)
  const renderers = poses.map((pose) => plainRenderer(model, pose))
  const number = model.parts.findIndex(({ name }) => name === part) + 1
  const showsPart = ({ ids }: Look): boolean => ids.filter((id) => id === number).length >= FEWEST_PIXELS
  const seen = (view: Omit<MotionView, 'changed'>): MotionView => {
    const camera = motionCamera(model, robot, part, view, SIZE)
    const looks = renderers.map((renderer) => look(renderer, camera))
    const [rest, ...others] = looks
    // How far a part goes is not seen where it goes out of sight.
    if (!showsPart(rest!) || !showsPart(looks.at(-1)!)) return { ...view, changed: 0 }
    return { ...view, changed: Math.max(0, ...others.map((other) => differing(rest!, other))) }
  }
  const whole = seen(WHOLE)
  if (whole.changed >= PLAIN) return whole
  return CLOSE_VIEWS.map((view) => seen({ view, isClose: true })).reduce(
    // From the front, unless another side shows clearly more.
    (best, other) => (other.changed > 1.5 * best.changed ? other : best),
  )
}

export function motionCamera(
  model: ArticulatedModel,
  robot: Robot,
  part: string,
  { view, isClose }: Pick<MotionView, 'view' | 'isClose'>,
  size: PictureSize,
  look = PLAIN_LOOK,
): Camera {
  if (!isClose) return cameraFor(view, reachedBox(model, robot), size, look)
  const boxes = posesOf(robot, part).flatMap((pose) => partBoxes(model, pose).get(part) ?? [])
  return cameraFor(view, grown(boxes.reduce(union)), size, look)
}

/**
 * The parts that can be seen in stills of the object at rest.
 *
 * @param original what the camera is aimed at: the model itself unless it is compared with another one
 */
export function seenParts(
  model: ArticulatedModel,
  views: readonly ViewName[],
  { original = model, look: drawn = PLAIN_LOOK }: { original?: ArticulatedModel; look?: DrawnLook } = {},
): Set<string> {
  const robot = trueRobot(model)
  const box = reachedBox(original, trueRobot(original))
  const renderer = plainRenderer(model, partFrames(robot))
  const counts = new Map<number, number>()
  for (const view of views) {
    const { ids } = look(renderer, cameraFor(view, box, SIZE, drawn))
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return new Set(model.parts.flatMap(({ name }, i) => ((counts.get(i + 1) ?? 0) >= FEWEST_PIXELS ? [name] : [])))
}

/** One end, the middle and the other end of a part's motion; at rest where nothing moves it. */
function posesOf(robot: Robot, part: string): Map<string, Frame>[] {
  const joint = robot.joints.find((each) => isMovable(each) && partOfLink(robot, each.child) === part)
  if (!joint) return [partFrames(robot)]
  const [lower, upper] = rangeOf(joint)
  return [0, 0.5, 1].map((t) => partFrames(robot, { [joint.name]: lower + (upper - lower) * t }))
}

/**
 * The object without light: what moves is seen by shape, color and outline. Panes are looked through; a part that is all of
 * glass is seen for itself.
 */
export function plainRenderer(model: ArticulatedModel, frames: PartFrames): Renderer {
  const placed = model.parts.flatMap(({ name, mesh }, i) => {
    const frame = frames.get(name)
    return frame ? [{ mesh: isGlass(mesh) ? solid(mesh) : mesh, frame, instance: i + 1 }] : []
  })
  return new Renderer(prepareScene(joinMeshes(placed), { keepTriangleNumbers: true }))
}

function isGlass({ materials }: ObjectMesh): boolean {
  return materials.length > 0 && materials.every(({ opacity = 1 }) => opacity < 1)
}

function solid(mesh: ObjectMesh): ObjectMesh {
  return { ...mesh, materials: mesh.materials.map((material) => ({ ...material, opacity: 1 })) }
}

type Look = ReturnType<typeof look>

function look(renderer: Renderer, camera: Camera) {
  const { color, depth, ids } = renderer.render(camera, { ...SIZE, depth: true, ids: true })
  return { color, depth, ids }
}

/** Of 255. */
const COLOR_STEP = 12
/** Of the distance. */
const DEPTH_STEP = 0.012

function differing(a: Look, b: Look): number {
  let count = 0
  for (let i = 0; i < a.ids.length; i++) {
    const isOther =
      a.ids[i] !== b.ids[i] ||
      Math.abs(a.depth[i]! - b.depth[i]!) > DEPTH_STEP * a.depth[i]! ||
      [0, 1, 2].some((k) => Math.abs(a.color[i * 3 + k]! - b.color[i * 3 + k]!) > COLOR_STEP)
    if (isOther) count += 1
  }
  return count / a.ids.length
}

function grown(box: Box): Box {
  const center = centerOf(box)
  const half = sizeOf(box).map((side) => (side / 2) * MARGIN)
  const at = (sign: number): [number, number, number] => [
    center[0] + sign * half[0]!,
    center[1] + sign * half[1]!,
    center[2] + sign * half[2]!,
  ]
  return { min: at(-1), max: at(1) }
}
