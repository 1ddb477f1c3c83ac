/** Cameras that see a whole object: the same for truth and prediction. */
import { type Camera, fieldOfView, lookAt, unit, type Vec3 } from '../../../../world.ts'
import { type Look, PLAIN_LOOK } from './look.ts'
import { type Box, centerOf, diagonalOf } from '../../domain/assembly/box.ts'

export const VIEWS = ['front', 'left', 'top', 'back'] as const
export type ViewName = (typeof VIEWS)[number]

/** What shows where parts belong. */
export const STILLS: readonly ViewName[] = ['front', 'left']

/** From the object toward the camera. The front view is the published one's, (3, 1.5, 2) toward (0, 0, 0.8). */
const DIRECTIONS: Readonly<Record<ViewName, Vec3>> = {
  front: [3, 1.5, 1.2],
  left: [1.4, -3, 1.0],
  top: [1.0, 0.25, 3],
  back: [-3, 1.5, 1.6],
}

/** Degrees from the upper to the lower edge, as published. */
const UPRIGHT_ANGLE = 35
/** The object's ball fills this share of the picture's height. */
const FILL = 0.94

export interface PictureSize {
  width: number
  height: number
}

export function cameraFor(
  view: ViewName,
  box: Box,
  { width, height }: PictureSize,
  { turn, rise }: Pick<Look, 'turn' | 'rise'> = PLAIN_LOOK,
): Camera {
  const half = Math.tan((UPRIGHT_ANGLE * Math.PI) / 360)
  const across = (2 * Math.atan((half * width) / height) * 180) / Math.PI
  const radius = diagonalOf(box) / 2
  const narrow = Math.atan(half * Math.min(1, width / height) * FILL)
  const distance = radius / Math.sin(narrow)
  const center = centerOf(box)
  const [x, y, z] = directionFrom(DIRECTIONS[view], turn, rise)
  const eye: Vec3 = [center[0] + x * distance, center[1] + y * distance, center[2] + z * distance]
  return { pose: lookAt(eye, center), lens: fieldOfView(across, width, height), near: distance * 0.05 }
}

/** A direction turned about the upright and raised, in degrees. */
function directionFrom([x, y, z]: Vec3, turn: number, rise: number): Vec3 {
  if (turn === 0 && rise === 0) return unit([x, y, z])
  const radians = Math.PI / 180
  const around = Math.atan2(y, x) + turn * radians
  const up = Math.min(80 * radians, Math.atan2(z, Math.hypot(x, y)) + rise * radians)
  return [Math.cos(around) * Math.cos(up), Math.sin(around) * Math.cos(up), Math.sin(up)]
}
