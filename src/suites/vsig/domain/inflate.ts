/**
 * Inflate for masks. A mask of a full frame is two million bytes, nearly all of them zero, of which a score asks for one:
 * this inflates into a buffer that is zero already, steps over what it would fill with zeros, and stops where it is told
 * to. On the masks of the data set it takes a fraction of the time of zlib, which has to write every byte.
 */

const WINDOW_BITS = 9
const WINDOW_MASK = (1 << WINDOW_BITS) - 1
const MAX_BITS = 15
// oxfmt-ignore
const LENGTH_BASE = Uint16Array.of(
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
  258,
)
// oxfmt-ignore
const LENGTH_EXTRA = Uint8Array.of(
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
)
// oxfmt-ignore
const DISTANCE_BASE = Uint16Array.of(
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577,
)
// oxfmt-ignore
const DISTANCE_EXTRA = Uint8Array.of(
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
)
// oxfmt-ignore
const CODE_ORDER = Uint8Array.of(
  16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
)
/** A match of so few bits is looked for again behind itself. */
const REPEAT_BITS = 15
/** A match shorter than this is copied by hand: a call costs more. */
const SHORT_COPY = 24

/** A Huffman code: short codes by table (symbol << 4 | bits), long ones by counting. */
interface Code {
  table: Uint16Array
  counts: Uint16Array
  symbols: Uint16Array
}

function newCode(symbols: number): Code {
  return {
    table: new Uint16Array(1 << WINDOW_BITS),
    counts: new Uint16Array(MAX_BITS + 1),
    symbols: new Uint16Array(symbols),
  }
}

const offsets = new Uint16Array(MAX_BITS + 2)
const nextCode = new Uint16Array(MAX_BITS + 2)

function buildCode(code: Code, lengths: Uint8Array, from: number, count: number): void {
  const { counts, symbols, table } = code
  counts.fill(0)
  table.fill(0)
  for (let i = 0; i < count; i++) counts[lengths[from + i]!]!++
  counts[0] = 0
  offsets[1] = 0
  nextCode[1] = 0
  for (let bits = 1; bits <= MAX_BITS; bits++) {
    offsets[bits + 1] = offsets[bits]! + counts[bits]!
    nextCode[bits + 1] = (nextCode[bits]! + counts[bits]!) << 1
  }
  for (let symbol = 0; symbol < count; symbol++) {
    const bits = lengths[from + symbol]!
    if (bits === 0) continue
    symbols[offsets[bits]!++] = symbol
    const word = nextCode[bits]!++
    if (bits > WINDOW_BITS) continue
    let reversed = 0
    for (let i = 0; i < bits; i++) reversed |= ((word >> i) & 1) << (bits - 1 - i)
    for (let at = reversed; at < 1 << WINDOW_BITS; at += 1 << bits) table[at] = (symbol << 4) | bits
  }
}

/** A code too long for the table, in the table's form; 0 when there is none. */
function longCode({ counts, symbols }: Code, hold: number): number {
  let word = 0
  let first = 0
  let index = 0
  for (let bits = 1; bits <= MAX_BITS; bits++) {
    word |= (hold >> (bits - 1)) & 1
    const count = counts[bits]!
    if (word - count < first) return (symbols[index + (word - first)]! << 4) | bits
    index += count
    first = (first + count) << 1
    word <<= 1
  }
  return 0
}

const literals = newCode(288)
const distances = newCode(32)
const lengthsCode = newCode(19)
const lengths = new Uint8Array(320)

export interface SparseBytes {
  bytes: Uint8Array
  /** How far the data reaches; less than asked for when the stream ends before. */
  length: number
  /** All bytes outside [firstSet, lastSet] are zero. */
  firstSet: number
  lastSet: number
}

/**
 * Inflates a zlib stream into `bytes`, which must be all zero, until `until` bytes are there. Null when the stream is
 * broken before that. The caller makes [firstSet, lastSet] zero again before the buffer is used anew.
 */
