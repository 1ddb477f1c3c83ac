/**
 * Cameras. World: right-handed, z up, meters. Camera: x right, y down in the picture, z forward (as OpenCV has it).
 * Picture coordinates run over the area of the picture: pixel (i, j) covers [i, i + 1) × [j, j + 1).
 */
import { cross, dot, lengthOf, unit, type Vec3 } from '../vector.ts'
import { sinCosDegrees } from './angles.ts'

export type { Vec3 }

/** Where a camera stands and how it is turned: the axes are the columns of the camera-to-world rotation. */
export interface Pose {
  position: Vec3
  right: Vec3
  down: Vec3
  forward: Vec3
}

/** How camera coordinates become pixels. */
export interface Lens {
  /** Pixels per unit of x/z (perspective) or per meter (orthographic). */
  fx: number
  fy: number
  /** Where the view axis meets the picture. */
  cx: number
  cy: number
  orthographic?: boolean
}

export interface Camera {
  pose: Pose
  lens: Lens
  /** Nothing nearer than this is seen, in meters along the view axis. @default 0.05 */
  near?: number
}

const TINY = 1e-8

/**
 * A pose that looks along `forward`. `down` is where the picture's lower edge is to be, (0, 0, −1) at eye level.
 * A zero `forward` looks along +x; where `down` is parallel to `forward`, +y takes its place.
 */
export function lookAlong(position: Vec3, forward: Vec3, down: Vec3 = [0, 0, -1]): Pose {
  const ahead = lengthOf(forward) < TINY ? ([1, 0, 0] as const) : unit(forward)
  let right = cross(down, ahead)
  if (lengthOf(right) < TINY) right = cross([0, 1, 0], ahead)
  right = unit(right)
  return { position, right, down: cross(ahead, right), forward: ahead }
}

/** A pose at `eye` that has `target` in the middle of the picture, upright. */
export function lookAt(eye: Vec3, target: Vec3): Pose {
  return lookAlong(eye, [target[0] - eye[0], target[1] - eye[1], target[2] - eye[2]])
}

/**
 * A level pose. `yaw` is in degrees counterclockwise from +x, seen from above; `pitch` in degrees, up is positive.
 *
 * @example
 * fromYawPitch([0, 0, 1.5], 90) // eye level, facing +y
 */
export function fromYawPitch(position: Vec3, yaw: number, pitch = 0): Pose {
  const { sin: sy, cos: cy } = sinCosDegrees(yaw)
  const { sin: sp, cos: cp } = sinCosDegrees(pitch)
  const forward = [cy * cp, sy * cp, sp] as const
  // Straight up or down the yaw still says where the picture's right is.
  const right = [sy, -cy, 0] as const
  return { position, right, down: cross(forward, right), forward }
}

/** The pose of a 4 × 4 camera-to-world matrix in rows. */
export function fromMatrix(m: ArrayLike<number>): Pose {
  const at = (row: number, column: number): number => m[row * 4 + column]!
  const column = (c: number): Vec3 => [at(0, c), at(1, c), at(2, c)]
  return { position: column(3), right: column(0), down: column(1), forward: column(2) }
}

/** The 4 × 4 camera-to-world matrix in rows. */
export function toMatrix({ position, right, down, forward }: Pose): number[] {
  const rows = [0, 1, 2].flatMap((i) => [right[i]!, down[i]!, forward[i]!, position[i]!])
  return [...rows, 0, 0, 0, 1]
}

/** A lens that sees `degrees` from the left to the right edge of a picture, with square pixels. */
export function fieldOfView(degrees: number, width: number, height: number): Lens {
  const { sin, cos } = sinCosDegrees(degrees / 2)
  const focal = (width / 2) * (cos / sin)
  return { fx: focal, fy: focal, cx: width / 2, cy: height / 2 }
}

/** A lens with the given focal length in pixels and the view axis in the middle. */
export function focalLength(pixels: number, width: number, height: number): Lens {
  return { fx: pixels, fy: pixels, cx: width / 2, cy: height / 2 }
}

/** A parallel lens whose picture is `metersAcross` wide. */
export function parallel(metersAcross: number, width: number, height: number): Lens {
  const scale = width / metersAcross
  return { fx: scale, fy: scale, cx: width / 2, cy: height / 2, orthographic: true }
}

/** Looks straight down from `height` on a box of the world; +x is to the right, +y is up in the picture. */
export function topDown(
  box: { min: Vec3; max: Vec3 },
  size: { width: number; height: number },
  { margin = 0.02, above = 1 }: { margin?: number; above?: number } = {},
): Camera {
  const spanX = (box.max[0] - box.min[0]) * (1 + 2 * margin) || 1
  const spanY = (box.max[1] - box.min[1]) * (1 + 2 * margin) || 1
  const scale = Math.min(size.width / spanX, size.height / spanY)
  const position = [(box.min[0] + box.max[0]) / 2, (box.min[1] + box.max[1]) / 2, box.max[2] + above] as const
  return {
    pose: { position, right: [1, 0, 0], down: [0, -1, 0], forward: [0, 0, -1] },
    lens: { fx: scale, fy: scale, cx: size.width / 2, cy: size.height / 2, orthographic: true },
  }
}

/** Where a world point falls in the picture, and how far it is along the view axis. */
export function project({ pose, lens }: Camera, point: Vec3): { x: number; y: number; depth: number } {
  const d = [point[0] - pose.position[0], point[1] - pose.position[1], point[2] - pose.position[2]] as const
  const depth = dot(pose.forward, d)
  const scale = lens.orthographic === true ? 1 : 1 / depth
  return { x: dot(pose.right, d) * scale * lens.fx + lens.cx, y: dot(pose.down, d) * scale * lens.fy + lens.cy, depth }
}

/** The world point that is seen at (x, y) in the picture at `depth` meters along the view axis. */
export function unproject({ pose, lens }: Camera, x: number, y: number, depth: number): Vec3 {
  const scale = lens.orthographic === true ? 1 : depth
  const right = ((x - lens.cx) / lens.fx) * scale
  const down = ((y - lens.cy) / lens.fy) * scale
  const axis = (i: 0 | 1 | 2): number =>
    pose.position[i] + right * pose.right[i] + down * pose.down[i] + depth * pose.forward[i]
  return [axis(0), axis(1), axis(2)]
}
