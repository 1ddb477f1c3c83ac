/** What is recorded of a video that was made. */
import type { MediaRef } from '../../../suite.ts'
import type { ClipFacts } from '../events.ts'
import { LONG_SECONDS } from './dimensions.ts'

export interface VbenchOutcome {
  media: MediaRef | null
  /** Null where it is not known. */
  seed: number | null
  /** Null where there is no video that opens. */
  clip: ClipFacts | null
  /** Of videos from a folder: their name in it. */
  file?: string
}

/** Does the protocol have another pipeline for it? */
export function isLong(clip: Pick<ClipFacts, 'seconds'> | null): boolean {
  return clip !== null && clip.seconds >= LONG_SECONDS
}
