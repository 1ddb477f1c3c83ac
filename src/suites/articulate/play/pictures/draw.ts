/** Stills and sweeps of an object, as bitmaps. */
import type { Bitmap } from '../../../../suite.ts'
import {
  add,
  type Camera,
  type Frame,
  isMovable,
  type Joint,
  moved,
  originOf,
  prepareScene,
  project,
  Renderer,
  type RenderOptions,
  type Robot,
  subtract,
  turned,
  turnedBack,
  type Vec3,
} from '../../../../world.ts'
import { type ArticulatedModel } from '../../domain/objects/model.ts'
import type { PictureSize } from './cameras.ts'
import { type Look, PLAIN_LOOK, tinted } from './look.ts'
import { partFrames, rangeOf, wholeBox } from '../../domain/objects/pose.ts'
import { hasGlass, modelDiagonal, type PartFrames, posedMesh } from './stage.ts'
import { drawDot, drawLine, traceColor } from './strokes.ts'

/** As the ground looks far away: no horizon. */
const BACKGROUND = [174, 178, 181] as const

const backgroundOf = ({ ground }: Look): readonly [number, number, number] => tinted(BACKGROUND, ground)

export function drawStill(
  model: ArticulatedModel,
  frames: PartFrames,
  camera: Camera,
  { width, height }: PictureSize,
  look = PLAIN_LOOK,
): Bitmap {
  const whole = wholeBox(model, frames)
  const mesh = posedMesh(model, frames, { diagonal: modelDiagonal(model), ground: whole.min[2], look })
  const options = { width, height, antialias: true, background: backgroundOf(look) }
  return { width, height, channels: 3, data: new Renderer(prepareScene(mesh)).render(camera, options).color }
}

export interface SweepOptions extends PictureSize {
  frames: number
  /** Draw the way of points on the moving parts. */
  traces?: boolean
  look?: Look
}

/** One joint over its whole range, both ends included; the others at rest. */
export function drawSweep(
  model: ArticulatedModel,
  robot: Robot,
  joint: string,
  camera: Camera,
  { frames: count, traces = false, look = PLAIN_LOOK, width, height }: SweepOptions,
): Bitmap[] {
  const moving = robot.joints.find(({ name }) => name === joint)
  if (!moving || !isMovable(moving)) return [drawStill(model, partFrames(robot), camera, { width, height }, look)]
  const [from, to] = sweepEnds(rangeOf(moving))
  const poses = sweepPoses(robot, moving, count)
  const start = poses[0]!
  const isStill = ([name, frame]: [string, readonly number[]]): boolean =>
    poses.every((pose) => pose.get(name)!.every((value, i) => Math.abs(value - frame[i]!) < 1e-12))
  const diagonal = modelDiagonal(model)
  const rest = partFrames(robot)
  const ground = wholeBox(model, rest).min[2]
  const still = new Map([...start].filter((entry) => isStill(entry)))
  const movingNames = [...start.keys()].filter((name) => !still.has(name))
  const casters = new Set(still.keys())
  const picture = hasGlass(model, movingNames)
    ? (pose: PartFrames): Bitmap => {
        const mesh = posedMesh(model, pose, { diagonal, ground, casters, look })
        const options = { width, height, antialias: true, background: backgroundOf(look) }
        return { width, height, channels: 3, data: new Renderer(prepareScene(mesh)).render(camera, options).color }
      }
    : layeredPictures(model, { still, start, movingNames, diagonal, ground, look }, camera, { width, height })
  const fine = traces ? (count - 1) * BETWEEN + 1 : 0
  const traced = Array.from({ length: fine }, (_, i) =>
    partFrames(robot, { [joint]: from + ((to - from) * i) / Math.max(1, fine - 1) }),
  )
  const paths = traces ? tracePaths(model, movingNames, traced, camera) : []
  return poses.map((pose, i) => {
    const bitmap = picture(pose)
    paths.forEach((path) => {
      for (let k = 1; k <= i * BETWEEN; k++)
        drawLine(bitmap, path[k - 1]!, path[k]!, traceColor((k - 0.5) / Math.max(1, fine - 1)))
      drawDot(bitmap, path[i * BETWEEN]!, traceColor(count === 1 ? 0 : i / (count - 1)))
    })
    return bitmap
  })
}

/** Where parts are in the pictures of a motion. */
export function sweepPoses(robot: Robot, joint: Joint, count: number): PartFrames[] {
  const [from, to] = sweepEnds(rangeOf(joint))
  return Array.from({ length: count }, (_, i) =>
    partFrames(robot, { [joint.name]: count === 1 ? from : from + ((to - from) * i) / (count - 1) }),
  )
}

interface Sweeping {
  still: PartFrames
  start: PartFrames
  movingNames: readonly string[]
  diagonal: number
  ground: number
  look: Look
}

/** A sweep moves one rigid body: it is prepared once, the camera is moved instead, and what is still is drawn once. */
function layeredPictures(
  model: ArticulatedModel,
  { still, start, movingNames, diagonal, ground, look }: Sweeping,
  camera: Camera,
  size: PictureSize,
): (pose: PartFrames) => Bitmap {
  const background = new Renderer(prepareScene(posedMesh(model, still, { diagonal, ground, look })))
  const layers = new Layers(background, camera, size, backgroundOf(look))
  const first = movingNames.find((name) => model.parts.some((part) => part.name === name))
  if (first === undefined) return () => layers.alone()
  const own = new Map([...start].filter(([name]) => movingNames.includes(name)))
  const body = new Renderer(prepareScene(posedMesh(model, own, { diagonal, ground: null, look })))
  return (pose) => layers.over(body, start.get(first)!, pose.get(first)!)
}

