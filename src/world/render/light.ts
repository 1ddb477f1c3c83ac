/**
 * Light packed into 32 bits: 9 bits each for r, g, b and 5 for a common exponent (as the OpenGL format RGB9_E5).
 * Off by at most 1/512 of the brightest channel, a third of the memory of three floats.
 */

const MANTISSA = 512
const BIAS = 15
const GREATEST = 65408

export function packLight(r: number, g: number, b: number): number {
  const red = limit(r)
  const green = limit(g)
  const blue = limit(b)
  const brightest = Math.max(red, green, blue)
  let exponent = 0
  let scale = 2 ** (-BIAS - 9)
  while (brightest >= (MANTISSA - 0.5) * scale && exponent < 31) {
    exponent++
    scale *= 2
  }
  return (mantissa(red, scale) | (mantissa(green, scale) << 9) | (mantissa(blue, scale) << 18) | (exponent << 27)) >>> 0
}

function mantissa(value: number, scale: number): number {
  return Math.min(MANTISSA - 1, Math.floor(value / scale + 0.5))
}

/** What one step of a packed channel is worth; exact, as it is a power of two. */
export function lightScale(packed: number): number {
  return LIGHT_SCALES[packed >>> 27]!
}

const LIGHT_SCALES = Float64Array.from({ length: 32 }, (_, exponent) => 2 ** (exponent - BIAS - 9))

function limit(value: number): number {
  return value > 0 ? Math.min(value, GREATEST) : 0
}
