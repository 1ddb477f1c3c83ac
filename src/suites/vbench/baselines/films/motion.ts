/** Where the cast and the camera are at a time. Times run from 0 to 1 over the clip; slow motion ends earlier. */
import type { Random } from '../../../../suite.ts'
import {
  type Camera,
  compose,
  cosine,
  type Frame,
  frameOf,
  fromYawPitch,
  moved,
  type Pose,
  sine,
  TAU,
  turned,
} from '../../../../world.ts'
import { HALF_VIEW, type Member, type Story } from './story.ts'

const QUARTER = TAU / 4
/** Seconds that falls and bounces are timed by. */
const SECONDS = 2
const GRAVITY = 9.81

/** From a member's own frame (front +x, base at z = 0) to the place to act. */
export function memberAt({ at: [x, y, z], yaw, action, size }: Member, { span }: Story, time: number): Frame {
  const turn = (yaw * TAU) / 360
  /** From the left edge of the picture to the right one. */
  const across = span * 0.85 * (2 * time - 1)
  switch (action) {
    case null:
      return frameOf([x, y, z], [0, 0, turn])
    case 'cross':
      return frameOf([x, across, z], [0, 0, QUARTER])
    case 'approach':
      return frameOf([x + span * (1.5 * time - 0.6), y, z], [0, 0, 0])
    case 'spin':
      return frameOf([x, y, z], [0, 0, turn + TAU * 0.6 * time])
    case 'rock':
      return frameOf([x, y, z], [0.22 * sine(TAU * 2 * time), 0, turn])
    case 'rise':
      return frameOf([x, y + 0.12 * span * sine(TAU * 0.7 * time), z + span * 0.9 * time], [0, 0, turn + time])
    case 'fall':
      return frameOf([x, y, z + fallen(span * 1.5, time * SECONDS)], [0, 0, turn + time])
    case 'roll': {
      const radius = size[2] / 2
      const lifted: Frame = [1, 0, 0, x, 0, 1, 0, across, 0, 0, 1, z + radius]
      return compose(compose(lifted, frameOf([0, 0, 0], [-across / radius, 0, 0])), frameOf([0, 0, -radius]))
    }
    case 'bounce': {
      const hops = 3 * time - Math.floor(3 * time)
      return frameOf([x, across, z + 4 * span * 0.7 * hops * (1 - hops)], [-across * 3, 0, 0])
    }
  }
}

/** Height of something dropped from `height`, which jumps once a little way when it lands. */
function fallen(height: number, seconds: number): number {
  const lands = Math.sqrt((2 * height) / GRAVITY)
  if (seconds < lands) return height - (GRAVITY / 2) * seconds * seconds
  const after = seconds - lands
  const up = 0.25 * GRAVITY * lands
  return Math.max(0, up * after - (GRAVITY / 2) * after * after)
}

const PAN_DEGREES = 24
const TILT_DEGREES = 15
const ARC_DEGREES = 10
const ZOOM = 1.6
const SHAKE_DEGREES = 0.9

/** The camera in the room, for pictures of the given size. */
export function cameraAt(
  { camera: { move, distance, height, lookAt } }: Story,
  place: Frame,
  reach: number,
  time: number,
  random: Random,
  size: { width: number; height: number },
): Camera {
  /** In a short room the camera stands nearer and sees more. */
  const away = Math.min(distance, reach)
  const arc = move === 'arc' ? ((time - 0.5) * ARC_DEGREES * TAU) / 360 : 0
  const eye = [away * cosine(arc), away * sine(arc), height] as const
  const down = (Math.atan((height - lookAt) / away) * 360) / TAU
  let yaw = 180 + (arc * 360) / TAU
  let pitch = -down
  let zoom = 1
  const sway = time - 0.5
  if (move === 'pan left') yaw += PAN_DEGREES * sway
  if (move === 'pan right') yaw -= PAN_DEGREES * sway
  if (move === 'tilt up') pitch += TILT_DEGREES * sway
  if (move === 'tilt down') pitch -= TILT_DEGREES * sway
  if (move === 'zoom in') zoom = Math.pow(ZOOM, time) / 1.15
  if (move === 'zoom out') zoom = Math.pow(ZOOM, 1 - time) / 1.15
  if (move === 'shaking') {
    yaw += SHAKE_DEGREES * random.normal()
    pitch += SHAKE_DEGREES * random.normal()
  }
  const focal = ((size.width / 2 / HALF_VIEW) * zoom * away) / distance
  return {
    pose: posed(place, fromYawPitch(eye, yaw, pitch)),
    lens: { fx: focal, fy: focal, cx: size.width / 2, cy: size.height / 2 },
  }
}

/** A pose under a rigid motion. */
export function posed(frame: Frame, { position, right, down, forward }: Pose): Pose {
  return {
    position: moved(frame, position),
    right: turned(frame, right),
    down: turned(frame, down),
    forward: turned(frame, forward),
  }
}
