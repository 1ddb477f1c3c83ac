/** The view that shows what a mesh is: from inside for a room, from outside for a thing. */
import { type Bounds, boundsOf, percentileBounds } from '../geometry/bounds.ts'
import { freeSpace } from '../geometry/free-space.ts'
import { cellCenter } from '../geometry/grid.ts'
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
import { chooseViewpoints } from './viewpoints.ts'

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
/** Some writers do not care which way their triangles run, and furniture is open at its back. */
const FRONTS = 0.75
/** A hollow shell is enclosed as well, but has nothing in it: less to see by so much than outside. */
const LESS_TO_SEE = 0.5
const LEAST_TO_SEE = 0.08
const ALL_AROUND = [0, 90, 180, 270] as const
const LOOK = { width: 96, height: 72 }

/** From where a thing is looked at, the usual first: before its front, which is +x, or its side; from above; below; straight. */
const DIRECTIONS: readonly Vec3[] = [
  [0.8, -0.5, 0.45],
  [0.35, -0.9, 0.4],
  [-0.8, -0.5, 0.45],
  [0.8, 0.5, 0.45],
  [0.3, -0.45, 1],
  [0.8, -0.5, -0.45],
  [1, -0.1, 0.15],
  [0.1, -1, 0.15],
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
  const inside = insideView(renderer, mesh, bounds, fovDegrees)
  const enough = Math.max(LEAST_TO_SEE, LESS_TO_SEE * toSee(outside.picture))
  if (inside && toSee(inside.picture) >= enough) {
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

/** Finer would only take longer: places to look from are far apart. */
const GRID_CELLS = 400
const CELL_METERS = 0.05
/** A person in a large hall looks farther. */
const SIGHT_PART = 1 / 8
const SIGHT_METERS = 2.5
/** One good place is wanted, not all there is to see. */
const COVERAGE = 0.6
const MOST_STOPS = 12
const EYE_METERS = 1.5
const PITCH_DEGREES = -10
const YAWS = [0, 45, 90, 135, 180, 225, 270, 315] as const

/** The best of the places in a room where a person could stand; null where there is no room. */
function insideView(
  renderer: Renderer,
  mesh: TriangleMesh,
  { min, max }: Bounds,
  fovDegrees: number,
): { pose: Pose; picture: Picture } | null {
  const within = (side: number, [least, most]: readonly [number, number]) => side >= least && side <= most
  const [wide, deep] = [max[0] - min[0], max[1] - min[1]]
  if (!within(wide, ROOM_WIDE) || !within(deep, ROOM_WIDE) || !within(max[2] - min[2], ROOM_HIGH)) return null
  const longest = Math.max(wide, deep)
  const space = freeSpace(mesh, { cell: Math.max(CELL_METERS, longest / GRID_CELLS) })
  const { cells } = chooseViewpoints(mesh, space, {
    sightMeters: Math.max(SIGHT_METERS, longest * SIGHT_PART),
    coverage: COVERAGE,
  })
  const poses = cells.slice(0, MOST_STOPS).flatMap((cell) => {
    const [x, y] = cellCenter(space.grid, cell)
    const eye: Vec3 = [x, y, space.floor + EYE_METERS]
    return isIndoors(renderer, eye) ? YAWS.map((yaw) => fromYawPitch(eye, yaw, PITCH_DEGREES)) : []
  })
  const pose = bestView(renderer.scene, poses, fovDegrees)
  if (!pose) return null
  const lens = fieldOfView(fovDegrees, LOOK.width, LOOK.height)
  return { pose, picture: renderer.render({ pose, lens }, { ...LOOK, background: NOWHERE }) }
}

/** Whether walls are all around that show their front: inside of a solid thing one sees the backs of its surface. */
function isIndoors(renderer: Renderer, eye: Vec3): boolean {
  const size = { width: LOOK.height, height: LOOK.height, background: NOWHERE }
  let all = 0
  let fronts = 0
  for (const yaw of ALL_AROUND) {
    const camera = { pose: fromYawPitch(eye, yaw), lens: fieldOfView(90, size.width, size.height) }
    all += covered(renderer.render(camera, size)) / ALL_AROUND.length
    fronts += covered(renderer.render(camera, { ...size, hideBackFaces: true })) / ALL_AROUND.length
  }
  return all >= ENCLOSED && fronts >= FRONTS * all
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
