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

/** At a rate, as the last published generation samples: from the first frame, never more often than the clip has frames. */
export function framesAtRate(
  totalFrames: number,
  rate: number,
  fps: number,
  endSeconds: number | null = null,
): number[] {
  const last = totalFrames - 1
  const end = endSeconds === null ? last : Math.min(Math.trunc(endSeconds * fps), last)
  const count = Math.trunc((end / fps) * rate) + 1
  const indices = Array.from({ length: Math.max(0, count) }, (_, i) => Math.trunc((i / rate) * fps))
  return [...new Set(indices.filter((index) => index <= end))]
}

/** The published number of frames. */
export const DEFAULT_FRAMES = 15

/** The sampled frames, and always the last one, because points refer to it. */
export function shownFrames(
  totalFrames: number,
  { frames: count, fps: rate }: { frames: number; fps?: number | undefined },
  fps: number,
  endSeconds: number | null = null,
): number[] {
  const last = totalFrames - 1
  const sampled =
    rate === undefined
      ? sampledFrames(totalFrames, count, fps, endSeconds)
      : framesAtRate(totalFrames, rate, fps, endSeconds)
  const before = rate === undefined && count === 1 ? [] : sampled
  return [...before.filter((index) => index < last), last]
}
