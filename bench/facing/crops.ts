/** Parts of the images of space/vision that show one object, as colors alone. */
import type { Random } from '../../src/base/random.ts'
import { aheadOf, rightOf } from '../../src/suites/space/domain/grid/relations.ts'
import { type GridObject, HEADINGS, type Pose, type Scene, type Vec } from '../../src/suites/space/domain/grid/scene.ts'
import { cellsOfRoom, isVisible, roomIds } from '../../src/suites/space/domain/grid/view.ts'
import { buildGridMesh } from '../../src/suites/space/domain/vision/build.ts'
import { cameraAt, CAMERA_HEIGHT, IMAGE_SIZE } from '../../src/suites/space/domain/vision/camera.ts'
import { SKY } from '../../src/suites/space/domain/vision/shell.ts'
import { type Camera, prepareScene, Renderer } from '../../src/world/render/index.ts'
import type { Example } from './classifier.ts'

const PROFILE = 'fixed'
const SIZE = IMAGE_SIZE[PROFILE]

export interface Sighting {
  object: string
  /** From the viewer, in meters. */
  distance: number
  /** Which way the object faces: 0 as the viewer, then clockwise. */
  facing: Example
  /** Cells ahead, from 0. With the bearing, this is its distance. */
  ahead: Example
  /** The distance of an object at this bearing that is so many cells ahead. */
  distanceAt: (ahead: number) => number
}

/** Meters around the object, at its own distance, that the crop for its facing shows. */
const WINDOW = { across: 1.5, below: 0.1, above: 1.4 }
const WINDOW_CELLS = 20
/** Pixels of the strip for its distance: a column around its bearing, from above the horizon down to the nearest cell. */
const STRIP = { across: 64, above: 20, below: 108 }
const STRIP_CELLS = { across: 8, down: 64 }
/** Whatever is nearer to the line of sight than this, in meters, may cover the object. */
const COVERS = 0.8

/** Questions of the published settings ask about nothing farther away, in meters. */
const FARTHEST = 8
/** There are few views from across a room: more of them are taken. */
const FAR = 5.5

/**
 * Every object with a front, seen from cells of its room and from its doors. At most `most` sightings of each object and
 * distance in meters, at random. Objects behind another one are left out: this is not about occlusion.
 */
export function sightingsOf(scene: Scene, random: Random, most: number): Sighting[] {
  const renderer = new Renderer(prepareScene(buildGridMesh(scene)))
  const taken = new Map<string, number>()
  return random.shuffle(viewsOf(scene)).flatMap(({ pose, object }) => {
    const distance = Math.sqrt(squareDistance(pose.pos, object.pos))
    const key = `${object.name} ${Math.round(distance)}`
    const count = taken.get(key) ?? 0
    if (count >= (distance > FAR ? 3 * most : most)) return []
    taken.set(key, count + 1)
    return [sighting(renderer, pose, object, distance)]
  })
}

function viewsOf(scene: Scene): { pose: Pose; object: GridObject }[] {
  const free = (cell: Vec): boolean => !scene.objects.some(({ pos }) => squareDistance(pos, cell) === 0)
  const places = [
    ...roomIds(scene).flatMap((room) => cellsOfRoom(scene, room).map((pos) => ({ pos, rooms: [room] }))),
    ...scene.doors,
  ].filter(({ pos }) => free(pos))
  return places.flatMap(({ pos, rooms }) =>
    HEADINGS.flatMap((heading) => {
      const pose = { pos, heading, rooms }
      return scene.objects
        .filter((object) => object.oriented && squareDistance(pos, object.pos) <= FARTHEST * FARTHEST)
        .filter((object) => isVisible(pose, object) && !isCovered(scene, pos, object))
        .map((object) => ({ pose, object }))
    }),
  )
}

function isCovered({ objects }: Scene, from: Vec, object: GridObject): boolean {
  const [dx, dy] = [object.pos[0] - from[0], object.pos[1] - from[1]]
  const square = dx * dx + dy * dy
  return objects.some((other) => {
    const [ox, oy] = [other.pos[0] - from[0], other.pos[1] - from[1]]
    const along = (ox * dx + oy * dy) / square
    return along > 0 && along < 1 && Math.abs(ox * dy - oy * dx) < COVERS * Math.sqrt(square)
  })
}

function squareDistance(a: Vec, b: Vec): number {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
}

