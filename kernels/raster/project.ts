/** Where boxes are on the screen, four at a time. */
import * as at from '../../src/world/render/layout'
import * as frame from './frame'

/** Rounding must not make a box seem farther than its vertices are. */
const SAFELY_NEARER: f32 = 1.00002
/** In parallel projection, meters. */
const SAFELY_NEARER_BY: f32 = 0.001
const SAFELY_BEYOND_NEAR: f32 = 1.01
const SAFE_GUARD: f32 = 8000

/**
 * Writes where four boxes are on the screen (`S_ON_SCREEN`), with the flags of a cluster. Gives a bit for each that may
 * cover a pixel. `step` is the number of bytes from four boxes' least x to their least y, and so on.
 */
export function project(boxes: usize, step: usize): i32 {
  const minX = v128.load(boxes)
  const minY = v128.load(boxes + step)
  const minZ = v128.load(boxes + 2 * step)
  const maxZ = v128.load(boxes + 5 * step)
  const wide = f32x4.sub(v128.load(boxes + 3 * step), minX)
  const deep = f32x4.sub(v128.load(boxes + 4 * step), minY)
  const tall = f32x4.sub(maxZ, minZ)
  const dx = f32x4.sub(minX, splatted(at.V_POSITION))
  const dy = f32x4.sub(minY, splatted(at.V_POSITION + 1))
  const dz = f32x4.sub(minZ, splatted(at.V_POSITION + 2))
  let x = along(0, dx, dy, dz)
  let y = along(3, dx, dy, dz)
  let z = along(6, dx, dy, dz)
  const wideX = f32x4.mul(wide, splatted(0)),
    deepX = f32x4.mul(deep, splatted(1)),
    tallX = f32x4.mul(tall, splatted(2))
  const wideY = f32x4.mul(wide, splatted(3)),
    deepY = f32x4.mul(deep, splatted(4)),
    tallY = f32x4.mul(tall, splatted(5))
  const wideZ = f32x4.mul(wide, splatted(6)),
    deepZ = f32x4.mul(deep, splatted(7)),
    tallZ = f32x4.mul(tall, splatted(8))
  const one = f32x4.splat(1)
  const orthographic = frame.orthographic
  let left = f32x4.splat(f32.POSITIVE_INFINITY)
  let top = left
  let nearestZ = left
  let right = f32x4.neg(left)
  let bottom = right
  let layer = 0
  do {
    // The four corners of the box's lower side, then those of its upper one.
    const x1 = f32x4.add(x, wideX),
      y1 = f32x4.add(y, wideY),
      z1 = f32x4.add(z, wideZ)
    const x2 = f32x4.add(x, deepX),
      y2 = f32x4.add(y, deepY),
      z2 = f32x4.add(z, deepZ)
    const x3 = f32x4.add(x1, deepX),
      y3 = f32x4.add(y1, deepY),
      z3 = f32x4.add(z1, deepZ)
    const scale = orthographic ? one : f32x4.div(one, z)
    const scale1 = orthographic ? one : f32x4.div(one, z1)
    const scale2 = orthographic ? one : f32x4.div(one, z2)
    const scale3 = orthographic ? one : f32x4.div(one, z3)
    const sx = f32x4.mul(x, scale),
      sx1 = f32x4.mul(x1, scale1),
      sx2 = f32x4.mul(x2, scale2),
      sx3 = f32x4.mul(x3, scale3)
    const sy = f32x4.mul(y, scale),
      sy1 = f32x4.mul(y1, scale1),
      sy2 = f32x4.mul(y2, scale2),
      sy3 = f32x4.mul(y3, scale3)
    left = f32x4.pmin(left, f32x4.pmin(f32x4.pmin(sx, sx1), f32x4.pmin(sx2, sx3)))
    right = f32x4.pmax(right, f32x4.pmax(f32x4.pmax(sx, sx1), f32x4.pmax(sx2, sx3)))
    top = f32x4.pmin(top, f32x4.pmin(f32x4.pmin(sy, sy1), f32x4.pmin(sy2, sy3)))
    bottom = f32x4.pmax(bottom, f32x4.pmax(f32x4.pmax(sy, sy1), f32x4.pmax(sy2, sy3)))
    nearestZ = f32x4.pmin(nearestZ, f32x4.pmin(f32x4.pmin(z, z1), f32x4.pmin(z2, z3)))
    x = f32x4.add(x, tallX)
    y = f32x4.add(y, tallY)
    z = f32x4.add(z, tallZ)
    layer++
  } while (layer < 2)
  const focalX = splatted(at.V_FX)
  const focalY = splatted(at.V_FY)
  left = f32x4.mul(left, focalX)
  right = f32x4.mul(right, focalX)
  top = f32x4.mul(top, focalY)
  bottom = f32x4.mul(bottom, focalY)

  const reachesNear = f32x4.lt(nearestZ, f32x4.splat(frame.number(at.V_NEAR) * SAFELY_BEYOND_NEAR))
  const farthestOut = f32x4.pmax(f32x4.pmax(f32x4.neg(left), right), f32x4.pmax(f32x4.neg(top), bottom))
  const safe = v128.and(f32x4.lt(farthestOut, f32x4.splat(SAFE_GUARD)), f32x4.lt(maxZ, splatted(at.V_CUT)))
  const clipping = v128.or(reachesNear, v128.not(safe))
  const flags = v128.or(
    v128.and(reachesNear, i32x4.splat(at.REACHES_NEAR)),
    v128.and(clipping, i32x4.splat(at.NEEDS_CLIPPING)),
  )
  const nearest = orthographic
    ? f32x4.add(f32x4.sub(splatted(at.V_FAR), nearestZ), f32x4.splat(SAFELY_NEARER_BY))
    : f32x4.div(f32x4.splat(SAFELY_NEARER), nearestZ)
  // Centers of pixels lie half a pixel further in: as much as rounding could never err.
  const zero = i32x4.splat(0)
  const centerX = splatted(at.V_CX)
  const centerY = splatted(at.V_CY)
  const firstX = i32x4.max_s(zero, pixels(f32x4.add(left, centerX)))
  const firstY = i32x4.max_s(zero, pixels(f32x4.add(top, centerY)))
  const lastX = i32x4.min_s(i32x4.splat(frame.width - 1), pixels(f32x4.add(right, centerX)))
  const lastY = i32x4.min_s(i32x4.splat(frame.height - 1), pixels(f32x4.add(bottom, centerY)))
  const covers = v128.and(i32x4.le_s(firstX, lastX), i32x4.le_s(firstY, lastY))

  const first = v128.or(firstX, i32x4.shl(firstY, 16))
  const last = v128.or(lastX, i32x4.shl(lastY, 16))
  const flagsNearest01 = i32x4.shuffle(flags, nearest, 0, 4, 1, 5)
  const flagsNearest23 = i32x4.shuffle(flags, nearest, 2, 6, 3, 7)
  const pixels01 = i32x4.shuffle(first, last, 0, 4, 1, 5)
  const pixels23 = i32x4.shuffle(first, last, 2, 6, 3, 7)
  const to = frame.scratch + at.S_ON_SCREEN
  v128.store(to, i32x4.shuffle(flagsNearest01, pixels01, 0, 1, 4, 5))
  v128.store(to, i32x4.shuffle(flagsNearest01, pixels01, 2, 3, 6, 7), 16)
  v128.store(to, i32x4.shuffle(flagsNearest23, pixels23, 0, 1, 4, 5), 32)
  v128.store(to, i32x4.shuffle(flagsNearest23, pixels23, 2, 3, 6, 7), 48)
  return i32x4.bitmask(v128.or(covers, reachesNear))
}

function splatted(index: i32): v128 {
  return v128.load32_splat(frame.view + ((<usize>index) << 2))
}

/** A camera coordinate; `row` is where the axis stands in the rotation. */
function along(row: i32, dx: v128, dy: v128, dz: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(splatted(row), dx), f32x4.mul(splatted(row + 1), dy)),
    f32x4.mul(splatted(row + 2), dz),
  )
}

/** Whole pixels, of numbers that may be too large for 16 bits. */
function pixels(value: v128): v128 {
  const within = f32x4.pmax(f32x4.splat(-SAFE_GUARD), f32x4.pmin(f32x4.splat(SAFE_GUARD), value))
  return i32x4.trunc_sat_f32x4_s(f32x4.floor(within))
}
