/** Selects the frames of a video to show. */

/**
 * `count` of `total` frames, evenly spaced, first and last included. The step is a double, as in the published code:
 * integer arithmetic selects different frames for some lengths (64 of 154 frames: 51 instead of 50).
 *
 * @example
 * sampledFrames(100, 8) // [0, 14, 28, 42, 56, 70, 84, 99]
 */
export function sampledFrames(total: number, count: number): number[] {
  const shown = Math.min(count, total)
  if (shown <= 0) return []
  if (shown === 1) return [0]
  const step = (total - 1) / (shown - 1)
  return Array.from({ length: shown }, (_, i) => (i === shown - 1 ? total - 1 : Math.floor(i * step)))
}
