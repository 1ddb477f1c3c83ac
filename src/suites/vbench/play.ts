/** One video: made by the player, looked at by everything that measures, recorded. */
import { whyUnreadable } from '../../base/errors.ts'
import { Random } from '../../base/random.ts'
import type { Episode, Played } from '../../engine/suite.ts'
import type { FlowKernel } from '../../media/flow/index.ts'
import { encoderName, type MediaRef } from '../../media/index.ts'
import type { VbenchSample } from './cases/source.ts'
import { type Instruments, outputsOf, runInstruments } from './measure/instruments.ts'
import type { VbenchOptions } from './options.ts'
import { outcomeOf, type VbenchOutcome, videoEvent } from './domain/outcome.ts'
import { SEEDS } from '../../cli/commands/vbench/video-folder.ts'
import { type Judge, JUDGE_SAMPLING, judgeMeasure } from './measure/judge.ts'
import { measureFile } from './measure/watch.ts'
import { pictureMeasure, type PictureStore } from './measure/strips.ts'
import type { Measure, Output, Results } from './measure/types.ts'
import { looking } from './domain/semaphore.ts'

export async function play(
  sample: VbenchSample,
  episode: Episode,
  options: VbenchOptions,
): Promise<Played<VbenchOutcome>> {
  const seed = seedOf(sample, episode.epoch)
  const reply = await episode.ask('player', [{ role: 'user', content: sample.text }], {
    seed,
    purpose: 'video',
    cue: { text: sample.text, seed },
  })
  const [media = null] = reply.media ?? []
  const judge = new EpisodeJudge(episode)
  const pictures = episodePictures(episode)
  const instruments = await runInstruments(options, sample.dimensions, judge.measures)
  instruments.measures.set('pictures', pictures)
  const wanted = outputsOf(sample, sample.dimensions, instruments.filter)
  const record = (results: Results): VbenchOutcome => outcomeOf(sample, results, instruments, { media, seed, wanted })
  if (media === null) return { status: 'no_answer', outcome: record({}), problem: 'no video was made' }
  let results: Results
  try {
    results = await look(sample, media, episode, instruments, options.pictures ? [...wanted, 'pictures'] : wanted)
  } catch (error) {
    episode.signal.throwIfAborted()
    judge.rethrow()
    return { status: 'parse_failed', outcome: record({}), problem: `the video cannot be read: ${whyUnreadable(error)}` }
  }
  judge.rethrow()
  const outcome = record(results)
  episode.note(videoEvent(sample, outcome, results))
  return { status: 'answered', outcome }
}

/** Repeats are other videos. */
function seedOf({ seed, id }: VbenchSample, epoch: number): number {
  return epoch === 1 ? seed : new Random(`vbench/epoch/${epoch}/${seed}/${id}`).int(SEEDS)
}

function look(
  sample: VbenchSample,
  media: MediaRef,
  episode: Episode,
  { measures }: Instruments,
  wanted: readonly Output[],
): Promise<Results> {
  if (!episode.fileOf) throw new Error('videos need a store to be kept in')
  const { id, prompt, text, dimensions, categories, facts } = sample
  const planned = { prompt, text, dimensions, categories, facts, samples: 1 }
  const subject = { path: episode.fileOf(media), name: id, hash: media.sha256, prompt: planned }
  return looking.take(() => measureFile(subject, wanted, { measures, cache: null, signal: episode.signal }))
}

/** The judge of the run, if it has one. What goes wrong when it is asked ends the episode, as with every model. */
class EpisodeJudge {
  readonly measures: readonly Measure[]
  #problem: { error: unknown } | null = null

  constructor(episode: Episode) {
    if (!episode.has('judge')) {
      this.measures = []
      return
    }
    const judge: Judge = {
      id: 'judge',
      ask: async (messages, { dimension }) => {
        try {
          return (await episode.ask('judge', messages, { ...JUDGE_SAMPLING, purpose: dimension })).text
        } catch (error) {
          this.#problem ??= { error }
          throw error
        }
      },
    }
    const made = { made: 'video-frame', encoder: encoderName('image/jpeg') }
    this.measures = [judgeMeasure(judge, (bytes, size) => episode.keep(bytes, 'image/jpeg', made, size))]
  }

  rethrow(): void {
    if (this.#problem) throw this.#problem.error
  }
}

/** Kernels that episodes hand on to each other. */
const idleKernels: FlowKernel[] = []

function episodePictures(episode: Episode): Measure {
  const store: PictureStore = {
    keep: (jpeg, size, about) =>
      episode.keep(jpeg, 'image/jpeg', { made: 'drawing', shows: about === 'flow' ? 'motion' : 'frames' }, size),
    has: () => Promise.resolve(true),
  }
  return pictureMeasure(store, idleKernels)
}
