import { percentileBounds } from '../geometry/bounds.ts'
import { freeSpace, type FreeSpace } from '../geometry/free-space.ts'
import { cellCenter } from '../geometry/grid.ts'
import type { TriangleMesh } from '../mesh.ts'
import { fromYawPitch, type Pose } from '../render/camera.ts'
import { smoothWay, visitingOrder } from './round.ts'
import { chooseViewpoints, type ViewpointOptions } from './viewpoints.ts'

/**
 * `tour`: looks around at every stop. `walk`: passes through without stopping, and sees only what is ahead. `stand`: turns
 * once, at the place that shows most.
 */
export const TOUR_PATHS = ['tour', 'walk', 'stand'] as const
export type TourPath = (typeof TOUR_PATHS)[number]

export interface TourOptions extends ViewpointOptions {
  /** Default `tour`. */
  path?: TourPath
  /** Default 10. */
  fps?: number
  /** Eye height above the floor in meters. Default 1.5. */
  eyeMeters?: number
  /** Degrees up from level; people who film a room hold the camera a little down. Default −10. */
  pitchDegrees?: number
  /** How far the camera is tilted up and down from that while it moves, slowly. Default 8. */
  tiltDegrees?: number
  /** Meters a second. Default 0.8. */
  walkSpeed?: number
  /** Degrees a second when looking around. Default 50. */
  turnSpeed?: number
  /** The whole film lasts this long, by going through the same way faster or slower. */
  seconds?: number
  /** Where a body can stand; made from the mesh where absent. */
  space?: FreeSpace
}

export interface TourFrame {
  /** Seconds from the start. */
  time: number
  pose: Pose
  /** Degrees counterclockwise from +x. */
  yaw: number
  /** Degrees up from level. */
  pitch: number
}

export interface Tour {
  frames: readonly TourFrame[]
  fps: number
  /** The places that were stopped at, or passed by a `walk`, in order. */
  stops: readonly (readonly [number, number])[]
  /** Part of the floor that was in sight from the stops, of all that can be seen. */
  coverage: number
}

/** One stretch of the film: a turn on the spot or a walk. */
interface Stretch {
  seconds: number
  /** Place and direction after a part (0…1) of the stretch. */
  at(part: number): { x: number; y: number; yaw: number }
}

/** Turns at a stop go at least this far: with the width of the picture that is all around. */
const LOOK_AROUND_DEGREES = 270
/** While walking one looks this far ahead on the way. */
const LOOK_AHEAD_METERS = 0.8
const SAMPLE_METERS = 0.05
/** One tilt up and down. No fraction of a turn, so that high and low are seen in different directions each time. */
const TILT_SECONDS = 5.3
/** Coordinates and angles are rounded to this, so that the last bits of a sine do not matter. */
const GRAIN = 1e6

/**
 * A camera path through a scene as a person would film it: at eye height from room to room, on the free floor, looking
 * around at places from which together everything is seen, with soft starts and turns.
 *
 * @example
 * const tour = planTour(mesh, { fps: 10 })
 * const { bytes } = await film(tour, (pose) => picture(pose), { width: 640, height: 480 })
 */
export function planTour(mesh: TriangleMesh, options: TourOptions = {}): Tour {
  const { fps = 10, eyeMeters = 1.5, pitchDegrees = -10, tiltDegrees = 8, walkSpeed = 0.8, turnSpeed = 50 } = options
  const space = options.space ?? freeSpace(mesh)
  const { cells, coverage } = chooseViewpoints(mesh, space, options)
  const order = visitingOrder(space, options.path === 'stand' ? cells.slice(0, 1) : cells)
  const stops = order.map((cell) => cellCenter(space.grid, cell))
  const ways = order.slice(1).map((cell, i) => smoothWay(space, order[i]!, cell))
  const stretches = plan(stops.length > 0 ? stops : [middle(mesh)], ways, walkSpeed, turnSpeed, options.path === 'walk')

  const planned = stretches.reduce((sum, { seconds }) => sum + seconds, 0)
  const pace = options.seconds === undefined ? 1 : planned / options.seconds
  const count = Math.max(1, Math.round((planned / pace) * fps))
  const frames: TourFrame[] = []
  let stretch = 0
  let begun = 0
  for (let i = 0; i < count; i++) {
    const now = (i / fps) * pace
    while (stretch < stretches.length - 1 && now >= begun + stretches[stretch]!.seconds) {
      begun += stretches[stretch++]!.seconds
    }
    const current = stretches[stretch]!
    const { x, y, yaw } = current.at(Math.min(1, (now - begun) / current.seconds))
    const direction = grain(((yaw % 360) + 360) % 360)
    const position = [grain(x), grain(y), grain(space.floor + eyeMeters)] as const
    const pitch = grain(pitchDegrees + tiltDegrees * Math.sin((2 * Math.PI * now) / TILT_SECONDS))
    frames.push({ time: i / fps, yaw: direction, pitch, pose: fromYawPitch(position, direction, pitch) })
  }
  return { frames, fps, stops, coverage }
}

