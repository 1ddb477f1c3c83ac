/** Where each patch of one picture lies in the next. */
import { PAD, PATCH, PATCH_FLOATS, STEP } from './layout'

/** Where in a patch's floats its flow stands after smoothing. */
const SMOOTHED: usize = 20

const PIXELS: f32 = <f32>(PATCH * PATCH)
/** Steps of descent for a patch at one level. */
const MAX_STEPS: i32 = 16
/** Descent ends when a step is shorter than this, squared, in pixels. */
const SHORT_STEP: f32 = 0.0004
/** A patch whose gradients have less energy than this has nothing to hold on to. */
const FLAT: f32 = 20
/** A match may hang over the edge of the picture by so much; what hangs over more is taken from its neighbours. */
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
  const left = <i32>Mathf.floor(x)
  const top = <i32>Mathf.floor(y)
  const fx = x - <f32>left
  const fy = y - <f32>top
  const w11 = f32x4.splat(fx * fy)
  const w01 = f32x4.splat(fx * (1 - fy))
  const w10 = f32x4.splat((1 - fx) * fy)
  const w00 = f32x4.splat((1 - fx) * (1 - fy))
  const down = <usize>stride << 2
  let t = template + offset
  let hx = gx + offset
  let hy = gy + offset
  let o = other + (<usize>((top + PAD) * stride + left + PAD) << 2)
  let sum = f32x4.splat(0)
  let squares = f32x4.splat(0)
  let alongX = f32x4.splat(0)
  let alongY = f32x4.splat(0)
  for (let r = 0; r < PATCH; r++) {
    let d = f32x4.add(
      f32x4.add(f32x4.mul(w00, v128.load(o)), f32x4.mul(w01, v128.load(o, 4))),
      f32x4.add(f32x4.mul(w10, v128.load(o + down)), f32x4.mul(w11, v128.load(o + down, 4))),
    )
    d = f32x4.sub(d, v128.load(t))
    sum = f32x4.add(sum, d)
    squares = f32x4.add(squares, f32x4.mul(d, d))
    alongX = f32x4.add(alongX, f32x4.mul(d, v128.load(hx)))
    alongY = f32x4.add(alongY, f32x4.mul(d, v128.load(hy)))
    let e = f32x4.add(
      f32x4.add(f32x4.mul(w00, v128.load(o, 16)), f32x4.mul(w01, v128.load(o, 20))),
      f32x4.add(f32x4.mul(w10, v128.load(o + down, 16)), f32x4.mul(w11, v128.load(o + down, 20))),
    )
    e = f32x4.sub(e, v128.load(t, 16))
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

/** Keeps a patch's place where the border still has pixels for it. */
// @ts-ignore: decorator
@inline
function clamped(place: f32, side: i32): f32 {
  return max<f32>(<f32>-PATCH - 2, min<f32>(<f32>side + 1, place))
}

/**
 * Finds every patch of `template` in `other`. Starts from the flow of the level above (`coarse`, half as large; 0 for
 * none), takes over what fits better from neighbours, and descends. `patches` gets PATCH_FLOATS floats a patch.
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

// @ts-ignore: decorator
@inline
function patchAt(patches: usize, across: i32, i: i32, j: i32): usize {
  return patches + <usize>((j * across + i) * PATCH_FLOATS * 4)
}

/** The last patch ends with the picture, so that all of it is covered. */
// @ts-ignore: decorator
@inline
function placeOf(i: i32, count: i32, side: i32): i32 {
  return i == count - 1 ? side - PATCH : i * STEP
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

/** Patches that went out of the picture cannot have been seen there: they move like their neighbours. */
function fillOutside(patches: usize, across: i32, downwards: i32): void {
  for (let pass = 0; pass < 2; pass++) {
    for (let k = 0; k < across * downwards; k++) {
      const n = pass == 0 ? k : across * downwards - 1 - k
      const i = n % across
      const j = n / across
      const patch = patchAt(patches, across, i, j)
      if (load<f32>(patch, 28) != 0) continue
      let u: f32 = 0
      let v: f32 = 0
      let count: f32 = 0
      for (let y = max(0, j - 1); y <= min(downwards - 1, j + 1); y++) {
        for (let x = max(0, i - 1); x <= min(across - 1, i + 1); x++) {
          const other = patchAt(patches, across, x, y)
          if (load<f32>(other, 28) == 0) continue
          u += load<f32>(other)
          v += load<f32>(other, 4)
          count += 1
        }
      }
      if (count == 0) continue
      store<f32>(patch, u / count)
      store<f32>(patch, v / count, 4)
      store<f32>(patch, 1, 28)
    }
  }
}

/**
 * A patch with little to hold on to leans on neighbours that move nearly alike and have more; edges of motion stay. The
 * result stands where the mean gradients stood, which are not needed any more.
 */
function smooth(patches: usize, across: i32, downwards: i32): void {
  for (let j = 0; j < downwards; j++) {
    for (let i = 0; i < across; i++) {
      const patch = patchAt(patches, across, i, j)
      const u = load<f32>(patch)
      const v = load<f32>(patch, 4)
      let weight = energy(patch)
      let su = weight * u
      let sv = weight * v
      for (let y = max(0, j - 1); y <= min(downwards - 1, j + 1); y++) {
        for (let x = max(0, i - 1); x <= min(across - 1, i + 1); x++) {
          const other = patchAt(patches, across, x, y)
          const du = load<f32>(other) - u
          const dv = load<f32>(other, 4) - v
          const alike = <f32>1 - (du * du + dv * dv)
          if (other == patch || alike <= 0) continue
          const share = alike * energy(other)
          weight += share
          su += share * (u + du)
          sv += share * (v + dv)
        }
      }
      store<f32>(patch, weight > 0 ? su / weight : u, SMOOTHED)
      store<f32>(patch, weight > 0 ? sv / weight : v, SMOOTHED + 4)
    }
  }
}

/** How much texture a patch has: the trace of its structure matrix, from the inverse that is kept. */
// @ts-ignore: decorator
@inline
function energy(patch: usize): f32 {
  const ia = load<f32>(patch, 8)
  const ib = load<f32>(patch, 12)
  const ic = load<f32>(patch, 16)
  const det = ia * ic - ib * ib
  return det > 0 ? (ia + ic) / det : 0
}

/** From patches to pixels: every pixel's flow is the mean of the patches over it, those that fit it well foremost. */
export function densify(
  template: usize,
  other: usize,
  width: i32,
  height: i32,
  patches: usize,
  flowX: usize,
  flowY: usize,
  weights: usize,
): void {
  const across = (width - PATCH) / STEP + 1
  const downwards = (height - PATCH) / STEP + 1
  const stride = width + 2 * PAD
  const down = <usize>stride << 2
  const bytes = <usize>(width * height) << 2
  memory.fill(flowX, 0, bytes)
  memory.fill(flowY, 0, bytes)
  memory.fill(weights, 0, bytes)
  const one = f32x4.splat(1)
  for (let j = 0; j < downwards; j++) {
    for (let i = 0; i < across; i++) {
      const u = median(patches, across, downwards, i, j, SMOOTHED)
      const v = median(patches, across, downwards, i, j, SMOOTHED + 4)
      const px = placeOf(i, across, width)
      const py = placeOf(j, downwards, height)
      const x = clamped(<f32>px + u, width)
      const y = clamped(<f32>py + v, height)
      const left = <i32>Mathf.floor(x)
      const top = <i32>Mathf.floor(y)
      const fx = x - <f32>left
      const fy = y - <f32>top
      const w11 = f32x4.splat(fx * fy)
      const w01 = f32x4.splat(fx * (1 - fy))
      const w10 = f32x4.splat((1 - fx) * fy)
      const w00 = f32x4.splat((1 - fx) * (1 - fy))
      const us = f32x4.splat(u)
      const vs = f32x4.splat(v)
      for (let r = 0; r < PATCH; r++) {
        const t = template + (<usize>((py + r + PAD) * stride + px + PAD) << 2)
        const o = other + (<usize>((top + r + PAD) * stride + left + PAD) << 2)
        const at = <usize>((py + r) * width + px) << 2
        for (let half: usize = 0; half < 32; half += 16) {
          const warped = f32x4.add(
            f32x4.add(f32x4.mul(w00, v128.load(o + half)), f32x4.mul(w01, v128.load(o + half, 4))),
            f32x4.add(f32x4.mul(w10, v128.load(o + down + half)), f32x4.mul(w11, v128.load(o + down + half, 4))),
          )
          const difference = f32x4.abs(f32x4.sub(warped, v128.load(t + half)))
          const weight = f32x4.div(one, f32x4.max(one, difference))
          const place = at + half
          v128.store(flowX + place, f32x4.add(v128.load(flowX + place), f32x4.mul(weight, us)))
          v128.store(flowY + place, f32x4.add(v128.load(flowY + place), f32x4.mul(weight, vs)))
          v128.store(weights + place, f32x4.add(v128.load(weights + place), weight))
        }
      }
    }
  }
  const count = width * height
  for (let i = 0; i < count; i++) {
    const at = <usize>i << 2
    const weight = load<f32>(weights + at)
    if (weight > 0) {
      store<f32>(flowX + at, load<f32>(flowX + at) / weight)
      store<f32>(flowY + at, load<f32>(flowY + at) / weight)
    }
  }
}

/** The middle of a patch and its eight neighbours: one that went astray does not count. At edges the patch itself. */
function median(patches: usize, across: i32, downwards: i32, i: i32, j: i32, field: usize): f32 {
  if (i == 0 || j == 0 || i == across - 1 || j == downwards - 1) {
    return load<f32>(patchAt(patches, across, i, j) + field)
  }
  const up = patchAt(patches, across, i - 1, j - 1) + field
  const mid = patchAt(patches, across, i - 1, j) + field
  const low = patchAt(patches, across, i - 1, j + 1) + field
  const step: usize = <usize>PATCH_FLOATS * 4
  // The median of nine by sorting columns, then taking the median of lowest's highest, middle's middle, highest's lowest.
  let lowest: f32 = -Infinity
  let highest: f32 = Infinity
  let m0: f32 = 0
  let m1: f32 = 0
  let m2: f32 = 0
  for (let k = 0; k < 3; k++) {
    const a = load<f32>(up + step * <usize>k)
    const b = load<f32>(mid + step * <usize>k)
    const c = load<f32>(low + step * <usize>k)
    const small = min(a, min(b, c))
    const large = max(a, max(b, c))
    const middle = max(min(a, b), min(max(a, b), c))
    lowest = max(lowest, small)
    highest = min(highest, large)
    if (k == 0) m0 = middle
    else if (k == 1) m1 = middle
    else m2 = middle
  }
  const middle = max(min(m0, m1), min(max(m0, m1), m2))
  return max(min(lowest, middle), min(max(lowest, middle), highest))
}
