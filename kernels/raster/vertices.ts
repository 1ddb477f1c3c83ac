/** A cluster's vertices on the screen, four at a time. The same sums in the same order as reference/vertex.ts. */
import * as at from '../../src/world/render/layout'
import * as frame from './frame'

/**
 * Next to it, the lower bits of a single-precision number are a whole number, up to 4 million both ways. Of vertices that are not
 * clipped, subpixels are half of that. A conversion takes three times as long.
 */
const WHOLES: f32 = 12582912

/**
 * Transforms into scratch. With `clipping` also camera coordinates and which vertices are outside; without it also the
 * pixels around them, and how near the nearest is (`S_ON_SCREEN`).
 */
export function transformVertices(first: u32, count: i32, clipping: bool): void {
  const xs = frame.block(at.H_AT_X) + ((<usize>first) << 2)
  const ys = frame.block(at.H_AT_Y) + ((<usize>first) << 2)
  const zs = frame.block(at.H_AT_Z) + ((<usize>first) << 2)
  const px = splatted(at.V_POSITION)
  const py = splatted(at.V_POSITION + 1)
  const pz = splatted(at.V_POSITION + 2)
  const r0 = splatted(0),
    r1 = splatted(1),
    r2 = splatted(2)
  const r3 = splatted(3),
    r4 = splatted(4),
    r5 = splatted(5)
  const r6 = splatted(6),
    r7 = splatted(7),
    r8 = splatted(8)
  const focalX = splatted(at.V_FX)
  const focalY = splatted(at.V_FY)
  const centerX = splatted(at.V_CX)
  const centerY = splatted(at.V_CY)
  const far = splatted(at.V_FAR)
  const one = f32x4.splat(1)
  const half = f32x4.splat(0.5)
  const subpixels = f32x4.splat(256)
  const wholes = f32x4.splat(WHOLES)
  const orthographic = frame.orthographic
  let snapped = frame.scratch + at.S_SNAPPED
  let screen = frame.scratch + at.S_SCREEN
  let leftmost = i32x4.splat(i32.MAX_VALUE)
  let rightmost = i32x4.splat(-i32.MAX_VALUE)
  let highest = leftmost
  let lowest = rightmost
  let nearest = f32x4.splat(0)
  let i: usize = 0
  const end = (<usize>count) << 2
  do {
    const height = v128.load(zs + i)
    const dx = f32x4.sub(v128.load(xs + i), px)
    const dy = f32x4.sub(v128.load(ys + i), py)
    const dz = f32x4.sub(height, pz)
    const x = f32x4.add(f32x4.add(f32x4.mul(r0, dx), f32x4.mul(r1, dy)), f32x4.mul(r2, dz))
    const y = f32x4.add(f32x4.add(f32x4.mul(r3, dx), f32x4.mul(r4, dy)), f32x4.mul(r5, dz))
    const z = f32x4.add(f32x4.add(f32x4.mul(r6, dx), f32x4.mul(r7, dy)), f32x4.mul(r8, dz))
    if (clipping) noteOutside(i, x, y, z, height)
    const near = orthographic ? f32x4.sub(far, z) : f32x4.div(one, z)
    const scale = orthographic ? one : near
    const sx = f32x4.add(f32x4.mul(f32x4.mul(x, scale), focalX), centerX)
    const sy = f32x4.add(f32x4.mul(f32x4.mul(y, scale), focalY), centerY)
    const snappedX = i32x4.sub(f32x4.add(f32x4.floor(f32x4.add(f32x4.mul(sx, subpixels), half)), wholes), wholes)
    const snappedY = i32x4.sub(f32x4.add(f32x4.floor(f32x4.add(f32x4.mul(sy, subpixels), half)), wholes), wholes)
    leftmost = i32x4.min_s(leftmost, snappedX)
    rightmost = i32x4.max_s(rightmost, snappedX)
    highest = i32x4.min_s(highest, snappedY)
    lowest = i32x4.max_s(lowest, snappedY)
    nearest = f32x4.pmax(nearest, near)
    v128.store(snapped, i32x4.shuffle(snappedX, snappedY, 0, 4, 1, 5))
    v128.store(snapped, i32x4.shuffle(snappedX, snappedY, 2, 6, 3, 7), 16)
    snapped += 32
    storeFour(screen, sx, sy, near, f32x4.splat(0))
    screen += 64
    i += 16
  } while (i < end)
  if (!clipping) noteBounds(leftmost, highest, rightmost, lowest, nearest)
}

