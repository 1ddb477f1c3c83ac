/** The conversations of `vsi/video` and `vsi/blind`: one question, with all images or none. */
import {
  type Episode,
  type MediaRef,
  type Message,
  MissingAssetError,
  type Played,
  QUICK_PNG_NAME,
  sampledFrames,
} from '../../../suite.ts'
import { boundsOf, toMatrix } from '../../../world.ts'
import { upstreamVideoAnswer } from '../published/upstream-video-answer.ts'
import { type AskedMap, askForMap, ownMapRequest } from './ask-map.ts'
import { reasonedReply } from './reason.ts'
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
import {
  blindPrompt,
  cognitiveMapPrompts,
  leaderboardPrompt,
  optionalPrompt,
  promptWith,
  thinkPrompt,
  videoPrompt,
} from '../prompts.ts'
import type { Bounds } from '../domain/bounds.ts'
import { type CognitiveMap, MAP_CELLS, trueMap } from '../domain/cognitive-map.ts'
import { mapCategories } from '../samples/meta.ts'
import { loadStage } from '../domain/scene/stages.ts'
import type { Walkthrough } from '../domain/scene/walkthrough.ts'
import { type Profile, REASONED } from '../domain/protocol.ts'
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
  const shown = () => shownFrames(sample, episode, options, walkthrough)
  const categories = options.cognitiveMap === undefined ? null : mapCategories(sample)
  if (categories !== null) return playCognitiveMap(sample, episode, options, { pictures, categories, shown, upstream })
  const method = REASONED.find((name) => name === options.prompts)
  const direct = options.prompts === 'leaderboard' || options.cognitiveMap !== undefined || method !== undefined
  const answerInput: BaselineInput = { ask: 'answer', bare: direct, shown }
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

/** The published protocol: a map of the question's categories, then the question in the same conversation. */
async function playCognitiveMap(
  sample: VsiSample,
  episode: Episode<Profile>,
  { cognitiveMap, grid = MAP_CELLS, maxTokens, reasks }: VideoOptions,
  {
    pictures,
    categories,
    shown,
    upstream,
  }: { pictures: readonly Part[]; categories: readonly string[]; shown: () => Promise<ShownFrames>; upstream: boolean },
): Promise<Played<VsiOutcome>> {
  const prompts = cognitiveMapPrompts(sample, categories, grid)
  const extent = await mapExtent(sample, episode)
  const request = { text: prompts.draw, categories, cells: grid }
  const asked =
    cognitiveMap === 'own-map' ? await askForMap(sample, episode, pictures, extent, maxTokens, request) : null
  const said = asked?.said ?? {
    prompt: [...pictures, text(prompts.draw)],
    reply: mapText(knownMap(sample, extent, grid)),
  }
  const messages: Message[] = [...exchange(said), { role: 'user', content: prompts.answer }]
  const answerInput: BaselineInput = { ask: 'answer', bare: true, shown }
  const how = { reasks, maxTokens, direct: true, upstream, answerInput }
  const answered = await askForAnswer(sample, episode, messages, how)
  return toPlayed(answered, { form: 'direct', pictures: pictures.length, ...outcomeOf(asked) })
}

function knownMap({ things }: VsiSample, extent: Bounds | null, cells: number): CognitiveMap {
  if (extent === null || things === null)
    throw new MissingAssetError('cognitiveMap=true-map needs the positions of the objects, which the meta info has')
  return trueMap(things, extent, cells)
}

/** As the prompt asks for it: `{"chair": [(2, 7), (3, 7)]}`. */
function mapText(map: CognitiveMap): string {
  const entries = Object.entries(map).map(
    ([name, cells]) => `${JSON.stringify(name)}: [${cells.map(([x, y]) => `(${x}, ${y})`).join(', ')}]`,
  )
  return `{${entries.join(', ')}}`
}

function exchange({ prompt, reply }: AskedMap['said']): Message[] {
  return [
    { role: 'user', content: prompt },
    { role: 'assistant', content: reply || ' ' },
  ]
}

const NO_MAP = { map: null, mapAgreement: null } as const

function outcomeOf(asked: AskedMap | null): Pick<VsiOutcome, 'map' | 'mapAgreement' | 'mapBins'> {
  return asked === null ? NO_MAP : { map: asked.map, mapAgreement: asked.agreement, mapBins: asked.bins }
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
    answerInput: BaselineInput
  },
): Promise<Answered> {
  const conversation = [...messages]
  const sampling = { temperature: 0, maxTokens: how.maxTokens, baselineInput: how.answerInput, purpose: 'question' }
  let reply = (await episode.ask('player', [...conversation], sampling)).text
  let { answer, unreadable } = readReply(sample, episode, reply, how)
  for (let again = 0; again < how.reasks && answer === null && !how.upstream; again++) {
    const problem = `it has no answer that is ${expectedForm(sample)}`
    conversation.push(
      { role: 'assistant', content: reply || ' ' },
      { role: 'user', content: promptWith('reask-answer', { problem }) },
    )
    reply = (await episode.ask('player', [...conversation], { ...sampling, purpose: 're-ask' })).text
    answer = readReply(sample, episode, reply, how).answer
    if (answer === null) unreadable += 1
  }
  return { answer, reply, unreadable }
}

/** The profile extracts a bare answer itself, so only an empty reply has none. */
function readReply(
  sample: VsiSample,
  episode: Episode<Profile>,
  reply: string,
  { direct, upstream }: { direct: boolean; upstream: boolean },
): Answered {
  if (upstream) {
    const answer = upstreamVideoAnswer(reply, isNumberType(sample.type))
    return { answer, reply, unreadable: answer === null ? 1 : 0 }
  }
  const found = readAnswer(reply, sample)
  const answer = found.answer ?? (direct ? reply.trim() || null : null)
  episode.note(readEvent({ ...found, answer }))
  return { answer, reply, unreadable: answer === null ? 1 : 0 }
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
