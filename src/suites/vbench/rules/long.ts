/** Long videos: how the published pipeline (VBench-Long) cuts them into clips and joins what the clips say. */
import { BACKGROUND_MAPPING, SUBJECT_MAPPING } from './long-mapping.ts'

export interface ClipRange {
  file: string
  start: number
  /** One past the last frame. */
  end: number
}

/** Clips of equal length; the last reaches back so that it is whole. A video shorter than one clip stays whole. */
export function longClips(stem: string, frames: number, wholeFps: number, seconds: number): ClipRange[] {
  const length = Math.trunc(wholeFps) * Math.trunc(seconds)
  if (length <= 0) throw new RangeError('clips of less than a second have no frames in the published pipeline')
  if (frames < length) return [{ file: `${stem}_full.mp4`, start: 0, end: frames }]
  const clips: ClipRange[] = []
  for (let start = 0; start < frames; start += length) {
    const end = Math.min(start + length, frames)
    clips.push({
      file: `${stem}_${String(clips.length).padStart(3, '0')}.mp4`,
      start: end - length,
      end,
    })
  }
  return clips
}

const STEPS = 100

/** Similarity of clips to each other, mapped to the scale of similarity within clips. */
export function mappedSimilarity(dimension: 'subject_consistency' | 'background_consistency', value: number): number {
  const table = dimension === 'subject_consistency' ? SUBJECT_MAPPING : BACKGROUND_MAPPING
  const position = Math.min(STEPS, Math.max(0, value * STEPS))
  // 0.29 × 100 is a hair below 29: what is that near to a step is meant as the step.
  const nearest = Math.round(position)
  if (Math.abs(position - nearest) < 1e-9) return table[nearest]!
  const below = Math.floor(position)
  return table[below]! + (table[below + 1]! - table[below]!) * (position - below)
}

/** Half from within the clips and half from between them; within alone where nothing is known of the other. */
export function fusedConsistency(withinClips: number, mapped: number): number {
  return mapped === 0 ? withinClips : 0.5 * withinClips + 0.5 * mapped
}
