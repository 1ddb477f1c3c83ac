/** RGB to the planes of a video: BT.601, limited range, a chroma sample for each two by two pixels. Whole numbers throughout. */

/** Fraction bits of the weights, which round half up. */
const BITS: i32 = 16
const ONE: i32 = 1 << BITS
const LUMA_START: i32 = 16 * ONE + (ONE >> 1)
const CHROMA_BITS: i32 = BITS + 2
const CHROMA_START: i32 = 128 * 4 * ONE + 2 * ONE

/** Weights of red, green and blue, of which the sums are 219 ÷ 255 and 0. Of green in luma, too large for 16 bits, in two parts. */
const Y_RED: i16 = 16829
const Y_GREEN: i16 = 16520
const Y_GREEN_REST: i16 = 16519
const Y_BLUE: i16 = 6416
const U_RED: i16 = -9714
const U_GREEN: i16 = -19071
const U_BLUE: i16 = 28784
const V_RED: i16 = 28784
const V_GREEN: i16 = -24103
const V_BLUE: i16 = -4681

/** Four pixels at a time. Reads up to 15 bytes behind the picture; both sides are even. */
export function toPlanes(rgb: usize, channels: usize, width: usize, height: usize, y: usize, u: usize, v: usize): void {
  const redGreen = channels === 3 ? i8x16(0, -1, 1, -1, 3, -1, 4, -1, 6, -1, 7, -1, 9, -1, 10, -1) : i8x16(0, -1, 1, -1, 4, -1, 5, -1, 8, -1, 9, -1, 12, -1, 13, -1)
  const blueGreen = channels === 3 ? i8x16(2, -1, 1, -1, 5, -1, 4, -1, 8, -1, 7, -1, 11, -1, 10, -1) : i8x16(2, -1, 1, -1, 6, -1, 5, -1, 10, -1, 9, -1, 14, -1, 13, -1)
  const row = width * channels
  for (let pair: usize = 0; pair < height; pair += 2) {
    for (let x: usize = 0; x < width; x += 4) {
      const upper = v128.load(rgb + x * channels)
      const lower = v128.load(rgb + row + x * channels)
      const upperRg = i8x16.swizzle(upper, redGreen)
      const lowerRg = i8x16.swizzle(lower, redGreen)
      const upperBg = i8x16.swizzle(upper, blueGreen)
      const lowerBg = i8x16.swizzle(lower, blueGreen)
      const above = luma(upperRg, upperBg)
      const below = luma(lowerRg, lowerBg)
      const rg = i16x8.add(upperRg, lowerRg)
      const bg = i16x8.add(upperBg, lowerBg)
      const us = chroma(i32x4.add(
        i32x4.dot_i16x8_s(rg, i16x8(U_RED, U_GREEN, U_RED, U_GREEN, U_RED, U_GREEN, U_RED, U_GREEN)),
        i32x4.dot_i16x8_s(bg, i16x8(U_BLUE, 0, U_BLUE, 0, U_BLUE, 0, U_BLUE, 0)),
      ))
      const vs = chroma(i32x4.add(
        i32x4.dot_i16x8_s(rg, i16x8(V_RED, V_GREEN, V_RED, V_GREEN, V_RED, V_GREEN, V_RED, V_GREEN)),
        i32x4.dot_i16x8_s(bg, i16x8(V_BLUE, 0, V_BLUE, 0, V_BLUE, 0, V_BLUE, 0)),
      ))
      if (x + 4 <= width) {
        store<u32>(y + x, above)
        store<u32>(y + width + x, below)
        store<u16>(u + (x >> 1), <u16>us)
        store<u16>(v + (x >> 1), <u16>vs)
      } else {
        store<u16>(y + x, <u16>above)
        store<u16>(y + width + x, <u16>below)
        store<u8>(u + (x >> 1), <u8>us)
        store<u8>(v + (x >> 1), <u8>vs)
      }
    }
    rgb += 2 * row
    y += 2 * width
    u += width >> 1
    v += width >> 1
  }
}

/** Of four pixels, as bytes. */
// @ts-ignore: decorator
@inline
function luma(rg: v128, bg: v128): u32 {
  const sums = i32x4.add(
    i32x4.add(
      i32x4.dot_i16x8_s(rg, i16x8(Y_RED, Y_GREEN, Y_RED, Y_GREEN, Y_RED, Y_GREEN, Y_RED, Y_GREEN)),
      i32x4.dot_i16x8_s(bg, i16x8(Y_BLUE, Y_GREEN_REST, Y_BLUE, Y_GREEN_REST, Y_BLUE, Y_GREEN_REST, Y_BLUE, Y_GREEN_REST)),
    ),
    i32x4.splat(LUMA_START),
  )
  const narrow = i16x8.narrow_i32x4_u(i32x4.shr_s(sums, BITS), sums)
  return i32x4.extract_lane(i8x16.narrow_i16x8_u(narrow, narrow), 0)
}

/** Of two by two pixels each, as bytes, from the sums of two columns next to each other. */
// @ts-ignore: decorator
@inline
function chroma(columns: v128): u32 {
  const sums = i32x4.add(columns, i32x4.shuffle(columns, columns, 1, 0, 3, 2))
  const rounded = i32x4.shr_s(i32x4.add(sums, i32x4.splat(CHROMA_START)), CHROMA_BITS)
  return (i32x4.extract_lane(rounded, 0) & 255) | ((i32x4.extract_lane(rounded, 2) & 255) << 8)
}
