/** Image metrics that choose the first view. */

/** Share of pixels that are not pure white, the color of the background. */
export function visibility(rgb: Uint8Array): number {
  let seen = 0
  for (let i = 0; i < rgb.length; i += 3) if ((rgb[i]! & rgb[i + 1]! & rgb[i + 2]!) !== 255) seen += 1
  return rgb.length === 0 ? 0 : seen / (rgb.length / 3)
}

/** Grayscale as OpenCV computes it: 15-bit fixed-point weights, rounded. */
export function toGrayscale(rgb: Uint8Array): Uint8Array {
  const gray = new Uint8Array(rgb.length / 3)
  for (let i = 0; i < gray.length; i++) {
    gray[i] = (9798 * rgb[3 * i]! + 19235 * rgb[3 * i + 1]! + 3735 * rgb[3 * i + 2]! + 16384) >> 15
  }
  return gray
}

/** Population variance of the four-neighbor Laplacian of the grayscale image; borders are mirrored without repeating. */
export function laplacianVariance(rgb: Uint8Array, width: number, height: number): number {
  const gray = toGrayscale(rgb)
  let sum = 0
  let squares = 0
  for (let y = 0; y < height; y++) {
    const row = y * width
    const above = mirrorIndex(y - 1, height) * width
    const below = mirrorIndex(y + 1, height) * width
    for (let x = 0; x < width; x++) {
      const left = gray[row + mirrorIndex(x - 1, width)]!
      const right = gray[row + mirrorIndex(x + 1, width)]!
      const value = gray[above + x]! + gray[below + x]! + left + right - 4 * gray[row + x]!
      sum += value
      squares += value * value
    }
  }
  const n = width * height
  // Both sums are exact integers, so one pass is as accurate as two.
  return n === 0 ? 0 : (squares - (sum * sum) / n) / n
}

function mirrorIndex(at: number, size: number): number {
  if (size === 1) return 0
  return at < 0 ? -at : at >= size ? 2 * size - 2 - at : at
}

/** Index of the highest score; the first one on a tie. */
export function indexOfMax(scores: readonly number[]): number {
  let best = 0
  for (let i = 1; i < scores.length; i++) if (scores[i]! > scores[best]!) best = i
  return best
}
