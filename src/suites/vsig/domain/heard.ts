/** What a transcriber heard: in place of an annotation's transcript, and compared with it. */
import { distance } from 'fastest-levenshtein'
import type { VsigSample } from '../samples/sample.ts'
import type { Asr } from './annotation.ts'

/** The clip as if its annotation had the transcript. */
export function withTranscript(sample: VsigSample, heard: Asr | null | undefined): VsigSample {
  if (!heard) return sample
  return { ...sample, annotation: { ...sample.annotation, asr_result: heard } }
}

/** Letters, digits and characters alone, in lower case: punctuation and spaces are not heard. */
function spoken(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Edits per character that was said, at most 1. */
export function characterErrorRate(said: string, heard: string): number {
  const [truth, given] = [spoken(said), spoken(heard)]
  if (truth === '') return given === '' ? 0 : 1
  return Math.min(1, distance(truth, given) / truth.length)
}
