/** sRGB to linear light and back, from sums, products and divisions alone: the same tables on every machine. */

/** IEC 61966-2-1. */
export function srgbToLinear(value: number): number {
  if (value <= 0.04045) return value / 12.92
  const x = (value + 0.055) / 1.055
  // x^2.4 = x² · (x²)^(1/5)
  return x * x * fifthRoot(x * x)
}

/** Newton's method; x in (0, 1]. */
function fifthRoot(x: number): number {
  let root = 1
  for (let step = 0; step < 40; step++) {
    const fourth = root * root * root * root
    root -= (fourth * root - x) / (5 * fourth)
  }
  return root
}

/** Index: sRGB 0…255 in quarter steps. */
export const LINEAR_TABLE = Float32Array.from({ length: 1024 }, (_, i) => srgbToLinear(Math.min(i / 1020, 1)))

/** The light at which each sRGB byte but the last gives way to the next. */
const BYTE_ENDS = Float64Array.from({ length: 255 }, (_, byte) => srgbToLinear((byte + 0.5) / 255))

/** Index: square root of linear light in 4,095 steps, which gives the dark end as many entries as the eye wants. */
export const SRGB_TABLE = new Uint8Array(4096)
for (let i = 0, byte = 0; i < SRGB_TABLE.length; i++) {
  const root = i / 4095
  while (byte < BYTE_ENDS.length && root * root >= BYTE_ENDS[byte]!) byte++
  SRGB_TABLE[i] = byte
}

/** Linear light 0…1 to sRGB 0…255. */
export function encodeSrgb(linear: number): number {
  const clamped = linear > 0 ? (linear < 1 ? linear : 1) : 0
  return SRGB_TABLE[Math.floor(Math.sqrt(clamped) * 4095 + 0.5)]!
}

/** Linear light 0…1 as the nearest sRGB byte: exact where `encodeSrgb` is quick. */
export function nearestSrgb(linear: number): number {
  let byte = encodeSrgb(linear)
  while (byte < BYTE_ENDS.length && linear >= BYTE_ENDS[byte]!) byte++
  while (byte > 0 && linear < BYTE_ENDS[byte - 1]!) byte--
  return byte
}

/** Linear light 0…1 of an sRGB byte. */
export function byteToLinear(byte: number): number {
  return LINEAR_TABLE[byte * 4]!
}
