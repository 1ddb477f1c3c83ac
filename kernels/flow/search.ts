/** Where each patch of one picture lies in the next. */
import { blended, split, weight00, weight01, weight10, weight11, wholeX, wholeY } from './blend'
import { PAD, PATCH, STEP } from './layout'
import { clamped, patchAt, placeOf } from './patch'
import { fillOutside, smooth } from './settle'

const PIXELS: f32 = <f32>(PATCH * PATCH)
/** Steps of descent for a patch at one level. */
const MAX_STEPS: i32 = 16
/** Descent ends when a step is shorter than this, squared, in pixels. */
const SHORT_STEP: f32 = 0.0004
/** A patch whose gradients have less energy than this has nothing to hold on to. */
const FLAT: f32 = 20
/** A match may hang over the edge of the picture by so much; what hangs over more is taken from its neighbors. */
const OVERHANG: f32 = 2

/** How much a patch is held to its start, for each unit of squared error. */
const HOLD: f32 = 1

/** What the last comparison of a patch found. */
let error: f32 = 0
let slopeX: f32 = 0
let slopeY: f32 = 0

// @ts-ignore: decorator
@inline
function sum4(v: v128): f32 {
  return (
    f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
  )
}

/** Gradients by central differences, with the border's stride, so that a patch has one address in all pictures. */
export function gradients(picture: usize, width: i32, height: i32, gx: usize, gy: usize): void {
  const stride = width + 2 * PAD
  const down = <usize>stride << 2
  const half = f32x4.splat(0.5)
  for (let y = 0; y < height; y++) {
    const row = <usize>((y + PAD) * stride + PAD) << 2
    for (let x = 0; x < width; x += 4) {
      const at = row + (<usize>x << 2)
      const p = picture + at
      v128.store(gx + at, f32x4.mul(half, f32x4.sub(v128.load(p + 4), v128.load(p - 4))))
      v128.store(gy + at, f32x4.mul(half, f32x4.sub(v128.load(p + down), v128.load(p - down))))
    }
  }
}

/** Compares a patch with the other picture at an offset: the error with the mean difference taken out, and its slopes. */
function compare(
  template: usize,
  other: usize,
  gx: usize,
  gy: usize,
  offset: usize,
  stride: i32,
  x: f32,
  y: f32,
  meanX: f32,
  meanY: f32,
): void {
  split(x, y)
  const w00 = weight00()
  const w01 = weight01()
  const w10 = weight10()
  const w11 = weight11()
  const down = <usize>stride << 2
  let t = template + offset
  let hx = gx + offset
  let hy = gy + offset
  let o = other + (<usize>((wholeY + PAD) * stride + wholeX + PAD) << 2)
  let sum = f32x4.splat(0)
  let squares = f32x4.splat(0)
  let alongX = f32x4.splat(0)
  let alongY = f32x4.splat(0)
  for (let r = 0; r < PATCH; r++) {
    const d = f32x4.sub(blended(o, o + down, w00, w01, w10, w11), v128.load(t))
    sum = f32x4.add(sum, d)
    squares = f32x4.add(squares, f32x4.mul(d, d))
    alongX = f32x4.add(alongX, f32x4.mul(d, v128.load(hx)))
    alongY = f32x4.add(alongY, f32x4.mul(d, v128.load(hy)))
    const e = f32x4.sub(blended(o + 16, o + down + 16, w00, w01, w10, w11), v128.load(t, 16))
    sum = f32x4.add(sum, e)
    squares = f32x4.add(squares, f32x4.mul(e, e))
    alongX = f32x4.add(alongX, f32x4.mul(e, v128.load(hx, 16)))
    alongY = f32x4.add(alongY, f32x4.mul(e, v128.load(hy, 16)))
    t += down
    hx += down
    hy += down
    o += down
  }
  const total = sum4(sum)
  error = sum4(squares) - (total * total) / PIXELS
  slopeX = sum4(alongX) - total * meanX
  slopeY = sum4(alongY) - total * meanY
}

/**
 * Finds every patch of `template` in `other`. Starts from the flow of the level above (`coarse`, half as large; 0 for
 * none), takes over what fits better from neighbors, and descends. `patches` gets PATCH_FLOATS floats a patch.
 */
export function searchPatches(
  template: usize,
  other: usize,
  gx: usize,
  gy: usize,
  width: i32,
  height: i32,
  coarseX: usize,
  coarseY: usize,
  patches: usize,
): void {
  const across = (width - PATCH) / STEP + 1
  const downwards = (height - PATCH) / STEP + 1
  const stride = width + 2 * PAD
  const coarseWidth = (width + 1) >> 1
  for (let j = 0; j < downwards; j++) {
    for (let i = 0; i < across; i++) {
      const patch = patchAt(patches, across, i, j)
      const px = placeOf(i, across, width)
      const py = placeOf(j, downwards, height)
      prepare(patch, gx, gy, <usize>((py + PAD) * stride + px + PAD) << 2, stride)
      let u: f32 = 0
      let v: f32 = 0
      if (coarseX != 0) {
        const at = <usize>(((py + PATCH / 2) >> 1) * coarseWidth + ((px + PATCH / 2) >> 1)) << 2
        u = 2 * load<f32>(coarseX + at)
        v = 2 * load<f32>(coarseY + at)
      }
      store<f32>(patch, u)
      store<f32>(patch, v, 4)
    }
  }
  for (let j = 0; j < downwards; j++) {
    for (let i = 0; i < across; i++) {
      const patch = patchAt(patches, across, i, j)
      descend(
        patch,
        i > 0 ? patchAt(patches, across, i - 1, j) : 0,
        j > 0 ? patchAt(patches, across, i, j - 1) : 0,
        template, other, gx, gy, width, height, placeOf(i, across, width), placeOf(j, downwards, height),
      )
    }
  }
  for (let j = downwards - 1; j >= 0; j--) {
    for (let i = across - 1; i >= 0; i--) {
      const patch = patchAt(patches, across, i, j)
      descend(
        patch,
        i < across - 1 ? patchAt(patches, across, i + 1, j) : 0,
        j < downwards - 1 ? patchAt(patches, across, i, j + 1) : 0,
        template, other, gx, gy, width, height, placeOf(i, across, width), placeOf(j, downwards, height),
      )
    }
  }
  fillOutside(patches, across, downwards)
  smooth(patches, across, downwards)
}

