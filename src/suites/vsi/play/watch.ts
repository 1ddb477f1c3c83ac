/** The conversations of `vsi/video` and `vsi/blind`: one question, with all images or none. */
import {
  type Episode,
  type MediaRef,
  type Message,
  type Played,
  QUICK_PNG_NAME,
  sampledFrames,
} from '../../../suite.ts'
import { boundsOf, toMatrix } from '../../../world.ts'
import { upstreamVideoAnswer } from '../published/upstream-video-answer.ts'
import { askForMap } from './ask-map.ts'
import type { VsiSample } from '../samples/sample.ts'
import type { BaselineInput, ShownFrames } from './baseline-input.ts'
import type { VsiEvent } from '../events.ts'
import { walkthroughEvent, questionEvent, readEvent } from './event-builders.ts'
import { media as mediaPart, type Part, text } from './message-parts.ts'
import type { BlindOptions, VideoOptions } from '../options.ts'
import { cameraFor } from '../domain/camera.ts'
import { sharesFrom } from '../domain/evidence.ts'
import type { VsiOutcome } from '../domain/outcome.ts'
import { expectedForm, readAnswer } from '../parse.ts'
import { blindPrompt, leaderboardPrompt, promptWith, videoPrompt } from '../prompts.ts'
import { loadStage } from '../domain/scene/stages.ts'
import type { Walkthrough } from '../domain/scene/walkthrough.ts'
import type { Profile } from '../domain/protocol.ts'
import { isNumberType } from '../domain/question-types.ts'

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
  const direct = options.prompts === 'leaderboard'
  const prompt = direct
    ? leaderboardPrompt(sample)
    : videoPrompt(sample, options.input === 'video' ? walkthrough.frames : media.length)
  // The published baseline puts the text first.
  const textFirst = upstream || options.order === 'text-first'
  const history: Message[] = []
  const map = options.map
    ? await askForMap(sample, episode, pictures, await mapExtent(sample, episode), options.maxTokens)
    : null
  if (map !== null) {
    history.push({ role: 'user', content: map.said.prompt }, { role: 'assistant', content: map.said.reply || ' ' })
  }
  const content: Part[] =
    map !== null
      ? [text(`${promptWith('map-then')}\n\n${prompt}`)]
      : textFirst
        ? [text(prompt), ...pictures]
        : [...pictures, text(prompt)]
  const answered = await askForAnswer(sample, episode, [...history, { role: 'user', content }], {
    ...options,
    direct,
    upstream,
    shown: () => shownFrames(sample, episode, options, walkthrough),
  })
  return toPlayed(answered, {
    form: direct ? 'direct' : 'json',
    pictures: media.length,
    map: map?.map ?? null,
    mapAgreement: map?.agreement ?? null,
    mapBins: map?.bins ?? null,
  })
}

export async function playBlind(
  sample: VsiSample,
  episode: Episode<Profile>,
  options: BlindOptions,
): Promise<Played<VsiOutcome>> {
  const upstream = episode.profile === 'upstream'
  episode.note(questionEvent(sample))
  const message: Message = { role: 'user', content: blindPrompt(sample) }
  const answered = await askForAnswer(sample, episode, [message], { ...options, direct: false, upstream })
  return toPlayed(answered, { form: 'json', pictures: 0, map: null, mapAgreement: null })
}

interface Answered {
  answer: string | null
  reply: string
  unreadable: number
}

/** Retries unreadable replies, except under `upstream`, which does not. */
async function askForAnswer(
  sample: VsiSample,
  episode: Episode<Profile>,
  messages: readonly Message[],
  how: {
    reasks: number
    maxTokens: number
    direct: boolean
    upstream: boolean
    shown?: () => Promise<ShownFrames>
  },
): Promise<Answered> {
  const conversation = [...messages]
  const baselineInput: BaselineInput = { ask: 'answer', ...(how.shown && { shown: how.shown }) }
  const sampling = { temperature: 0, maxTokens: how.maxTokens, baselineInput, purpose: 'question' }
  let reply = (await episode.ask('player', [...conversation], sampling)).text
  if (how.upstream) {
    const answer = upstreamVideoAnswer(reply, isNumberType(sample.type))
    return { answer, reply, unreadable: answer === null ? 1 : 0 }
  }
  // The profile extracts a bare answer itself, so only an empty reply is retried.
  const read = (given: string): string | null => {
    const found = readAnswer(given, sample)
    const answer = found.answer ?? (how.direct ? given.trim() || null : null)
    episode.note(readEvent({ ...found, answer }))
    return answer
  }
  let answer = read(reply)
  let unreadable = answer === null ? 1 : 0
  for (let again = 0; again < how.reasks && answer === null; again++) {
    const problem = `it has no answer that is ${expectedForm(sample)}`
    conversation.push(
      { role: 'assistant', content: reply || ' ' },
      { role: 'user', content: promptWith('reask-answer', { problem }) },
    )
    reply = (await episode.ask('player', [...conversation], { ...sampling, purpose: 're-ask' })).text
    answer = read(reply)
    if (answer === null) unreadable += 1
  }
  return { answer, reply, unreadable }
}

function toPlayed(
  { answer, reply, unreadable }: Answered,
  rest: Pick<VsiOutcome, 'form' | 'pictures' | 'map' | 'mapAgreement' | 'mapBins'>,
): Played<VsiOutcome> {
  const outcome: VsiOutcome = { answer, reply, unreadable, path: null, ...rest }
  if (answer !== null) return { status: 'answered', outcome }
  if (reply.trim() === '') return { status: 'no_answer', outcome, problem: 'the reply is empty' }
  return { status: 'parse_failed', outcome, problem: 'no answer could be read' }
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

/** The area that the true map covers: the room if known, else the extent of the objects. */
async function mapExtent(
  { scene, things }: VsiSample,
  { files }: Episode,
): Promise<ReturnType<typeof boundsOf> | null> {
  if (scene.kind !== 'scan') return (await loadStage(scene, files)).bounds
  if (things === null || things.length === 0) return null
  return boundsOf(things.flatMap(({ box }) => [...box.center]))
}
