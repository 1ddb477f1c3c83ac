/** Which frames of a clip are shown. */

/** Every one of a short clip, else evenly spread, in floating point as the original has it. */
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
