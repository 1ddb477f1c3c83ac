/** A picture as it is seen after the camera turned: each pixel is found in it along its ray, between four of its pixels. What moves is laid over it. */

/** Of the way from a pixel to the next, in parts that a product of 16 bits has room for: `q15mulr_sat_s` takes three times as long. */
const WHOLE: f32 = 128
const WHOLE_BITS: i32 = 7
const HALF: i32 = (1 << 6) * 0x10001
/** Next to this, a single-precision number has no room for a fraction, and its lower bits are the whole number. */
const NO_FRACTION: f32 = 8388608

/** r, g, b of a picture become four bytes, so that pixels are found by fours. */
export function widen(rgb: usize, pixels: usize, to: usize): void {
  for (let i: usize = 0; i < pixels; i += 4) {
    const four = v128.load(rgb + i * 3)
    v128.store(to + (i << 2), i8x16.swizzle(four, i8x16(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1)))
  }
}

/**
 * r, g, b of a view. The ray of pixel x, y meets the picture at (a x + b y + c) ÷ (g x + h y + i), (d x + e y + f) ÷
 * (g x + h y + i), counted in pixels from the middle of its first one. Outside are the pixels of its edge. Reads up to a row
 * behind the picture, and writes up to 15 bytes behind the view.
 */
export function turn(
  from: usize, width: i32, height: i32, to: usize, columns: i32, rows: i32,
  a: f32, b: f32, c: f32, d: f32, e: f32, f: f32, g: f32, h: f32, i: f32,
): void {
  const stride = <usize>width << 2
  const zero = kept(to, 0)
  const one = kept(to, 1)
  const four = kept(to, 4)
  const noFraction = kept(to, NO_FRACTION)
  const half = kept(to, reinterpret<f32>(HALF))
  // Places are counted in parts of a pixel, which changes no bit of them: a part is a power of two.
  const last = kept(to, WHOLE * <f32>(width - 1))
  const lowest = kept(to, WHOLE * <f32>(height - 1))
  const perX = kept(to, WHOLE * a)
  const perY = kept(to, WHOLE * d)
  const perZ = kept(to, g)
  const parts = i32x4.splat(<i32>WHOLE - 1)
  const across = i32x4.splat(width)
  // What stands above the whole number in rows and columns goes off at once, from the address.
  const above = reinterpret<i32>(NO_FRACTION) >> WHOLE_BITS
  const start = i32x4.splat(<i32>from - ((above * (width + 1)) << 2))
  const end = to + <usize>columns * <usize>rows * 3
  const rowBytes = <usize>columns * 3
  let y: f32 = 0
  do {
    const startX = kept(to, WHOLE * (b * y + c))
    const startY = kept(to, WHOLE * (e * y + f))
    const startZ = kept(to, h * y + i)
    let at = f32x4(0, 1, 2, 3)
    let pixel = to
    to += rowBytes
    do {
      const near = f32x4.div(one, f32x4.add(f32x4.mul(at, perZ), startZ))
      const u = f32x4.mul(f32x4.add(f32x4.mul(at, perX), startX), near)
      const v = f32x4.mul(f32x4.add(f32x4.mul(at, perY), startY), near)
      at = f32x4.add(at, four)
      const column = f32x4.add(f32x4.pmin(f32x4.pmax(u, zero), last), noFraction)
      const row = f32x4.add(f32x4.pmin(f32x4.pmax(v, zero), lowest), noFraction)
      const line = i32x4.mul(i32x4.shr_u(row, WHOLE_BITS), across)
      const place = i32x4.add(i32x4.shl(i32x4.add(line, i32x4.shr_u(column, WHOLE_BITS)), 2), start)
      const right = inBothHalves(v128.and(column, parts))
      const below = inBothHalves(v128.and(row, parts))
      const left = i64x2.extract_lane(place, 0)
      const next = i64x2.extract_lane(place, 1)
      const p0 = <usize>left
      const p1 = <usize>(left >>> 32)
      const p2 = <usize>next
      const p3 = <usize>(next >>> 32)
      const m0 = mixed(v128.load8x8_u(p0), v128.load8x8_u(p0 + stride), i32x4.shuffle(below, below, 0, 0, 0, 0), half)
      const m1 = mixed(v128.load8x8_u(p1), v128.load8x8_u(p1 + stride), i32x4.shuffle(below, below, 1, 1, 1, 1), half)
      const m2 = mixed(v128.load8x8_u(p2), v128.load8x8_u(p2 + stride), i32x4.shuffle(below, below, 2, 2, 2, 2), half)
      const m3 = mixed(v128.load8x8_u(p3), v128.load8x8_u(p3 + stride), i32x4.shuffle(below, below, 3, 3, 3, 3), half)
      const first = between(m0, m1, i32x4.shuffle(right, right, 0, 0, 1, 1), half)
      const second = between(m2, m3, i32x4.shuffle(right, right, 2, 2, 3, 3), half)
      const bytes = i8x16.narrow_i16x8_u(first, second)
      v128.store(pixel, i8x16.swizzle(bytes, i8x16(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1)))
      pixel += 12
    } while (pixel < to)
    y += 1
  } while (to < end)
}

