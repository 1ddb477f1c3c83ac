/** A picture as it is seen after the camera turned: each pixel is found in it along its ray, between four of its pixels. */

/** Fractions between two pixels, with 15 bits; colors between them, with 6. */
const WHOLE: f32 = 32767
const COLOR_BITS: i32 = 6
const HALF: i16 = 1 << 5

/**
 * r, g, b of a picture. A ray of pixel x, y meets it at (a x + b y + c) ÷ (g x + h y + i), (d x + e y + f) ÷ (g x + h y + i),
 * counted in pixels from the middle of the first one; outside are the pixels of its edge. Writes a byte behind the end.
 */
export function turn(
  from: usize, width: i32, height: i32, to: usize, columns: i32, rows: i32,
  a: f32, b: f32, c: f32, d: f32, e: f32, f: f32, g: f32, h: f32, i: f32,
): void {
  const stride = <usize>width * 3
  const zero = f32x4.splat(0)
  const last = f32x4.splat(<f32>(width - 1))
  const lowest = f32x4.splat(<f32>(height - 1))
  for (let y = 0; y < rows; y++) {
    const startX = f32x4.splat(b * <f32>y + c)
    const startY = f32x4.splat(e * <f32>y + f)
    const startZ = f32x4.splat(h * <f32>y + i)
    for (let x = 0; x < columns; x += 4) {
      const at = f32x4.add(f32x4.splat(<f32>x), f32x4(0, 1, 2, 3))
      const near = f32x4.div(f32x4.splat(1), f32x4.add(f32x4.mul(at, f32x4.splat(g)), startZ))
      const across = f32x4.pmin(f32x4.pmax(f32x4.mul(f32x4.add(f32x4.mul(at, f32x4.splat(a)), startX), near), zero), last)
      const down = f32x4.pmin(f32x4.pmax(f32x4.mul(f32x4.add(f32x4.mul(at, f32x4.splat(d)), startY), near), zero), lowest)
      const column = i32x4.trunc_sat_f32x4_s(across)
      const row = i32x4.trunc_sat_f32x4_s(down)
      const right = i32x4.trunc_sat_f32x4_s(f32x4.mul(f32x4.sub(across, f32x4.convert_i32x4_s(column)), f32x4.splat(WHOLE)))
      const below = i32x4.trunc_sat_f32x4_s(f32x4.mul(f32x4.sub(down, f32x4.convert_i32x4_s(row)), f32x4.splat(WHOLE)))
      const place = i32x4.mul(i32x4.add(i32x4.mul(row, i32x4.splat(width)), column), i32x4.splat(3))
      const out = to + <usize>x * 3
      const left = columns - x
      store<u32>(out, between(from + i32x4.extract_lane(place, 0), stride, i32x4.extract_lane(right, 0), i32x4.extract_lane(below, 0)))
      if (left > 1) store<u32>(out + 3, between(from + i32x4.extract_lane(place, 1), stride, i32x4.extract_lane(right, 1), i32x4.extract_lane(below, 1)))
      if (left > 2) store<u32>(out + 6, between(from + i32x4.extract_lane(place, 2), stride, i32x4.extract_lane(right, 2), i32x4.extract_lane(below, 2)))
      if (left > 3) store<u32>(out + 9, between(from + i32x4.extract_lane(place, 3), stride, i32x4.extract_lane(right, 3), i32x4.extract_lane(below, 3)))
    }
    to += <usize>columns * 3
  }
}

// @ts-ignore: decorator
@inline
function between(pixel: usize, stride: usize, right: i32, below: i32): u32 {
  const upper = i16x8.shl(i16x8.extend_low_i8x16_u(v128.load64_zero(pixel)), COLOR_BITS)
  const lower = i16x8.shl(i16x8.extend_low_i8x16_u(v128.load64_zero(pixel + stride)), COLOR_BITS)
  const two = i16x8.add(upper, i16x8.q15mulr_sat_s(i16x8.sub(lower, upper), i16x8.splat(<i16>below)))
  const next = i16x8.shuffle(two, two, 3, 4, 5, 3, 4, 5, 3, 4)
  const color = i16x8.add(two, i16x8.q15mulr_sat_s(i16x8.sub(next, two), i16x8.splat(<i16>right)))
  const rounded = i16x8.shr_u(i16x8.add(color, i16x8.splat(HALF)), COLOR_BITS)
  return i32x4.extract_lane(i8x16.narrow_i16x8_u(rounded, rounded), 0)
}
