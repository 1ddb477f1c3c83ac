/** Ground truth that is an image: white where a point is right. */
import { z } from 'zod'

/** Lengths of runs of pixels, row by row: outside, inside, outside … */
export const maskSchema = z.object({ width: z.int(), height: z.int(), runs: z.array(z.int()) })
export type RunMask = z.output<typeof maskSchema>

export function runsOf(width: number, height: number, inside: Uint8Array): RunMask {
  const runs: number[] = []
  let [value, length] = [0, 0]
  for (const pixel of inside) {
    if (pixel === value) length++
    else {
      runs.push(length)
      ;[value, length] = [pixel, 1]
    }
  }
  return { width, height, runs: [...runs, length] }
}

/** @param x, y in pixels */
export function isInMask({ width, height, runs }: RunMask, x: number, y: number): boolean {
  const [column, row] = [Math.floor(x), Math.floor(y)]
  if (!(column >= 0 && row >= 0 && column < width && row < height)) return false
  let left = row * width + column
  for (const [i, length] of runs.entries()) {
    if (left < length) return i % 2 === 1
    left -= length
  }
  return false
}

/** The middle of the longest run inside, in pixels; null if there is none. */
export function pointOfMask({ width, runs }: RunMask): [number, number] | null {
  let best: { at: number; length: number } | null = null
  let at = 0
  for (const [i, length] of runs.entries()) {
    // A run may go on in the next row.
    const fits = Math.min(length, width - (at % width))
    if (i % 2 === 1 && fits > (best?.length ?? 0)) best = { at, length: fits }
    at += length
  }
  if (best === null) return null
  const middle = best.at + (best.length >> 1)
  return [(middle % width) + 0.5, Math.floor(middle / width) + 0.5]
}