/** From the end that is nearer to rest to the far one. */
function sweepEnds([lower, upper]: readonly [number, number]): readonly [number, number] {
  return Math.abs(lower) <= Math.abs(upper) ? [lower, upper] : [upper, lower]
}

const TRACED = 7
/** Traces are finer than the frames: an arc must look like one. */
const BETWEEN = 6

/** Where points of the moving parts are in the picture, exactly. */
function tracePaths(
  model: ArticulatedModel,
  names: readonly string[],
  poses: readonly PartFrames[],
  camera: Camera,
): { x: number; y: number }[][] {
  const shelf = model.shelf
  return names.flatMap((name) => {
    const points = shelf.get(name)?.points ?? []
    const count = points.length / 3
    return Array.from({ length: Math.min(TRACED, count) }, (_, i) => {
      const at = Math.floor((i * count) / Math.min(TRACED, count)) * 3
      const point: Vec3 = [points[at]!, points[at + 1]!, points[at + 2]!]
      return poses.map((pose) => project(camera, moved(pose.get(name)!, point)))
    })
  })
}

/** What stays still is drawn once; what moves is laid over it by depth, at twice the size, and both are made small. */
class Layers {
  readonly #width: number
  readonly #height: number
  readonly #camera: Camera
  readonly #color: Uint8Array
  readonly #depth: Float32Array
  readonly #still: Uint8Array
  readonly #background: readonly [number, number, number]

  constructor(
    still: Renderer,
    camera: Camera,
    { width, height }: PictureSize,
    background: readonly [number, number, number],
  ) {
    this.#background = background
    this.#width = width
    this.#height = height
    const { lens } = camera
    this.#camera = { ...camera, lens: { ...lens, fx: lens.fx * 2, fy: lens.fy * 2, cx: lens.cx * 2, cy: lens.cy * 2 } }
    const { color, depth } = still.render(this.#camera, this.#options())
    this.#color = new Uint8Array(color)
    this.#depth = new Float32Array(depth)
    this.#still = new Uint8Array(width * height * 3)
    halve(this.#color, this.#still, width, { left: 0, right: width, top: 0, bottom: height })
  }

  alone(): Bitmap {
    return this.#bitmap(new Uint8Array(this.#still))
  }

  /** `from` and `to` are the frames of one of the body's parts as it was prepared and as it is to be seen. */
  over(renderer: Renderer, from: Frame, to: Frame): Bitmap {
    const { color, depth } = renderer.render(movedCamera(this.#camera, from, to), this.#options())
    const across = this.#width * 2
    const covered = coveredBy(depth, across)
    const data = new Uint8Array(this.#still)
    if (!covered) return this.#bitmap(data)
    // Only where the body is does the picture change.
    for (let y = covered.top * 2; y < covered.bottom * 2; y++) {
      for (let i = y * across + covered.left * 2, end = y * across + covered.right * 2; i < end; i++) {
        const [near, behind] = [depth[i]!, this.#depth[i]!]
        if (near !== 0 && (behind === 0 || behind > near)) continue
        const at = i * 3
        color[at] = this.#color[at]!
        color[at + 1] = this.#color[at + 1]!
        color[at + 2] = this.#color[at + 2]!
      }
    }
    halve(color, data, this.#width, covered)
    return this.#bitmap(data)
  }

  #options(): RenderOptions {
    return { width: this.#width * 2, height: this.#height * 2, depth: true, background: this.#background }
  }

  #bitmap(data: Uint8Array): Bitmap {
    return { width: this.#width, height: this.#height, channels: 3, data }
  }
}

interface Region {
  left: number
  right: number
  top: number
  bottom: number
}

/** The part of the small picture that something was drawn into; ends excluded. */
function coveredBy(depth: Float32Array, across: number): Region | null {
  let [left, right, top, bottom] = [across, -1, -1, -1]
  for (let y = 0, at = 0; at < depth.length; y++, at += across) {
    let first = 0
    while (first < across && depth[at + first] === 0) first++
    if (first === across) continue
    let last = across - 1
    while (depth[at + last] === 0) last--
    if (top < 0) top = y
    bottom = y
    if (first < left) left = first
    if (last > right) right = last
  }
  return top < 0 ? null : { left: left >> 1, right: (right >> 1) + 1, top: top >> 1, bottom: (bottom >> 1) + 1 }
}

/** Averages four pixels to one within a region of the small picture. */
function halve(large: Uint8Array, small: Uint8Array, width: number, { left, right, top, bottom }: Region): void {
  const row = width * 6
  for (let y = top; y < bottom; y++) {
    let at = y * 2 * row + left * 6
    let out = (y * width + left) * 3
    for (let x = left; x < right; x++, at += 6, out += 3) {
      const below = at + row
      small[out] = (large[at]! + large[at + 3]! + large[below]! + large[below + 3]! + 2) >> 2
      small[out + 1] = (large[at + 1]! + large[at + 4]! + large[below + 1]! + large[below + 4]! + 2) >> 2
      small[out + 2] = (large[at + 2]! + large[at + 5]! + large[below + 2]! + large[below + 5]! + 2) >> 2
    }
  }
}

/** A body that moved from one frame to another looks as it did to a camera that moved the other way. */
function movedCamera({ pose, ...rest }: Camera, from: Frame, to: Frame): Camera {
  // back = from · to⁻¹
  const turn = (v: Vec3): Vec3 => turned(from, turnedBack(to, v))
  return {
    ...rest,
    pose: {
      position: add(turn(subtract(pose.position, originOf(to))), originOf(from)),
      right: turn(pose.right),
      down: turn(pose.down),
      forward: turn(pose.forward),
    },
  }
}
