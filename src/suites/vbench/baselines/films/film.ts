/**
 * The built-in generator: short films from our own world, so that every command works without a model. It hears the
 * words of `words.ts` and shows them; of what was made up for the rest of a prompt, the story is the record.
 */
import { type Bitmap, Random, videoBackend } from '../../../../suite.ts'
import { halved, inStyle } from './looks.ts'
import { type Shot, shoot } from './shoot.ts'
import { type Story, tell } from './story.ts'

export const CLIP = { width: 320, height: 192, frames: 16, fps: 8 } as const

/** What is filmed: the story, its first frame all the time, or noise. */
export type Filmed = 'moving' | 'still' | 'noise'

/** Names what makes them: other versions make other clips. */
export const FILMS = 'films-2'

/** A clip as the bytes of an MP4 file. */
export async function makeFilm(
  prompt: string,
  seed: number,
  filmed: Filmed = 'moving',
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const backend = await videoBackend()
  const frames = filmed === 'noise' ? noiseFrames(randomOf(prompt, seed)) : framesOf(prompt, seed, filmed)
  return (await backend.encode(frames, { ...CLIP, quantizer: 20, ...(signal ? { signal } : {}) })).bytes
}

/** What the film of a prompt and a seed shows. */
export function storyOf(prompt: string, seed: number): Story {
  return tell(prompt, randomOf(prompt, seed))
}

function randomOf(prompt: string, seed: number): Random {
  return new Random(`vbench/${FILMS}/${seed}/${prompt}`)
}

/** Pictures are drawn twice as large and made smaller, for smooth edges. */
const LARGE = { width: CLIP.width * 2, height: CLIP.height * 2 }

/** The film before it has its size and its style. */
export function shotsOf(prompt: string, seed: number, size: { width: number; height: number }): IterableIterator<Shot> {
  return shoot(storyOf(prompt, seed), CLIP.frames, size, randomOf(prompt, seed).fork('hand'))
}

export function* framesOf(prompt: string, seed: number, filmed: Exclude<Filmed, 'noise'>): IterableIterator<Bitmap> {
  const { look } = storyOf(prompt, seed)
  for (const { color } of shotsOf(prompt, seed, LARGE)) {
    const frame = inStyle(halved(color, LARGE.width, LARGE.height), look)
    if (filmed === 'moving') yield frame
    else return yield* Array.from({ length: CLIP.frames }, () => frame)
  }
}

function* noiseFrames(random: Random): IterableIterator<Bitmap> {
  const { width, height } = CLIP
  for (let i = 0; i < CLIP.frames; i++) {
    const data = Uint8Array.from({ length: width * height * 3 }, () => random.int(256))
    yield { width, height, channels: 3, data }
  }
}
