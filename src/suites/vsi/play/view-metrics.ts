/** How much there is to see in a picture: what the first view is chosen by. */

/** Share of the pixels that are not pure white, which is the background. */
export function visibility(rgb: Uint8Array): number {
  let seen = 0
  for (let i = 0; i < rgb.length; i += 3) if ((rgb[i]! & rgb[i + 1]! & rgb[i + 2]!) !== 255) seen += 1
  return rgb.length === 0 ? 0 : seen / (rgb.length / 3)
}

/** Grey values as OpenCV has them: weights in 15 bits, rounded. */
export function toGrayscale(rgb: Uint8Array): Uint8Array {
  const grey = new Uint8Array(rgb.length / 3)
  for (let i = 0; i < grey.length; i++) {
    grey[i] = (9798 * rgb[3 * i]! + 19235 * rgb[3 * i + 1]! + 3735 * rgb[3 * i + 2]! + 16384) >> 15
  }
  return grey
}

/** Population variance of the four-neighbour Laplacian of the grey picture; edges mirror without repeating. */
export function laplacianVariance(rgb: Uint8Array, width: number, height: number): number {
  const grey = toGrayscale(rgb)
  let sum = 0
  let squares = 0
  for (let y = 0; y < height; y++) {
    const row = y * width
    const above = mirrorIndex(y - 1, height) * width
    const below = mirrorIndex(y + 1, height) * width
    for (let x = 0; x < width; x++) {
      const left = grey[row + mirrorIndex(x - 1, width)]!
      const right = grey[row + mirrorIndex(x + 1, width)]!
      const value = grey[above + x]! + grey[below + x]! + left + right - 4 * grey[row + x]!
      sum += value
      squares += value * value
    }
  }
  const n = width * height
  // Whole numbers: both sums are exact, so this loses nothing that a second pass would keep.
  return n === 0 ? 0 : (squares - (sum * sum) / n) / n
}

function mirrorIndex(at: number, size: number): number {
  if (size === 1) return 0
  return at < 0 ? -at : at >= size ? 2 * size - 2 - at : at
}

/** The place of the largest score, the first of equals. */
export function indexOfMax(scores: readonly number[]): number {
  let best = 0
  for (let i = 1; i < scores.length; i++) if (scores[i]! > scores[best]!) best = i
  return best
}
