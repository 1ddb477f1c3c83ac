/** A picture as it is seen after the camera turned: each pixel is found in it along its ray, between four of its pixels. What moves is laid over it. */

/** Of the way from a pixel to the next, in parts that a product of 16 bits has room for: `q15mulr_sat_s` takes three times as long. */
const WHOLE: f32 = 128
const WHOLE_BITS: i32 = 7
const HALF: i16 = 1 << 6
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
  const zero = f32x4.splat(0)
  const one = f32x4.splat(1)
  const whole = f32x4.splat(WHOLE)
  const noFraction = f32x4.splat(NO_FRACTION)
  const last = f32x4.splat(<f32>(width - 1))
  const lowest = f32x4.splat(<f32>(height - 1))
  for (let y = 0; y < rows; y++) {
    const startX = f32x4.splat(b * <f32>y + c)
    const startY = f32x4.splat(e * <f32>y + f)
    const startZ = f32x4.splat(h * <f32>y + i)
    for (let x = 0; x < columns; x += 4) {
      const at = f32x4.add(f32x4.splat(<f32>x), f32x4(0, 1, 2, 3))
      const near = f32x4.div(one, f32x4.add(f32x4.mul(at, f32x4.splat(g)), startZ))
      const across = f32x4.mul(f32x4.add(f32x4.mul(at, f32x4.splat(a)), startX), near)
      const down = f32x4.mul(f32x4.add(f32x4.mul(at, f32x4.splat(d)), startY), near)
      const u = f32x4.pmin(f32x4.pmax(across, zero), last)
      const v = f32x4.pmin(f32x4.pmax(down, zero), lowest)
      const column = f32x4.floor(u)
      const row = f32x4.floor(v)
      const right = f32x4.add(f32x4.mul(f32x4.sub(u, column), whole), noFraction)
      const below = f32x4.add(f32x4.mul(f32x4.sub(v, row), whole), noFraction)
      const line = i32x4.mul(i32x4.sub(f32x4.add(row, noFraction), noFraction), i32x4.splat(width))
      const place = i32x4.shl(i32x4.add(line, i32x4.sub(f32x4.add(column, noFraction), noFraction)), 2)
      const first = between(
        from + i32x4.extract_lane(place, 0),
        from + i32x4.extract_lane(place, 1),
        stride,
        i8x16.shuffle(right, right, 0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4, 5, 4, 5),
        i8x16.shuffle(below, below, 0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4, 5, 4, 5),
      )
      const second = between(
        from + i32x4.extract_lane(place, 2),
        from + i32x4.extract_lane(place, 3),
        stride,
        i8x16.shuffle(right, right, 8, 9, 8, 9, 8, 9, 8, 9, 12, 13, 12, 13, 12, 13, 12, 13),
        i8x16.shuffle(below, below, 8, 9, 8, 9, 8, 9, 8, 9, 12, 13, 12, 13, 12, 13, 12, 13),
      )
      const four = i8x16.narrow_i16x8_u(first, second)
      v128.store(to + <usize>x * 3, i8x16.swizzle(four, i8x16(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1)))
    }
    to += <usize>columns * 3
  }
}

/** Two pixels of a view: of each, four bytes between the four pixels from `one` and from `other` on. */
// @ts-ignore: decorator
@inline
function between(one: usize, other: usize, stride: usize, right: v128, below: v128): v128 {
  const upper = v128.load64_lane(other, v128.load64_zero(one), 1)
  const lower = v128.load64_lane(other + stride, v128.load64_zero(one + stride), 1)
  const sortedUpper = i32x4.shuffle(upper, upper, 0, 2, 1, 3)
  const sortedLower = i32x4.shuffle(lower, lower, 0, 2, 1, 3)
  const left = mixed(i16x8.extend_low_i8x16_u(sortedUpper), i16x8.extend_low_i8x16_u(sortedLower), below)
  const next = mixed(i16x8.extend_high_i8x16_u(sortedUpper), i16x8.extend_high_i8x16_u(sortedLower), below)
  return mixed(left, next, right)
}

// @ts-ignore: decorator
@inline
function mixed(from: v128, to: v128, share: v128): v128 {
  const parts = i16x8.add(i16x8.mul(i16x8.sub(to, from), share), i16x8.splat(HALF))
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
