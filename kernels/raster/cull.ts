/** Finds the clusters in view and puts them in order from near to far. */
import * as at from '../../src/world/render/layout'
import * as frame from './frame'

/** How far outside, in pixels at a metre, a box must be before it is left out: more than single precision can err. */
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

/** Lists the clusters from `first` to before `last` whose box is in view; gives their count. */
export function findVisible(first: i32, last: i32): i32 {
  const boxes = frame.block(at.H_AT_BOXES)
  const step = (<usize>frame.header(at.H_BOX_STRIDE)) << 2
  const rx = frame.number(at.V_ROTATION),
    ry = frame.number(at.V_ROTATION + 1),
    rz = frame.number(at.V_ROTATION + 2)
  const dx = frame.number(at.V_ROTATION + 3),
    dy = frame.number(at.V_ROTATION + 4),
    dz = frame.number(at.V_ROTATION + 5)
  const fx = frame.number(at.V_ROTATION + 6),
    fy = frame.number(at.V_ROTATION + 7),
    fz = frame.number(at.V_ROTATION + 8)
  const px = frame.number(at.V_POSITION),
    py = frame.number(at.V_POSITION + 1),
    pz = frame.number(at.V_POSITION + 2)
  const rightAt = -(rx * px + ry * py + rz * pz)
  const downAt = -(dx * px + dy * py + dz * pz)
  const forwardAt = -(fx * px + fy * py + fz * pz)
  const focalX = frame.number(at.V_FX)
  const focalY = frame.number(at.V_FY)
  // Picture x ≥ 0 is focalX·right + left·forward ≥ 0, and so on for the other three sides.
  const left = frame.number(at.V_CX)
  const right = <f32>frame.width - left
  const up = frame.number(at.V_CY)
  const down = <f32>frame.height - up
  const depth: f32 = frame.orthographic ? 0 : 1
  const flat: f32 = frame.orthographic ? 1 : 0
  const near = frame.number(at.V_NEAR)
  const cut = f32x4.splat(frame.number(at.V_CUT))
  const out = f32x4.splat(-SLACK)

  const list = <usize>frame.word(at.F_LIST)
  const keys = <usize>frame.word(at.F_KEYS)
  let count = 0
  for (let i = first & ~3; i < last; i += 4) {
    const at4 = boxes + ((<usize>i) << 2)
    const farthest = farthestAlong(at4, step, fx, fy, fz, forwardAt - near)
    let outside = f32x4.lt(farthest, f32x4.splat(0))
    outside = v128.or(outside, f32x4.gt(v128.load(at4 + 2 * step), cut))
    outside = v128.or(
      outside,
      f32x4.lt(
        farthestAlong(
          at4,
          step,
          focalX * rx + left * depth * fx,
          focalX * ry + left * depth * fy,
          focalX * rz + left * depth * fz,
          focalX * rightAt + left * (depth * forwardAt + flat),
        ),
        out,
      ),
    )
    outside = v128.or(
      outside,
      f32x4.lt(
        farthestAlong(
          at4,
          step,
          right * depth * fx - focalX * rx,
          right * depth * fy - focalX * ry,
          right * depth * fz - focalX * rz,
          right * (depth * forwardAt + flat) - focalX * rightAt,
        ),
        out,
      ),
    )
    outside = v128.or(
      outside,
      f32x4.lt(
        farthestAlong(
          at4,
          step,
          focalY * dx + up * depth * fx,
          focalY * dy + up * depth * fy,
          focalY * dz + up * depth * fz,
          focalY * downAt + up * (depth * forwardAt + flat),
        ),
        out,
      ),
    )
    outside = v128.or(
      outside,
      f32x4.lt(
        farthestAlong(
          at4,
          step,
          down * depth * fx - focalY * dx,
          down * depth * fy - focalY * dy,
          down * depth * fz - focalY * dz,
          down * (depth * forwardAt + flat) - focalY * downAt,
        ),
        out,
      ),
    )
    let seen = ~i32x4.bitmask(outside) & 15
    if (seen == 0) continue
    const nearest = f32x4.neg(farthestAlong(at4, step, -fx, -fy, -fz, -forwardAt))
    const key = i32x4.shr_u(f32x4.max(nearest, f32x4.splat(0)), KEY_SHIFT)
    while (seen != 0) {
      const lane = ctz(seen)
      seen &= seen - 1
      const cluster = i + lane
      if (cluster < first || cluster >= last) continue
      store<u32>(list + ((<usize>count) << 2), cluster)
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
    store<u32>(order + ((<usize>place) << 2), load<u32>(list + ((<usize>i) << 2)))
  }
}
