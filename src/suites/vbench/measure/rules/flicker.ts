/** Temporal flickering: how much neighbouring frames differ. Needs no network. */

/** Score of a clip from the mean absolute differences (0…255) of its neighbouring frames; null with one frame. */
export function flickerScore(differences: readonly number[]): number | null {
  if (differences.length === 0) return null
  let sum = 0
  for (const difference of differences) sum += difference
  return (255 - sum / differences.length) / 255
}
