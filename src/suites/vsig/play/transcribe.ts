/** What is said in a clip, from its sound: asked of the transcriber, for clips without a transcript. */
import { bestObject, type Episode, writeWav, z } from '../../../suite.ts'
import type { Asr } from '../domain/annotation.ts'
import { speechOf } from '../domain/windows.ts'
import type { HeardEvent } from '../events.ts'
import type { VsigOptions } from '../options.ts'
import type { VsigSample } from '../samples/sample.ts'
import type { OpenClip } from './clip.ts'

/** What a transcriber replies: words with their times in seconds. */
const transcriptSchema = z.object({
  text: z.string(),
  words: z.array(z.object({ word: z.string(), start: z.number(), end: z.number() })).nullish(),
})

/** Null if nothing is asked; an empty transcript if the sound has none that can be read. */
export async function heardSpeech(
  sample: VsigSample,
  episode: Episode,
  { speech }: VsigOptions,
  clip: OpenClip,
): Promise<Asr | null> {
  const own = speechOf(sample.template, sample.annotation)
  const isWanted = speech === 'asr' ? own !== 'silent' : speech === 'text' && own === 'no transcript'
  if (!isWanted || !episode.has('transcriber')) return null
  const sound = await clip.sound()
  const heard = sound === null ? null : await transcribed(episode, clip, writeWav(sound))
  const asr = heard ?? { text: '', words: [] }
  const event: HeardEvent = {
    type: 'vsig/heard',
    text: asr.text ?? '',
    words: (asr.words ?? []).map(({ text, begin_time, end_time }) => ({ text, begin: begin_time!, end: end_time! })),
    problem: sound === null ? 'the clip has no sound' : heard === null ? 'the transcript cannot be read' : null,
  }
  episode.note(event)
  return asr
}

async function transcribed(episode: Episode, clip: OpenClip, wav: Uint8Array): Promise<Asr | null> {
  const media = await episode.keep(wav, 'audio/wav', { ...clip.provenance, made: 'sound' })
  const { text: reply } = await episode.ask('transcriber', [{ role: 'user', content: [{ type: 'media', media }] }], {
    purpose: 'transcribe',
    temperature: 0,
  })
  const parsed = transcriptSchema.safeParse(bestObject(reply, (object) => 'text' in object)?.value)
  if (!parsed.success) return null
  const { text, words } = parsed.data
  return {
    text: text.trim(),
    words: (words ?? []).map(({ word, start, end }) => ({
      text: word.trim(),
      begin_time: Math.round(start * 1000),
      end_time: Math.round(end * 1000),
      punctuation: '',
    })),
  }
}
