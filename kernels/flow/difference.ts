/** Sum of absolute differences of two runs of bytes. */
export function absoluteDifference(a: usize, b: usize, length: i32): f64 {
  const end = length & ~15
  let i = 0
  let total: f64 = 0
  while (i < end) {
    // 16-bit lanes hold 128 additions of two bytes each before they could overflow.
    const stop = min(end, i + 16 * 128)
    let sum = i32x4.splat(0)
    let block = i16x8.splat(0)
    for (; i < stop; i += 16) {
      const x = v128.load(a + i)
      const y = v128.load(b + i)
      const difference = v128.or(i8x16.sub_sat_u(x, y), i8x16.sub_sat_u(y, x))
      block = i16x8.add(block, i16x8.extadd_pairwise_i8x16_u(difference))
    }
    sum = i32x4.extadd_pairwise_i16x8_u(block)
    total += <f64>(
      (i32x4.extract_lane(sum, 0) +
        i32x4.extract_lane(sum, 1) +
        i32x4.extract_lane(sum, 2) +
        i32x4.extract_lane(sum, 3))
    )
  }
  for (; i < length; i++) total += <f64>abs(<i32>load<u8>(a + i) - <i32>load<u8>(b + i))
  return total
}
