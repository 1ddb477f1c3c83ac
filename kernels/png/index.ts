/** The loops over all bytes of a PNG: difference to the row above, checksum, runs, writing of codes. Addresses are given by the caller. */

const FILTER_UP: u8 = 2
const ADLER: u32 = 65521
/** Bytes after which the sums of Adler-32 must be reduced to stay within 32 bits. */
const ADLER_BYTES: u32 = 5552
const LONGEST_RUN: u32 = 130
/** A token is a byte, or this plus the length of a run. */
const RUN: u32 = 256

/** Rows from `first` on, each after a byte that names the filter. May write 15 bytes beyond the last. */
export function filterUp(data: usize, stride: usize, first: usize, rows: usize, block: usize): void {
  for (let row: usize = 0; row < rows; row++) {
    const to = block + row * (stride + 1) + 1
    const from = data + (first + row) * stride
    store<u8>(to - 1, FILTER_UP)
    if (first + row === 0) {
      memory.copy(to, from, stride)
      continue
    }
    for (let i: usize = 0; i < stride; i += 16) {
      v128.store(to + i, i8x16.sub(v128.load(from + i), v128.load(from + i - stride)))
    }
  }
}

/** Adler-32 continued over more bytes, 16 at a time. Within a stretch nothing overflows: sums are reduced after it. */
export function adler(sum: u32, block: usize, length: u32): u32 {
  let low: u64 = sum & 0xffff
  let high: u64 = sum >>> 16
  const weights = i8x16(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
  for (let from: u32 = 0; from < length; from += ADLER_BYTES) {
    const bytes = min(length - from, ADLER_BYTES)
    const whole = bytes & ~15
    let at = block + from
    const end = at + whole
    // Bytes so far, what that was before each step, and bytes by how often they count within their own 16.
    let sums = i32x4.splat(0)
    let before = i32x4.splat(0)
    let weighted = i32x4.splat(0)
    for (; at < end; at += 16) {
      const sixteen = v128.load(at)
      before = i32x4.add(before, sums)
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(sixteen)))
      const products = i16x8.add(
        i16x8.extmul_low_i8x16_u(sixteen, weights),
        i16x8.extmul_high_i8x16_u(sixteen, weights),
      )
      weighted = i32x4.add(weighted, i32x4.extadd_pairwise_i16x8_u(products))
    }
    high += low * whole + 16 * total(before) + total(weighted)
    low += total(sums)
    const rest = block + from + bytes
    for (; at < rest; at++) {
      low += load<u8>(at)
      high += low
    }
    low %= ADLER
    high %= ADLER
  }
  return (<u32>high << 16) | <u32>low
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function total(four: v128): u64 {
  return (
    <u64>(<u32>i32x4.extract_lane(four, 0)) +
    <u64>(<u32>i32x4.extract_lane(four, 1)) +
    <u64>(<u32>i32x4.extract_lane(four, 2)) +
    <u64>(<u32>i32x4.extract_lane(four, 3))
  )
}

/**
 * Turns bytes into tokens of 16 bits and counts their symbols. Gives the number of tokens. Reads 3 bytes beyond the
 * block. Bytes at odd places are counted in a table of their own, `odd` bytes further on: most bytes are like the one
 * before, and two counters do not wait for each other.
 */
export function findRuns(
  block: usize,
  length: usize,
  tokens: usize,
  counts: usize,
  odd: usize,
  runSymbols: usize,
): usize {
  let to = tokens
  const end = block + length
  let at = block
  while (at < end) {
    const byte = <u32>load<u8>(at)
    store<u16>(to, <u16>byte)
    to += 2
    const counter = counts + (byte << 2) + (at & 1) * odd
    store<u32>(counter, load<u32>(counter) + 1)
    const four = load<u32>(at)
    at++
    if (four !== byte * 0x01010101 || at + 3 > end) continue
    let stop = at + 3
    while (stop < end && load<u8>(stop) === <u8>byte) stop++
    while (stop - at >= 3) {
      const run = min(LONGEST_RUN, <u32>(stop - at))
      store<u16>(to, <u16>(RUN + run))
      to += 2
      const symbol = counts + ((<usize>load<u16>(runSymbols + (run << 1))) << 2)
      store<u32>(symbol, load<u32>(symbol) + 1)
      at += run
    }
  }
  return (to - tokens) >> 1
}

/**
 * Writes the codes of tokens, after `filled` bits (less than 8) in the byte at `out`. Gives the number of bits from
 * there on; whole bytes are written, and the last may be a part of one. Codes are 32 bits each, lengths 8.
 */
export function writeCodes(tokens: usize, count: usize, codes: usize, lengths: usize, out: usize, filled: u32): u32 {
  let held = (<u64>load<u8>(out)) & ((1 << filled) - 1)
  let at = out
  const end = tokens + (count << 1)
  for (let token = tokens; token < end; token += 2) {
    const number = <usize>load<u16>(token)
    held |= (<u64>load<u32>(codes + (number << 2))) << filled
    filled += load<u8>(lengths + number)
    if (filled >= 32) {
      store<u32>(at, <u32>held)
      at += 4
      held >>= 32
      filled -= 32
    }
  }
  store<u32>(at, <u32>held)
  return (<u32>(at - out) << 3) + filled
}