/** The inverse of the patch's structure matrix, and its mean gradients. */
function prepare(patch: usize, gx: usize, gy: usize, offset: usize, stride: i32): void {
  let xx = f32x4.splat(0)
  let xy = f32x4.splat(0)
  let yy = f32x4.splat(0)
  let sx = f32x4.splat(0)
  let sy = f32x4.splat(0)
  for (let r = 0; r < PATCH; r++) {
    const row = offset + (<usize>(r * stride) << 2)
    for (let half: usize = 0; half < 32; half += 16) {
      const x = v128.load(gx + row + half)
      const y = v128.load(gy + row + half)
      xx = f32x4.add(xx, f32x4.mul(x, x))
      xy = f32x4.add(xy, f32x4.mul(x, y))
      yy = f32x4.add(yy, f32x4.mul(y, y))
      sx = f32x4.add(sx, x)
      sy = f32x4.add(sy, y)
    }
  }
  const meanX = sum4(sx) / PIXELS
  const meanY = sum4(sy) / PIXELS
  const a = sum4(xx) - meanX * meanX * PIXELS
  const b = sum4(xy) - meanX * meanY * PIXELS
  const c = sum4(yy) - meanY * meanY * PIXELS
  // A little of both is added to each axis: along an edge only the motion across it can be seen.
  const damping: f32 = 0.01 * (a + c) + 1
  const det = (a + damping) * (c + damping) - b * b
  const usable = a + c > FLAT && det > 0
  store<f32>(patch, usable ? (c + damping) / det : 0, 8)
  store<f32>(patch, usable ? -b / det : 0, 12)
  store<f32>(patch, usable ? (a + damping) / det : 0, 16)
  store<f32>(patch, meanX, 20)
  store<f32>(patch, meanY, 24)
}

function descend(
  patch: usize,
  sideways: usize,
  lengthways: usize,
  template: usize,
  other: usize,
  gx: usize,
  gy: usize,
  width: i32,
  height: i32,
  px: i32,
  py: i32,
): void {
  const stride = width + 2 * PAD
  const offset = <usize>((py + PAD) * stride + px + PAD) << 2
  const meanX = load<f32>(patch, 20)
  const meanY = load<f32>(patch, 24)
  const x0 = <f32>px
  const y0 = <f32>py
  let u = load<f32>(patch)
  let v = load<f32>(patch, 4)
  compare(template, other, gx, gy, offset, stride, clamped(x0 + u, width), clamped(y0 + v, height), meanX, meanY)
  let best = error
  let bestX = slopeX
  let bestY = slopeY
  for (let k = 0; k < 2; k++) {
    const neighbour = k == 0 ? sideways : lengthways
    if (neighbour == 0) continue
    const nu = load<f32>(neighbour)
    const nv = load<f32>(neighbour, 4)
    if (nu == u && nv == v) continue
    compare(template, other, gx, gy, offset, stride, clamped(x0 + nu, width), clamped(y0 + nv, height), meanX, meanY)
    if (error < best) {
      best = error
      bestX = slopeX
      bestY = slopeY
      u = nu
      v = nv
    }
  }
  const ia = load<f32>(patch, 8)
  const ib = load<f32>(patch, 12)
  const ic = load<f32>(patch, 16)
  const det = ia * ic - ib * ib
  const startU = u
  const startV = v
  for (let step = 0; step < MAX_STEPS; step++) {
    // What is left of the error holds the patch to where it began: noise has no motion to be found. The matrix comes
    // inverted and is turned back, since what holds it changes with every step.
    const hold = HOLD * best
    if (det <= 0) break
    const a = ic / det + hold
    const b = -ib / det
    const c = ia / det + hold
    const scale: f32 = <f32>1 / (a * c - b * b)
    const sx = bestX + hold * (u - startU)
    const sy = bestY + hold * (v - startV)
    const du = scale * (c * sx - b * sy)
    const dv = scale * (a * sy - b * sx)
    const nu = u - du
    const nv = v - dv
    // Further than a patch from where it began, the slopes say nothing any more.
    if ((nu - startU) * (nu - startU) + (nv - startV) * (nv - startV) > <f32>(PATCH * PATCH)) break
    compare(template, other, gx, gy, offset, stride, clamped(x0 + nu, width), clamped(y0 + nv, height), meanX, meanY)
    if (!(error < best)) break
    best = error
    bestX = slopeX
    bestY = slopeY
    u = nu
    v = nv
    if (du * du + dv * dv < SHORT_STEP) break
  }
  store<f32>(patch, u)
  store<f32>(patch, v, 4)
  const inside =
    x0 + u >= -OVERHANG &&
    y0 + v >= -OVERHANG &&
    x0 + u + <f32>PATCH <= <f32>width + OVERHANG &&
    y0 + v + <f32>PATCH <= <f32>height + OVERHANG
  store<f32>(patch, inside ? 1 : 0, 28)
}