export function inflateSparse(input: Uint8Array, bytes: Uint8Array, until: number): SparseBytes | null {
  const state: SparseBytes = { bytes, length: 0, firstSet: bytes.length, lastSet: -1 }
  if (input.length < 2 || (input[0]! & 15) !== 8 || (input[1]! & 32) !== 0) return null
  let at = 2
  let hold = 0
  let held = 0
  let out = 0
  let firstSet = bytes.length
  let lastSet = -1
  const end = input.length
  const limit = bytes.length

  /** Bits below 16 of the stream, as a number. */
  const take = (count: number): number => {
    while (held < count) {
      hold |= (at < end ? input[at]! : 0) << held
      at++
      held += 8
    }
    const value = hold & ((1 << count) - 1)
    hold >>>= count
    held -= count
    return value
  }
  const decode = (code: Code): number => {
    while (held < MAX_BITS) {
      hold |= (at < end ? input[at]! : 0) << held
      at++
      held += 8
    }
    const found = code.table[hold & WINDOW_MASK]! || longCode(code, hold)
    hold >>>= found & 15
    held -= found & 15
    return found === 0 ? -1 : found >> 4
  }
  /** Past the end by more than what was read ahead: the stream is cut off. */
  const isCut = (): boolean => at - (held >> 3) > end

  for (let isLast = false; !isLast && out < until;) {
    isLast = take(1) === 1
    const kind = take(2)
    if (kind === 0) {
      at -= held >> 3
      hold = held = 0
      if (at + 4 > end) return null
      const size = input[at]! | (input[at + 1]! << 8)
      at += 4
      if (at + size > end || out + size > bytes.length) return null
      bytes.set(input.subarray(at, at + size), out)
      if (size > 0) {
        if (out < firstSet) firstSet = out
        lastSet = out + size - 1
      }
      at += size
      out += size
      continue
    }
    if (kind === 3) return null
    if (kind === 1) {
      lengths.fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280, 288).fill(5, 288, 318)
      buildCode(literals, lengths, 0, 288)
      buildCode(distances, lengths, 288, 30)
    } else {
      const literalCount = take(5) + 257
      const distanceCount = take(5) + 1
      const codeCount = take(4) + 4
      lengths.fill(0)
      for (let i = 0; i < codeCount; i++) lengths[CODE_ORDER[i]!] = take(3)
      buildCode(lengthsCode, lengths, 0, 19)
      lengths.fill(0)
      for (let i = 0; i < literalCount + distanceCount;) {
        const symbol = decode(lengthsCode)
        if (symbol < 0 || isCut()) return null
        if (symbol < 16) {
          lengths[i++] = symbol
          continue
        }
        if (symbol === 16 && i === 0) return null
        const value = symbol === 16 ? lengths[i - 1]! : 0
        const times = symbol === 16 ? 3 + take(2) : symbol === 17 ? 3 + take(3) : 11 + take(7)
        if (i + times > literalCount + distanceCount) return null
        lengths.fill(value, i, i + times)
        i += times
      }
      buildCode(literals, lengths, 0, literalCount)
      buildCode(distances, lengths, literalCount, distanceCount)
    }
    // From here on everything is in local variables and written out: this is where the time goes.
    const { table: literalTable } = literals
    const { table: distanceTable } = distances
    let bits = hold
    let have = held
    let next = at
    let isEnd = false
    while (out < until) {
      while (have < MAX_BITS) {
        bits |= (next < end ? input[next]! : 0) << have
        next++
        have += 8
      }
      const whole = bits
      let found = literalTable[bits & WINDOW_MASK]!
      if (found === 0) found = longCode(literals, bits)
      if (found === 0) return null
      bits >>>= found & 15
      have -= found & 15
      const symbol = found >> 4
      let size = found & 15
      if (symbol < 256) {
        if (out >= limit) return null
        if (symbol !== 0) {
          bytes[out] = symbol
          if (out < firstSet) firstSet = out
          lastSet = out
        }
        out++
        continue
      }
      if (next - (have >> 3) > end) return null
      if (symbol === 256) {
        isEnd = true
        break
      }
      if (symbol > 285) return null
      const lengthBits = LENGTH_EXTRA[symbol - 257]!
      const length = LENGTH_BASE[symbol - 257]! + (bits & ((1 << lengthBits) - 1))
      bits >>>= lengthBits
      have -= lengthBits
      size += lengthBits
      while (have < MAX_BITS) {
        bits |= (next < end ? input[next]! : 0) << have
        next++
        have += 8
      }
      found = distanceTable[bits & WINDOW_MASK]!
      if (found === 0) found = longCode(distances, bits)
      if (found === 0) return null
      bits >>>= found & 15
      have -= found & 15
      size += found & 15
      const which = found >> 4
      if (which > 29) return null
      const distanceBits = DISTANCE_EXTRA[which]!
      while (have < distanceBits) {
        bits |= (next < end ? input[next]! : 0) << have
        next++
        have += 8
      }
      const distance = DISTANCE_BASE[which]! + (bits & ((1 << distanceBits) - 1))
      bits >>>= distanceBits
      have -= distanceBits
      if (distance > out || out + length > limit) return null
      const from = out - distance
      // A copy of zeros: they are there already.
      if (from > lastSet) {
        out += length
        // A row of nothing is the same match over and over: as long as its bits repeat, nothing has to be looked up.
        size += distanceBits
        if (size > REPEAT_BITS) continue
        const mask = (1 << size) - 1
        const pattern = whole & mask
        for (;;) {
          while (have < REPEAT_BITS) {
            bits |= (next < end ? input[next]! : 0) << have
            next++
            have += 8
          }
          if ((bits & mask) !== pattern || out + length > until) break
          bits >>>= size
          have -= size
          out += length
        }
        if (next - (have >> 3) > end) return null
        continue
      }
      if (distance >= length && length > SHORT_COPY) bytes.copyWithin(out, from, from + length)
      else if (distance === 1) bytes.fill(bytes[from]!, out, out + length)
      else for (let i = 0; i < length; i++) bytes[out + i] = bytes[from + i]!
      if (out < firstSet) firstSet = out
      lastSet = out + length - 1
      out += length
    }
    hold = bits
    held = have
    at = next
    if (!isEnd) break
  }
  state.length = out
  state.firstSet = firstSet
  state.lastSet = lastSet
  return state
}
