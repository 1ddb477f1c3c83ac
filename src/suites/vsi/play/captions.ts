/**
 * The Socratic model of the paper: one model captions every frame, another answers from the captions alone. Neither the
 * paper nor its code has the prompts; these are ours.
 */
import type { Episode, MediaRef, Message, Played } from '../../../suite.ts'
import type { VsiEvent } from '../events.ts'
import type { VsiOutcome } from '../domain/outcome.ts'
import type { Profile } from '../domain/protocol.ts'
import type { VideoOptions } from '../options.ts'
import { captionPrompt, fromCaptionsPrompt } from '../prompts.ts'
import type { VsiSample } from '../samples/sample.ts'
import { askForAnswer, toPlayed } from './answer.ts'
import type { BaselineInput } from './baseline-input.ts'
import { NO_MAP } from './cognitive-map.ts'
import { media, text } from './message-parts.ts'

export async function playFromCaptions(
  sample: VsiSample,
  episode: Episode<Profile>,
  { maxTokens, reasks }: Pick<VideoOptions, 'maxTokens' | 'reasks'>,
  frames: readonly MediaRef[],
  answerInput: BaselineInput,
): Promise<Played<VsiOutcome>> {
  const captions: string[] = []
  for (const frame of frames) captions.push(await captionOf(episode, frame, maxTokens))
  episode.note({ type: 'vsi/captions', captions } satisfies VsiEvent)
  const messages: Message[] = [{ role: 'user', content: fromCaptionsPrompt(sample, captions) }]
  const how = { reasks, maxTokens, direct: true, upstream: false, answerInput }
  const answered = await askForAnswer(sample, episode, messages, how)
  return toPlayed(answered, { form: 'direct', pictures: frames.length, ...NO_MAP })
}

/** Does not depend on the question, so that all questions of a scene share the reply in the cache. */
async function captionOf(episode: Episode, frame: MediaRef, maxTokens: number): Promise<string> {
  const role = episode.has('captioner') ? 'captioner' : 'player'
  const baselineInput: BaselineInput = { ask: 'thought' }
  const content = [media(frame), text(captionPrompt())]
  const reply = await episode.ask(role, [{ role: 'user', content }], {
    temperature: 0,
    maxTokens,
    baselineInput,
    purpose: 'caption',
  })
  return reply.text.trim()
}