/** A number in all lanes. V8 makes constants anew wherever they are used; what comes from memory, it keeps. */
// @ts-ignore: decorator
@inline
function kept(place: usize, value: f32): v128 {
  store<f32>(place, value)
  return v128.load32_splat(place)
}

/** Numbers of 16 bits, in the upper halves of their lanes as well. */
// @ts-ignore: decorator
@inline
function inBothHalves(numbers: v128): v128 {
  return v128.or(numbers, i32x4.shl(numbers, 16))
}

/** Two pixels side by side, from two each. */
// @ts-ignore: decorator
@inline
function between(one: v128, other: v128, share: v128, half: v128): v128 {
  return mixed(i32x4.shuffle(one, other, 0, 1, 4, 5), i32x4.shuffle(one, other, 2, 3, 6, 7), share, half)
}

// @ts-ignore: decorator
@inline
function mixed(from: v128, to: v128, share: v128, half: v128): v128 {
  const parts = i16x8.add(i16x8.mul(i16x8.sub(to, from), share), half)
  return i16x8.add(from, i16x8.shr_s(parts, WHOLE_BITS))
}

/**
 * Lays a picture with alpha (premultiplied) over a view, where nothing of the picture below is nearer. The ray of its pixel x, y
 * meets that one as in `turn`, and is drawn `step` pixels per column after `to`; rows of the view have `columns` pixels.
 */
export function lay(
  over: usize, nearness: usize, width: i32, height: i32, to: usize, columns: i32, step: i32, depths: usize, below: i32,
  a: f32, b: f32, c: f32, d: f32, e: f32, f: f32, g: f32, h: f32, i: f32,
): void {
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = <usize>(y * width + x) << 2
      const color = load<u32>(over + pixel)
      const alpha = color >> 24
      // Most of the picture is nothing.
      if (alpha == 0) continue
      const z = g * <f32>x + h * <f32>y + i
      const column = <i32>nearest((a * <f32>x + b * <f32>y + c) / z)
      const row = <i32>nearest((d * <f32>x + e * <f32>y + f) / z)
      const under = load<f32>(depths + (<usize>(row * below + column) << 2))
      if (under != 0 && nearAt(nearness + pixel, width, x, y) * z > under) continue
      const out = to + (y * columns + x * step) * 3
      store<u8>(out, (color & 255) + rest(load<u8>(out), alpha))
      store<u8>(out + 1, ((color >> 8) & 255) + rest(load<u8>(out + 1), alpha))
      store<u8>(out + 2, ((color >> 16) & 255) + rest(load<u8>(out + 2), alpha))
    }
  }
}

/** At an edge, the middle of the pixel is of nothing; then as next to it. */
// @ts-ignore: decorator
@inline
function nearAt(pixel: usize, width: i32, x: i32, y: i32): f32 {
  let near = load<f32>(pixel)
  if (near == 0 && x > 0) near = load<f32>(pixel - 4)
  if (near == 0 && x < width - 1) near = load<f32>(pixel + 4)
  if (near == 0 && y > 0) near = load<f32>(pixel - (<usize>width << 2))
  // Behind the last row is room for another one.
  if (near == 0) near = load<f32>(pixel + (<usize>width << 2))
  return near
}

/** What is still seen of a color, to the nearest whole number. */
// @ts-ignore: decorator
@inline
function rest(color: u32, alpha: u32): u32 {
  const parts = color * (255 - alpha) + 128
  return (parts + (parts >> 8)) >> 8
}
