/** Rigid motions as rows of a 3 × 4 matrix, in double precision. Angles in radians. */
import type { Vec3 } from './vector.ts'

/** x, y, z, w */
export type Quaternion = readonly [number, number, number, number]
/** r00 r01 r02 tx, r10 r11 r12 ty, r20 r21 r22 tz */
export type Frame = readonly number[]

export const IDENTITY: Frame = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]

/** Turned about x, then y, then z of the fixed axes (roll, pitch, yaw), then moved. */
export function frameOf(xyz: Vec3, rpy: Vec3 = [0, 0, 0]): Frame {
  const [sr, cr] = [Math.sin(rpy[0]), Math.cos(rpy[0])]
  const [sp, cp] = [Math.sin(rpy[1]), Math.cos(rpy[1])]
  const [sy, cy] = [Math.sin(rpy[2]), Math.cos(rpy[2])]
  return [
    cy * cp,
    cy * sp * sr - sy * cr,
    cy * sp * cr + sy * sr,
    xyz[0],
    sy * cp,
    sy * sp * sr + cy * cr,
    sy * sp * cr - cy * sr,
    xyz[1],
    -sp,
    cp * sr,
    cp * cr,
    xyz[2],
  ]
}

/** Turned by `angle` about a unit axis through the origin. */
export function aboutAxis(axis: Vec3, angle: number): Frame {
  const [x, y, z] = axis
  const [s, c] = [Math.sin(angle), Math.cos(angle)]
  const t = 1 - c
  return [
    t * x * x + c,
    t * x * y - s * z,
    t * x * z + s * y,
    0,
    t * x * y + s * z,
    t * y * y + c,
    t * y * z - s * x,
    0,
    t * x * z - s * y,
    t * y * z + s * x,
    t * z * z + c,
    0,
  ]
}

/** First `b`, then `a`. */
export function compose(a: Frame, b: Frame): Frame {
  const out: number[] = []
  for (let row = 0; row < 12; row += 4) {
    for (let column = 0; column < 4; column++) {
      let sum = column === 3 ? a[row + 3]! : 0
      for (let k = 0; k < 3; k++) sum += a[row + k]! * b[k * 4 + column]!
      out.push(sum)
    }
  }
  return out
}

export function inverse(f: Frame): Frame {
  const t: Vec3 = [f[3]!, f[7]!, f[11]!]
  const moved = turnedBack(f, t)
  return [f[0]!, f[4]!, f[8]!, -moved[0], f[1]!, f[5]!, f[9]!, -moved[1], f[2]!, f[6]!, f[10]!, -moved[2]]
}

export function moved(f: Frame, p: Vec3): Vec3 {
  return [
    f[0]! * p[0] + f[1]! * p[1] + f[2]! * p[2] + f[3]!,
    f[4]! * p[0] + f[5]! * p[1] + f[6]! * p[2] + f[7]!,
    f[8]! * p[0] + f[9]! * p[1] + f[10]! * p[2] + f[11]!,
  ]
}

/** A direction under the frame's rotation alone. */
export function turned(f: Frame, v: Vec3): Vec3 {
  return [
    f[0]! * v[0] + f[1]! * v[1] + f[2]! * v[2],
    f[4]! * v[0] + f[5]! * v[1] + f[6]! * v[2],
    f[8]! * v[0] + f[9]! * v[1] + f[10]! * v[2],
  ]
}

/** A direction under the inverse of the frame's rotation. */
export function turnedBack(f: Frame, v: Vec3): Vec3 {
  return [
    f[0]! * v[0] + f[4]! * v[1] + f[8]! * v[2],
    f[1]! * v[0] + f[5]! * v[1] + f[9]! * v[2],
    f[2]! * v[0] + f[6]! * v[1] + f[10]! * v[2],
  ]
}

export function originOf(f: Frame): Vec3 {
  return [f[3]!, f[7]!, f[11]!]
}

/** The rotation as a unit quaternion with w ≥ 0 where it is not nearly 0. */
export function quaternionOf(f: Frame): Quaternion {
  const [a, b, c, d, e, g, h, i, j] = [f[0]!, f[1]!, f[2]!, f[4]!, f[5]!, f[6]!, f[8]!, f[9]!, f[10]!]
  const trace = a + e + j
  if (trace > 0) {
    const s = Math.sqrt(trace + 1) * 2
    return [(i - g) / s, (c - h) / s, (d - b) / s, s / 4]
  }
  if (a > e && a > j) {
    const s = Math.sqrt(1 + a - e - j) * 2
    return [s / 4, (b + d) / s, (c + h) / s, (i - g) / s]
  }
  if (e > j) {
    const s = Math.sqrt(1 + e - a - j) * 2
    return [(b + d) / s, s / 4, (g + i) / s, (c - h) / s]
  }
  const s = Math.sqrt(1 + j - a - e) * 2
  return [(c + h) / s, (g + i) / s, s / 4, (d - b) / s]
}

/** Roll, pitch and yaw of the rotation. */
export function rpyOf(f: Frame): Vec3 {
  const sine = -f[8]!
  // Straight up or down, roll and yaw turn about the same line: all of it is given to roll.
  if (Math.abs(sine) > 1 - 1e-12) return [Math.atan2(sine * f[1]!, sine * f[2]!), (Math.sign(sine) * Math.PI) / 2, 0]
  return [Math.atan2(f[9]!, f[10]!), Math.asin(sine), Math.atan2(f[4]!, f[0]!)]
}