/** The pixels whose centers lie within, in the picture. */
function noteBounds(leftmost: v128, highest: v128, rightmost: v128, lowest: v128, nearest: v128): void {
  const firsts = leastOf(i32x4.shuffle(leftmost, highest, 0, 4, 1, 5), i32x4.shuffle(leftmost, highest, 2, 6, 3, 7))
  const lasts = mostOf(i32x4.shuffle(rightmost, lowest, 0, 4, 1, 5), i32x4.shuffle(rightmost, lowest, 2, 6, 3, 7))
  const to = frame.scratch + at.S_ON_SCREEN
  const pairs = f32x4.pmax(nearest, i32x4.shuffle(nearest, nearest, 2, 3, 0, 1))
  store<f32>(to, max(f32x4.extract_lane(pairs, 0), f32x4.extract_lane(pairs, 1)), at.O_NEAREST)
  store<u16>(to, max(0, (i32x4.extract_lane(firsts, 0) + 127) >> at.SUBPIXEL_BITS), at.O_LEFT)
  store<u16>(to, max(0, (i32x4.extract_lane(firsts, 1) + 127) >> at.SUBPIXEL_BITS), at.O_TOP)
  const right = min(frame.width - 1, (i32x4.extract_lane(lasts, 0) - 128) >> at.SUBPIXEL_BITS)
  const bottom = min(frame.height - 1, (i32x4.extract_lane(lasts, 1) - 128) >> at.SUBPIXEL_BITS)
  store<i16>(to, right, at.O_RIGHT)
  store<i16>(to, bottom, at.O_BOTTOM)
}

/** In the first two lanes, the least of each. */
function leastOf(a: v128, b: v128): v128 {
  const least = i32x4.min_s(a, b)
  return i32x4.min_s(least, i32x4.shuffle(least, least, 2, 3, 0, 1))
}

function mostOf(a: v128, b: v128): v128 {
  const most = i32x4.max_s(a, b)
  return i32x4.max_s(most, i32x4.shuffle(most, most, 2, 3, 0, 1))
}

/** A number of the view in all lanes. Read as such, it stays in its register over the loop. */
function splatted(index: i32): v128 {
  return v128.load32_splat(frame.view + ((<usize>index) << 2))
}

/** Four vertices from four vectors: x, y, z, w side by side for each. */
function storeFour(to: usize, x: v128, y: v128, z: v128, w: v128): void {
  const xyLow = i32x4.shuffle(x, y, 0, 4, 1, 5)
  const xyHigh = i32x4.shuffle(x, y, 2, 6, 3, 7)
  const zwLow = i32x4.shuffle(z, w, 0, 4, 1, 5)
  const zwHigh = i32x4.shuffle(z, w, 2, 6, 3, 7)
  v128.store(to, i32x4.shuffle(xyLow, zwLow, 0, 1, 4, 5))
  v128.store(to, i32x4.shuffle(xyLow, zwLow, 2, 3, 6, 7), 16)
  v128.store(to, i32x4.shuffle(xyHigh, zwHigh, 0, 1, 4, 5), 32)
  v128.store(to, i32x4.shuffle(xyHigh, zwHigh, 2, 3, 6, 7), 48)
}

function noteOutside(i: usize, x: v128, y: v128, z: v128, height: v128): void {
  const above = f32x4.sub(height, f32x4.splat(frame.number(at.V_CUT)))
  storeFour(frame.scratch + at.S_CAMERA + (i << 2), x, y, z, above)
  const depth = frame.orthographic ? f32x4.splat(1) : z
  const wide = f32x4.mul(depth, f32x4.splat(frame.number(at.V_GUARD_X)))
  const tall = f32x4.mul(depth, f32x4.splat(frame.number(at.V_GUARD_Y)))
  let inside = f32x4.ge(f32x4.sub(z, f32x4.splat(frame.number(at.V_NEAR))), f32x4.splat(0))
  inside = v128.and(inside, f32x4.le(above, f32x4.splat(0)))
  inside = v128.and(inside, f32x4.ge(f32x4.add(wide, x), f32x4.splat(0)))
  inside = v128.and(inside, f32x4.ge(f32x4.sub(wide, x), f32x4.splat(0)))
  inside = v128.and(inside, f32x4.ge(f32x4.add(tall, y), f32x4.splat(0)))
  inside = v128.and(inside, f32x4.ge(f32x4.sub(tall, y), f32x4.splat(0)))
  const outside = ~i32x4.bitmask(inside)
  const flags = frame.scratch + at.S_OUTSIDE + (i >> 2)
  store<u8>(flags, outside & 1)
  store<u8>(flags + 1, (outside >> 1) & 1)
  store<u8>(flags + 2, (outside >> 2) & 1)
  store<u8>(flags + 3, (outside >> 3) & 1)
}
