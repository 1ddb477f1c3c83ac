import type { Baseline } from '../../../suite.ts'
import type { VbenchSample } from '../samples/source.ts'
import { encodeSlots } from '../domain/semaphore.ts'
import type { VbenchOptions, VbenchProfile } from '../options.ts'
import { type Filmed, makeFilm } from './films/film.ts'

function filmed(title: string, how: Filmed): Baseline<VbenchSample, VbenchOptions, VbenchProfile> {
  return {
    title,
    start({ text }) {
      return async ({ sampling }, signal) => ({
        bytes: await encodeSlots.run(() => makeFilm(text, sampling.seed ?? 0, how, signal)),
        type: 'video/mp4',
      })
    },
  }
}

export const baselines = {
  films: filmed('short films from built-in rooms: follows things, colors, places, motion and camera moves', 'moving'),
  still: filmed('the first frame of such a film, motionless', 'still'),
  noise: filmed('new noise in every frame', 'noise'),
}
