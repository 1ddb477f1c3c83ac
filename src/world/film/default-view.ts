/** The view that shows what a mesh is: from inside for a room, from outside for a thing. */
import { type Bounds, boundsOf, percentileBounds } from '../geometry/bounds.ts'
import type { TriangleMesh } from '../mesh.ts'
import {
  type Camera,
  fieldOfView,
  fromYawPitch,
  type Picture,
  type Pose,
  type PreparedScene,
  Renderer,
  type Vec3,
} from '../render/index.ts'
import { bestView } from './best-view.ts'
import { wholeFrom } from './dollhouse.ts'
import { planTour } from './tour.ts'

type Color = readonly [number, number, number]

export interface DefaultView {
  camera: Camera
  /** A color that the outline of the thing stands out from. */
  background: Color
  inside: boolean
}

interface Size {
  width: number
  height: number
}

/** Sides that a room or a building can have, in meters: wide enough to stand in, not a landscape. */
const ROOM_WIDE = [1.5, 150] as const
const ROOM_HIGH = [1.8, 60] as const
/** From inside one sees walls nearly all around; next to a thing on the ground one sees the sky above it. */
const ENCLOSED = 0.7
/** A hollow shell is enclosed as well, but has nothing in it: less to see by so much than outside. */
const LESS_TO_SEE = 0.4
const ALL_AROUND = [0, 90, 180, 270] as const
const LOOK = { width: 96, height: 72 }

/** From where a thing is looked at, the usual first: before its front, which is +x, or its side; from above; below. */
const DIRECTIONS: readonly Vec3[] = [
  [0.8, -0.5, 0.45],
  [0.35, -0.9, 0.4],
  [-0.8, -0.5, 0.45],
  [0.3, -0.45, 1],
  [0.8, -0.5, -0.45],
]
/** Another direction than the usual one must show so much more. */
const WORTH_TURNING = 1.6

const WHITE: Color = [255, 255, 255]
const BACKGROUNDS: readonly Color[] = [WHITE, [132, 150, 170], [38, 42, 50]]
/** A color that no material has, to tell what is drawn, glass included. */
const NOWHERE: Color = [255, 0, 254]
/** Differences of a channel that an eye sees at an edge, and how much of an outline must have them. */
const CONTRAST = 36
const OUTLINE_SEEN = 0.85

export function defaultView(scene: PreparedScene, mesh: TriangleMesh, size: Size, fovDegrees: number): DefaultView {
  const bounds = framedBounds(mesh.positions)
  const renderer = new Renderer(scene)
  const outside = outsideView(renderer, bounds, size)
  const inside = insideView(scene, mesh, bounds, fovDegrees)
  if (inside && toSee(inside.picture) >= LESS_TO_SEE * toSee(outside.picture)) {
    const lens = fieldOfView(fovDegrees, size.width, size.height)
    return { camera: { pose: inside.pose, lens }, background: WHITE, inside: true }
  }
  return { camera: outside.camera, background: backgroundFor(outside.picture), inside: false }
}

/** Strays of a large scan are left out of the picture; of a small mesh everything is in it. */
const MANY_VERTICES = 10_000
const STRAY_FACTOR = 3

export function framedBounds(positions: Float32Array): Bounds {
  const whole = boundsOf(positions)
  if (positions.length / 3 < MANY_VERTICES) return whole
  const most = percentileBounds(positions, 0.1, 99.9)
  const length = ({ min, max }: Bounds) => Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2])
  return length(whole) > STRAY_FACTOR * length(most) ? most : whole
}

function outsideView(renderer: Renderer, bounds: Bounds, size: Size): { camera: Camera; picture: Picture } {
  const shots = DIRECTIONS.map((direction) => {
    const camera = wholeFrom(direction, bounds, size)
    const lens = wholeFrom(direction, bounds, LOOK)
    const picture = renderer.render(lens, { ...LOOK, background: NOWHERE })
    return { camera, picture, worth: covered(picture) * (0.2 + toSee(picture)) }
  })
  const usual = shots[0]!
  const best = shots.reduce((a, b) => (b.worth > a.worth ? b : a))
  return best.worth > WORTH_TURNING * usual.worth ? best : usual
}

function insideView(
  scene: PreparedScene,
  mesh: TriangleMesh,
  { min, max }: Bounds,
  fovDegrees: number,
): { pose: Pose; picture: Picture } | null {
  const within = (side: number, [least, most]: readonly [number, number]) => side >= least && side <= most
  if (!within(max[0] - min[0], ROOM_WIDE) || !within(max[1] - min[1], ROOM_WIDE)) return null
  if (!within(max[2] - min[2], ROOM_HIGH)) return null
  const tour = planTour(mesh)
  if (tour.stops.length === 0) return null
  const pose = bestView(scene, tour, fovDegrees)
  if (!pose) return null
  const renderer = new Renderer(scene)
  const around = ALL_AROUND.map((yaw) => {
    const camera = { pose: fromYawPitch(pose.position, yaw), lens: fieldOfView(90, LOOK.height, LOOK.height) }
    return covered(renderer.render(camera, { width: LOOK.height, height: LOOK.height, background: NOWHERE }))
  })
  if (around.reduce((sum, share) => sum + share, 0) / around.length < ENCLOSED) return null
  const lens = fieldOfView(fovDegrees, LOOK.width, LOOK.height)
  return { pose, picture: renderer.render({ pose, lens }, { ...LOOK, background: NOWHERE }) }
}

function isNowhere({ color }: Picture, pixel: number): boolean {
  return NOWHERE.every((value, k) => color[pixel * 3 + k] === value)
}

/** The share of a picture in which something is drawn. */
function covered(picture: Picture): number {
  const count = picture.width * picture.height
  let drawn = 0
  for (let pixel = 0; pixel < count; pixel++) if (!isNowhere(picture, pixel)) drawn++
  return drawn / count
}

/** The share of a picture in which the color changes from one pixel to the next: edges, patterns, outlines. */
function toSee({ color, width, height }: Picture): number {
  let changes = 0
  for (let y = 0; y + 1 < height; y++) {
    for (let x = 0; x + 1 < width; x++) {
      const at = (y * width + x) * 3
      const differs = (other: number) =>
        Math.max(...[0, 1, 2].map((k) => Math.abs(color[at + k]! - color[other + k]!))) >= 12
      if (differs(at + 3) || differs(at + width * 3)) changes++
    }
  }
  return changes / (width * height)
}

/** White, or the first other color that nearly all of the outline differs from. */
function backgroundFor(picture: Picture): Color {
  const { width, height, color } = picture
  const outline: number[] = []
  for (let y = 1; y + 1 < height; y++) {
    for (let x = 1; x + 1 < width; x++) {
      const pixel = y * width + x
      const atEdge = [pixel - 1, pixel + 1, pixel - width, pixel + width].some((next) => isNowhere(picture, next))
      if (!isNowhere(picture, pixel) && atEdge) outline.push(pixel)
    }
  }
  const seenOn = (background: Color): number =>
    outline.filter((pixel) => background.some((value, k) => Math.abs(value - color[pixel * 3 + k]!) >= CONTRAST))
      .length / outline.length
  if (outline.length === 0) return WHITE
  const shares = BACKGROUNDS.map(seenOn)
  const enough = shares.findIndex((share) => share >= OUTLINE_SEEN)
  return BACKGROUNDS[enough === -1 ? shares.indexOf(Math.max(...shares)) : enough]!
}
