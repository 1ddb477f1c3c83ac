import type { Baseline } from '../../../suite.ts'
import type { VbenchSample } from '../samples/source.ts'
import { encodeSlots } from '../domain/semaphore.ts'
import type { VbenchOptions, VbenchProfile } from '../options.ts'
import { drawClip, type Drawn } from './procedural.ts'

function drawn(title: string, how: Drawn): Baseline<VbenchSample, VbenchOptions, VbenchProfile> {
  return {
    title,
    start({ text }) {
      return async ({ sampling }, signal) => ({
        bytes: await encodeSlots.run(() => drawClip(text, sampling.seed ?? 0, how, signal)),
        type: 'video/mp4',
      })
    },
  }
}

export const baselines = {
  procedural: drawn('draws small clips: hears colours, "still", and camera moves', 'moving'),
  still: drawn('one drawn picture that never moves: what standing still is worth', 'still'),
  noise: drawn('new noise in every frame', 'noise'),
}
