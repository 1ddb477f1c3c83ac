/** The conversations of `vsi/video` and `vsi/blind`: one question, with all images or none. */
import {
  type Episode,
  type MediaRef,
  type Message,
  type Played,
  QUICK_PNG_NAME,
  sampledFrames,
} from '../../../suite.ts'
import { toMatrix } from '../../../world.ts'
import { askForMap, ownMapRequest } from './ask-map.ts'
import { askForAnswer, readReply, toPlayed } from './answer.ts'
import { playFromCaptions } from './captions.ts'
import { exchange, mapExtent, mapSubject, NO_MAP, outcomeOf, playCognitiveMap } from './cognitive-map.ts'
import { reasonedReply } from './reason.ts'
import type { VsiSample } from '../samples/sample.ts'
import type { BaselineInput, ShownFrames } from './baseline-input.ts'
import type { VsiEvent } from '../events.ts'
import { walkthroughEvent, questionEvent } from './event-builders.ts'
import { media as mediaPart, type Part, text } from './message-parts.ts'
import type { BlindOptions, VideoOptions } from '../options.ts'
import { cameraFor } from '../domain/camera.ts'
import { sharesFrom } from '../domain/evidence.ts'
import type { VsiOutcome } from '../domain/outcome.ts'
import { blindPrompt, leaderboardPrompt, optionalPrompt, promptWith, thinkPrompt, videoPrompt } from '../prompts.ts'
import { loadStage } from '../domain/scene/stages.ts'
import type { Walkthrough } from '../domain/scene/walkthrough.ts'
import { type Profile, REASONED } from '../domain/protocol.ts'

export async function playVideo(
  sample: VsiSample,
  episode: Episode<Profile>,
  options: VideoOptions,
  walkthrough: Walkthrough,
): Promise<Played<VsiOutcome>> {
  const upstream = episode.profile === 'upstream'
  episode.note(questionEvent(sample))
  episode.note(walkthroughEvent(walkthrough))
  const media =
    options.input === 'video'
      ? [await keepVideo(episode, walkthrough)]
      : await keepFrames(episode, walkthrough, options.frames)
  const pictures = media.map(mediaPart)
  const shown = () => shownFrames(sample, episode, options, walkthrough)
  const subject = await mapSubject(sample, episode, options)
  if (subject !== null) return playCognitiveMap(sample, episode, options, { pictures, subject, shown, upstream })
  const method = REASONED.find((name) => name === options.prompts)
  const direct =
    ['leaderboard', 'captions'].includes(options.prompts) || options.cognitiveMap !== undefined || method !== undefined
  const answerInput: BaselineInput = { ask: 'answer', bare: direct, shown }
  if (options.prompts === 'captions') return playFromCaptions(sample, episode, options, media, answerInput)
  if (method !== undefined) {
    const reply = await reasonedReply(method, { ...options, sample, episode, pictures, answerInput })
    return toPlayed(readReply(sample, episode, reply, { direct, upstream }), {
      ...NO_MAP,
      form: 'direct',
      pictures: media.length,
    })
  }
  const frames = options.input === 'video' ? walkthrough.frames : media.length
  const prompt =
    options.prompts === 'think' ? thinkPrompt(sample) : direct ? leaderboardPrompt(sample) : videoPrompt(sample, frames)
  // The published baseline puts the text first.
  const textFirst = upstream || options.order === 'text-first'
  const request = options.map ? ownMapRequest(sample) : null
  const map =
    request === null
      ? null
      : await askForMap(sample, episode, pictures, await mapExtent(sample, episode), options.maxTokens, request)
  const content: Part[] =
    map !== null
      ? [text(`${promptWith('map-then')}\n\n${prompt}`)]
      : textFirst
        ? [text(prompt), ...pictures]
        : [...pictures, text(prompt), ...(options.repeat === 2 ? pictures : [])]
  const messages: Message[] = [
    ...(options.repeat === 2 ? [{ role: 'system', content: optionalPrompt('repeat') } as const] : []),
    ...(map === null ? [] : exchange(map.said)),
    { role: 'user', content },
  ]
  const answered = await askForAnswer(sample, episode, messages, {
    ...options,
    // The words of a second request are about JSON.
    reasks: options.prompts === 'think' ? 0 : options.reasks,
    direct,
    upstream,
    answerInput,
  })
  return toPlayed(answered, { form: direct ? 'direct' : 'json', pictures: media.length, ...outcomeOf(map) })
}

export async function playBlind(
  sample: VsiSample,
  episode: Episode<Profile>,
  options: BlindOptions,
): Promise<Played<VsiOutcome>> {
  const upstream = episode.profile === 'upstream'
  episode.note(questionEvent(sample))
  const message: Message = { role: 'user', content: blindPrompt(sample) }
  const answered = await askForAnswer(sample, episode, [message], {
    ...options,
    direct: false,
    upstream,
    answerInput: { ask: 'answer' },
  })
  return toPlayed(answered, { form: 'json', pictures: 0, ...NO_MAP })
}

/** What the shown images show of the objects of a built-in scene, for baselines. */
async function shownFrames(
  { scene }: VsiSample,
  { files }: Episode,
  options: VideoOptions,
  walkthrough: Walkthrough,
): Promise<ShownFrames> {
  const { renderer, objects } = await loadStage(scene, files)
  const camera = cameraFor(scene, options)
  const { frames } = walkthrough
  const indices = sampledFrames(frames, options.input === 'video' ? frames : options.frames)
  const poses = indices.flatMap((index) => walkthrough.poseOf(index) ?? [])
  return { objects, images: poses.map((pose) => sharesFrom(renderer, camera, pose)) }
}

async function keepFrames(episode: Episode, walkthrough: Walkthrough, count: number): Promise<MediaRef[]> {
  const indices = sampledFrames(walkthrough.frames, count)
  const refs: MediaRef[] = []
  const images = await walkthrough.frameImages(indices, (done) =>
    episode.progress('Rendering frames', done, indices.length),
  )
  for (const { index, png, width, height, pose } of images) {
    const provenance = {
      made: pose === null ? 'video-frame' : 'render',
      ...walkthrough.provenance,
      frame: index,
      frames: walkthrough.frames,
      ...(pose && { pose: toMatrix(pose) }),
      encoder: QUICK_PNG_NAME,
    }
    const media = await episode.keep(png, 'image/png', provenance, { width, height })
    refs.push(media)
    episode.note({
      type: 'vsi/frame',
      index: refs.length - 1,
      frame: index,
      picture: media.sha256,
      ...(pose && { position: pose.position }),
    } satisfies VsiEvent)
  }
  return refs
}

async function keepVideo(episode: Episode, walkthrough: Walkthrough): Promise<MediaRef> {
  const { bytes, encoder } = await walkthrough.whole()
  const { provenance, frames } = walkthrough
  return episode.keep(bytes, 'video/mp4', { made: 'video', ...provenance, frames, ...(encoder && { encoder }) })
}
