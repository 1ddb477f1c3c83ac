/** Finds the clusters in view and puts them in order from near to far. */
import * as at from '../../src/world/render/layout'
import * as frame from './frame'
import { project } from './project'

/** How far outside, in pixels at a meter, a box must be before it is left out: more than single precision can err. */
const SLACK: f32 = 0.02
/** A depth's bits shifted by this are its bucket: steps of 3 percent. */
const KEY_SHIFT = 18

/** a·x + b·y + c·z + d of four boxes' corners that are farthest along (a, b, c). */
function farthestAlong(boxes: usize, step: usize, a: f32, b: f32, c: f32, d: f32): v128 {
  const x = v128.load(boxes + (a > 0 ? 3 * step : 0))
  const y = v128.load(boxes + (b > 0 ? 4 * step : step))
  const z = v128.load(boxes + (c > 0 ? 5 * step : 2 * step))
  return f32x4.add(
    f32x4.add(f32x4.mul(x, f32x4.splat(a)), f32x4.mul(y, f32x4.splat(b))),
    f32x4.add(f32x4.mul(z, f32x4.splat(c)), f32x4.splat(d)),
  )
}

/** Address of the four sides of the view, a, b, c, d of each: a place is inside where a·x + b·y + c·z + d ≥ 0. */
function writeSides(): usize {
  const sides = frame.scratch + at.S_FOUR
  const forward = at.V_ROTATION + 6
  // Picture x ≥ 0 is focal·right + left·forward ≥ 0, and so on for the other three sides. A parallel view has the same
  // width at all depths.
  const depth: f32 = frame.orthographic ? 0 : 1
  const flat: f32 = frame.orthographic ? 1 : 0
  for (let side = 0; side < 4; side++) {
    const along = at.V_ROTATION + (side < 2 ? 0 : 3)
    const focal = frame.number(side < 2 ? at.V_FX : at.V_FY) * ((side & 1) == 0 ? 1 : -1)
    const center = frame.number(side < 2 ? at.V_CX : at.V_CY)
    const edge = (side & 1) == 0 ? center : <f32>(side < 2 ? frame.width : frame.height) - center
    const to = sides + ((<usize>side) << 4)
    let start = edge * flat
    for (let axis = 0; axis < 3; axis++) {
      const slope = focal * frame.number(along + axis) + edge * depth * frame.number(forward + axis)
      start -= slope * frame.number(at.V_POSITION + axis)
      store<f32>(to + ((<usize>axis) << 2), slope)
    }
    store<f32>(to, start, 12)
  }
  return sides
}

/** Lists the clusters from `first` to before `last` whose box is in view, and where on the screen; gives their count. */
export function findVisible(first: i32, last: i32): i32 {
  const boxes = frame.block(at.H_AT_BOXES)
  const step = (<usize>frame.header(at.H_BOX_STRIDE)) << 2
  const fx = frame.number(at.V_ROTATION + 6)
  const fy = frame.number(at.V_ROTATION + 7)
  const fz = frame.number(at.V_ROTATION + 8)
  const forwardAt = -(
    fx * frame.number(at.V_POSITION) +
    fy * frame.number(at.V_POSITION + 1) +
    fz * frame.number(at.V_POSITION + 2)
  )
  const near = frame.number(at.V_NEAR)
  const cut = f32x4.splat(frame.number(at.V_CUT))
  const out = f32x4.splat(-SLACK)
  const sides = writeSides()

  const onScreen = frame.scratch + at.S_ON_SCREEN
  const list = <usize>frame.word(at.F_LIST)
  const keys = <usize>frame.word(at.F_KEYS)
  let count = 0
  for (let i = first & ~3; i < last; i += 4) {
    const at4 = boxes + ((<usize>i) << 2)
    const farthest = farthestAlong(at4, step, fx, fy, fz, forwardAt - near)
    let outside = f32x4.lt(farthest, f32x4.splat(0))
    outside = v128.or(outside, f32x4.gt(v128.load(at4 + 2 * step), cut))
    for (let side = sides; side < sides + 64; side += 16) {
      const along = farthestAlong(at4, step, load<f32>(side), load<f32>(side, 4), load<f32>(side, 8), load<f32>(side, 12))
      outside = v128.or(outside, f32x4.lt(along, out))
    }
    let seen = ~i32x4.bitmask(outside) & 15
    if (seen == 0) continue
    seen &= project(at4, step)
    const nearest = f32x4.neg(farthestAlong(at4, step, -fx, -fy, -fz, -forwardAt))
    const key = i32x4.shr_u(f32x4.max(nearest, f32x4.splat(0)), KEY_SHIFT)
    while (seen != 0) {
      const lane = ctz(seen)
      seen &= seen - 1
      const cluster = i + lane
      if (cluster < first || cluster >= last) continue
      const from = onScreen + ((<usize>lane) << 4)
      const to = list + ((<usize>count) << 4)
      v128.store(to, v128.load(from))
      store<u32>(to, load<u32>(from) | cluster)
      store<u32>(keys + ((<usize>count) << 2), keyOf(key, lane))
      count++
    }
  }
  return count
}

function keyOf(keys: v128, lane: i32): u32 {
  if (lane == 0) return i32x4.extract_lane(keys, 0)
  if (lane == 1) return i32x4.extract_lane(keys, 1)
  if (lane == 2) return i32x4.extract_lane(keys, 2)
  return i32x4.extract_lane(keys, 3)
}

/** Counting sort of the listed clusters by nearest depth. */
export function sortByDepth(count: i32): void {
  const list = <usize>frame.word(at.F_LIST)
  const keys = <usize>frame.word(at.F_KEYS)
  const order = <usize>frame.word(at.F_ORDER)
  const counters = frame.scratch + at.S_COUNTERS
  memory.fill(counters, 0, at.SORT_BUCKETS * 4)
  for (let i = 0; i < count; i++) {
    const counter = counters + ((<usize>load<u32>(keys + ((<usize>i) << 2))) << 2)
    store<u32>(counter, load<u32>(counter) + 1)
  }
  let sum: u32 = 0
  for (let i = 0; i < at.SORT_BUCKETS; i++) {
    const counter = counters + ((<usize>i) << 2)
    const size = load<u32>(counter)
    store<u32>(counter, sum)
    sum += size
  }
  for (let i = 0; i < count; i++) {
    const counter = counters + ((<usize>load<u32>(keys + ((<usize>i) << 2))) << 2)
    const place = load<u32>(counter)
    store<u32>(counter, place + 1)
    v128.store(order + ((<usize>place) << 4), v128.load(list + ((<usize>i) << 4)))
  }
}
