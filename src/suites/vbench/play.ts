/** One video: made by the player, opened, recorded. */
import { type Episode, type Played, Random, fileErrorReason, z } from '../../suite.ts'
import type { VbenchSample } from './samples/source.ts'
import { openClip } from './domain/clip.ts'
import { tryJson } from './domain/json.ts'
import type { VbenchOutcome } from './domain/outcome.ts'
import { SEEDS } from './domain/seeds.ts'
import type { VbenchProfile } from './options.ts'

export async function play(sample: VbenchSample, episode: Episode<VbenchProfile>): Promise<Played<VbenchOutcome>> {
  const seed = seedOf(sample, episode.epoch)
  const reply = await episode.ask('player', [{ role: 'user', content: sample.text }], {
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
