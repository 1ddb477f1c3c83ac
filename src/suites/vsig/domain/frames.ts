/** Selects the frames of a clip to show. */

/** All frames of a short clip, else evenly spaced ones, computed in floating point like the original. */
export function sampledFrames(
  totalFrames: number,
  count: number,
  fps = 30,
  endSeconds: number | null = null,
): number[] {
  const last = totalFrames - 1
  const end = endSeconds === null ? last : Math.min(Math.trunc(endSeconds * fps), last)
  if (end < 0 || count < 1) return []
  if (end < count) return Array.from({ length: end + 1 }, (_, i) => i)
  if (count === 1) return [0]
  const step = end / (count - 1)
  return Array.from({ length: count }, (_, i) => (i === count - 1 ? end : Math.floor(i * step)))
}

/** The published number of frames. */
export const DEFAULT_FRAMES = 15

/** The sampled frames, and always the last one, because points refer to it. */
export function shownFrames(
  totalFrames: number,
  count: number,
  fps: number,
  endSeconds: number | null = null,
): number[] {
  const last = totalFrames - 1
  const before = count === 1 ? [] : sampledFrames(totalFrames, count, fps, endSeconds)
  return [...before.filter((index) => index < last), last]
}
