import type { Baseline } from '../../../engine/suite.ts'
import type { VbenchSample } from '../cases/source.ts'
import type { VbenchOptions } from '../options.ts'
import { type Drawn, proceduralGenerator } from './procedural.ts'
import { drawing } from '../domain/semaphore.ts'

function drawn(title: string, how: Drawn): Baseline<VbenchSample, VbenchOptions> {
  return {
    title,
    start({ text, prompt, index }) {
      const generator = proceduralGenerator(how)
      return async ({ sampling }, signal = new AbortController().signal) => ({
        bytes: await drawing.take(() => generator.make({ text, seed: sampling.seed ?? 0, prompt, index, signal })),
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