function sighting(renderer: Renderer, pose: Pose, object: GridObject, distance: number): Sighting {
  const camera = cameraAt(pose, PROFILE)
  const [dx, dy] = [object.pos[0] - pose.pos[0], object.pos[1] - pose.pos[1]]
  const [right, ahead] = [rightOf(pose.heading, dx, dy), aheadOf(pose.heading, dx, dy)]
  const { fx, cx, cy } = camera.lens
  const column = cx + (fx * right) / ahead
  const perMeter = fx / ahead
  const window = {
    left: Math.round(column - (perMeter * WINDOW.across) / 2),
    top: Math.round(cy - perMeter * (WINDOW.above - CAMERA_HEIGHT)),
    width: Math.round(perMeter * WINDOW.across),
    height: Math.round(perMeter * (WINDOW.above + WINDOW.below)),
  }
  const strip = {
    left: Math.round(column) - STRIP.across / 2,
    top: cy - STRIP.above,
    width: STRIP.across,
    height: STRIP.above + STRIP.below,
  }
  const bearing = right / ahead
  const facing = (headingNumber(object.heading) - headingNumber(pose.heading) + 4) % 4
  return {
    object: object.name,
    distance,
    facing: asOnTheRight({
      input: withBearing(colorsOf(renderer, camera, window, WINDOW_CELLS, WINDOW_CELLS), bearing),
      label: facing,
    }),
    ahead: {
      input: withBearing(colorsOf(renderer, camera, strip, STRIP_CELLS.across, STRIP_CELLS.down), bearing),
      label: ahead,
    },
    distanceAt: (cells) => cells * Math.sqrt(1 + bearing * bearing),
  }
}

function headingNumber(heading: Vec): number {
  return HEADINGS.findIndex(([x, y]) => x === heading[0] && y === heading[1])
}

/** Where in the image the object is: known, as the crop is made around it. */
function withBearing(colors: Float32Array, bearing: number): Float32Array {
  const input = new Float32Array(colors.length + 2)
  input.set(colors)
  input[colors.length] = bearing
  input[colors.length + 1] = Math.abs(bearing)
  return input
}

interface Rectangle {
  left: number
  top: number
  width: number
  height: number
}

/** Mean colors of a grid of cells over a part of the image, around 0; nothing outside of the image. */
function colorsOf(renderer: Renderer, camera: Camera, part: Rectangle, columns: number, rows: number): Float32Array {
  const { left, top, width, height } = part
  const { lens } = camera
  const { color } = renderer.render(
    { ...camera, lens: { ...lens, cx: lens.cx - left, cy: lens.cy - top } },
    { width, height, antialias: true, background: SKY },
  )
  const sums = new Float32Array(columns * rows * 3)
  for (let row = 0; row < rows; row++) {
    const ys = range(row, rows, height)
    for (let column = 0; column < columns; column++) {
      const xs = range(column, columns, width)
      const at = (row * columns + column) * 3
      for (let y = ys.from; y < ys.to; y++) {
        for (let x = xs.from; x < xs.to; x++) {
          const isInside = left + x >= 0 && left + x < SIZE && top + y >= 0 && top + y < SIZE
          for (let c = 0; c < 3; c++) sums[at + c]! += isInside ? color[(y * width + x) * 3 + c]! / 255 - 0.5 : 0
        }
      }
      const pixels = (ys.to - ys.from) * (xs.to - xs.from)
      for (let c = 0; c < 3; c++) sums[at + c]! /= pixels
    }
  }
  return sums
}

/** The pixels of one of `cells` parts of a length: at least one. */
function range(cell: number, cells: number, length: number): { from: number; to: number } {
  const from = Math.min(length - 1, Math.floor((cell * length) / cells))
  return { from, to: Math.max(from + 1, Math.floor(((cell + 1) * length) / cells)) }
}

/** Objects on the left as their mirror images: what faces left there looks like what faces right here. */
function asOnTheRight(example: Example): Example {
  return bearingOf(example) < 0 ? mirrored(example) : example
}

/** Straight ahead, a mirror image is another example. */
export function eitherWay(example: Example, random: Random): Example {
  return bearingOf(example) === 0 && random.chance(0.5) ? mirrored(example) : example
}

function bearingOf({ input }: Example): number {
  return input[input.length - 2]!
}

function mirrored({ input, label }: Example): Example {
  const turned = new Float32Array(input.length)
  const cells = WINDOW_CELLS
  for (let row = 0; row < cells; row++) {
    for (let column = 0; column < cells; column++) {
      const from = (row * cells + column) * 3
      turned.set(input.subarray(from, from + 3), (row * cells + cells - 1 - column) * 3)
    }
  }
  turned[input.length - 2] = -input[input.length - 2]!
  turned[input.length - 1] = input[input.length - 1]!
  return { input: turned, label: (4 - label) % 4 }
}
