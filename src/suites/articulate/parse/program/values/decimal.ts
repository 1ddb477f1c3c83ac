/** Floats as decimal digits, rounded as C does: exactly, halves to even. */

const MANTISSA = 2n ** 52n
const MOST_DIGITS = 1100

/** A finite float as a fraction of integers. */
export function fractionOf(value: number): { over: bigint; under: bigint } {
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, value)
  const raw = bits.getBigUint64(0)
  const exponent = Number((raw >> 52n) & 0x7ffn)
  const fraction = raw & (MANTISSA - 1n)
  const mantissa = exponent === 0 ? fraction : fraction + MANTISSA
  const power = (exponent === 0 ? 1 : exponent) - 1075
  const over = raw >> 63n === 1n ? -mantissa : mantissa
  return power >= 0 ? { over: over << BigInt(power), under: 1n } : { over, under: 1n << BigInt(-power) }
}

/** The integer nearest to a fraction that is not negative; halves go to the even one. */
export function nearest(over: bigint, under: bigint): bigint {
  const [whole, rest] = [over / under, over % under]
  const twice = rest * 2n
  return twice > under || (twice === under && whole % 2n === 1n) ? whole + 1n : whole
}

/** The digits of |value| with so many after the point. */
export function fixed(value: number, places: number): string {
  // No float has more digits than this; the rest are zeros.
  if (places > MOST_DIGITS) return fixed(value, MOST_DIGITS) + '0'.repeat(places - MOST_DIGITS)
  const { over, under } = fractionOf(Math.abs(value))
  const digits = nearest(over * 10n ** BigInt(places), under).toString()
  if (places === 0) return digits
  const padded = digits.padStart(places + 1, '0')
  return `${padded.slice(0, -places)}.${padded.slice(-places)}`
}

/** |value| as so many significant digits and a power of ten: 1234 with 2 is `12` and 3. */
export function significant(value: number, count: number): { digits: string; exponent: number } {
  if (value === 0) return { digits: '0'.repeat(count), exponent: 0 }
  if (count > MOST_DIGITS) {
    const { digits, exponent } = significant(value, MOST_DIGITS)
    return { digits: digits + '0'.repeat(count - MOST_DIGITS), exponent }
  }
  const { over, under } = fractionOf(Math.abs(value))
  let exponent = Math.floor(Math.log10(Math.abs(value)))
  for (;;) {
    const shift = count - 1 - exponent
    const scaled =
      shift >= 0 ? nearest(over * 10n ** BigInt(shift), under) : nearest(over, under * 10n ** BigInt(-shift))
    const digits = scaled.toString()
    if (digits.length === count) return { digits, exponent }
    // The logarithm, or rounding up to the next power of ten, was off by one.
    exponent += digits.length > count ? 1 : -1
  }
}

/** The shortest digits that read back as |value|, and its power of ten. */
export function shortest(value: number): { digits: string; exponent: number } {
  const [digits = '', exponent = '0'] = Math.abs(value).toExponential().split('e')
  return { digits: digits.replace('.', ''), exponent: Number(exponent) }
}

export function exponentText(exponent: number): string {
  return `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** Digits with the point at its place, without an exponent. */
export function positional(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`
  if (digits.length <= exponent + 1) return digits + '0'.repeat(exponent + 1 - digits.length)
  return `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`
}

export function scientific(digits: string, exponent: number): string {
  return `${digits[0]}${digits.length > 1 ? `.${digits.slice(1)}` : ''}${exponentText(exponent)}`
}
