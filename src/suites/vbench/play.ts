/** One video: made by the player, opened, recorded. */
import { basename } from 'node:path'
import { type Episode, type Part, type Played, Random, fileErrorReason, z } from '../../suite.ts'
import { imageFile, imageType, readImage } from './samples/images.ts'
import type { VbenchSample } from './samples/source.ts'
import { openClip } from './domain/clip.ts'
import { tryJson } from './domain/json.ts'
import type { VbenchOutcome } from './domain/outcome.ts'
import { SEEDS } from './domain/seeds.ts'
import type { VbenchOptions, VbenchProfile } from './options.ts'

export async function play(
  sample: VbenchSample,
  episode: Episode<VbenchProfile>,
  options: Pick<VbenchOptions, 'images'>,
): Promise<Played<VbenchOutcome>> {
  const seed = seedOf(sample, episode.epoch)
  const reply = await episode.ask('player', [{ role: 'user', content: await contentOf(sample, episode, options) }], {
    seed,
    purpose: 'video',
    baselineInput: { text: sample.text, seed },
  })
  const [media = null] = reply.media ?? []
  const outcome: VbenchOutcome = { media, seed, clip: null, ...labelOf(reply.text) }
  if (media === null) return { status: 'no_answer', outcome, problem: 'no video was made' }
  try {
    const clip = await openClip(episode.fileOf(media))
    await clip.close()
    return { status: 'answered', outcome: { ...outcome, clip: { ...clip.info, decoder: clip.decoder } } }
  } catch (error) {
    episode.signal.throwIfAborted()
    return { status: 'parse_failed', outcome, problem: `the video cannot be read: ${fileErrorReason(error)}` }
  }
}

/** The prompt, behind the image that the video is to be made from. */
async function contentOf(
  { text, facts }: VbenchSample,
  episode: Pick<Episode, 'keep'>,
  options: Pick<VbenchOptions, 'images'>,
): Promise<string | Part[]> {
  const file = imageFile(facts, options)
  if (file === null) return text
  const bytes = await readImage(file)
  const media = await episode.keep(bytes, imageType(bytes, file), {
    made: 'file',
    shows: 'image',
    file: basename(file),
  })
  return [
    { type: 'media', media },
    { type: 'text', text },
  ]
}

/** Repeats are other videos. */
function seedOf({ seed, id }: VbenchSample, epoch: number): number {
  return epoch === 1 ? seed : new Random(`vbench/epoch/${epoch}/${seed}/${id}`).int(SEEDS)
}

const label = z.object({ file: z.string(), seed: z.int().nullable() })
/** What a player says of a video that was made at another time: which file it is, and with which seed it was made. */
export type VideoLabel = z.infer<typeof label>

function labelOf(text: string): Partial<VideoLabel> {
  return label.safeParse(tryJson(text)).data ?? {}
}