function plan(
  stops: readonly (readonly [number, number])[],
  ways: readonly (readonly (readonly [number, number])[])[],
  walkSpeed: number,
  turnSpeed: number,
  passes: boolean,
): Stretch[] {
  const stretches: Stretch[] = []
  let yaw = ways[0] && ways[0].length > 1 ? heading(ways[0], 0) : 0
  // With nowhere to walk to, all that is left is to look around.
  const passing = passes && ways.some((way) => way.length > 1)
  stops.forEach((stop, i) => {
    const way = ways[i]
    const next = way && way.length > 1 ? heading(way, 0) : yaw
    let turn = passing ? wrapped(next - yaw) : (((next - yaw) % 360) + 360) % 360
    if (!passing && turn < LOOK_AROUND_DEGREES) turn += 360
    if (turn !== 0) stretches.push(turnOnSpot(stop, yaw, turn, turnSpeed))
    yaw += turn
    if (!way || way.length < 2) return
    const walk = walkAlong(way, yaw, walkSpeed, turnSpeed)
    stretches.push(walk)
    yaw = walk.at(1).yaw
  })
  return stretches
}

function turnOnSpot([x, y]: readonly [number, number], from: number, turn: number, speed: number): Stretch {
  return { seconds: (Math.abs(turn) / speed) * EASE_STRETCH, at: (part) => ({ x, y, yaw: from + turn * eased(part) }) }
}

function walkAlong(
  way: readonly (readonly [number, number])[],
  yaw: number,
  speed: number,
  turnSpeed: number,
): Stretch {
  const seconds = (((way.length - 1) * SAMPLE_METERS) / speed) * EASE_STRETCH
  // The direction follows the way with the speed of a turn, sample by sample, so that it never jumps.
  const mostPerSample = (turnSpeed * seconds) / Math.max(1, way.length - 1)
  const yaws = [yaw]
  for (let i = 1; i < way.length; i++) {
    const held = yaws[i - 1]!
    const off = wrapped(heading(way, i) - held)
    // A third of the difference each sample: quick at first, soft at the end.
    yaws.push(held + Math.max(-mostPerSample, Math.min(mostPerSample, off / 3)))
  }
  return {
    seconds,
    at: (part) => {
      const place = eased(part) * (way.length - 1)
      const i = Math.min(way.length - 2, Math.floor(place))
      const t = place - i
      const mix = (a: number, b: number) => a + (b - a) * t
      return {
        x: mix(way[i]![0], way[i + 1]![0]),
        y: mix(way[i]![1], way[i + 1]![1]),
        yaw: mix(yaws[i]!, yaws[i + 1]!),
      }
    },
  }
}

/** Where one looks who stands at sample i of a way and looks ahead on it. */
function heading(way: readonly (readonly [number, number])[], i: number): number {
  const ahead = Math.min(way.length - 1, i + Math.round(LOOK_AHEAD_METERS / SAMPLE_METERS))
  const from = ahead > i ? i : i - 1
  const [ax, ay] = way[from]!
  const [bx, by] = way[ahead]!
  return (Math.atan2(by - ay, bx - ax) * 180) / Math.PI
}

/** A fifth of each stretch goes into starting and a fifth into stopping. */
const EASE = 0.2
/** So eased, a stretch takes this much longer than at full speed. */
const EASE_STRETCH = 1 / (1 - EASE)

/** Progress with even acceleration at both ends and even speed in between. */
function eased(part: number): number {
  const top = 1 / (1 - EASE)
  if (part < EASE) return (top * part * part) / (2 * EASE)
  if (part > 1 - EASE) return 1 - (top * (1 - part) ** 2) / (2 * EASE)
  return top * (part - EASE / 2)
}

function wrapped(degrees: number): number {
  return ((((degrees + 180) % 360) + 360) % 360) - 180
}

function grain(value: number): number {
  return Math.round(value * GRAIN) / GRAIN + 0
}

/** Where no body fits, the film is a turn in the middle. */
function middle(mesh: TriangleMesh): readonly [number, number] {
  const { min, max } = percentileBounds(mesh.positions, 2, 98)
  return [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2]
}
