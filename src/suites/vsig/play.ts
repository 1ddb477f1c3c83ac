/** The conversation of an episode: the clip, one question, one answer; then the judge, if there is one. */
import {
  type Bitmap,
  encodeJpeg,
  encoderName,
  type Episode,
  type MediaRef,
  MissingAssetError,
  type Played,
  resizeBitmap,
} from '../../suite.ts'
import type { VsigSample } from './samples/sample.ts'
import type { Asr } from './domain/annotation.ts'
import { withTranscript } from './domain/heard.ts'
import { shownFrames } from './domain/frames.ts'
import type { Size } from './domain/mask.ts'
import type { VsigOutcome } from './domain/outcome.ts'
import { type Profile, temperatureOf } from './domain/profiles.ts'
import type { FrameEvent } from './events.ts'
import type { VsigOptions } from './options.ts'
import { readReply } from './parse/reply.ts'
import { clipEvent } from './play/clip-event.ts'
import { type OpenClip, openClip } from './play/clip.ts'
import { askJudge } from './play/judge.ts'
import { askMessages } from './play/messages.ts'
import { heardSpeech } from './play/transcribe.ts'
import { answerEvent } from './play/drawings.ts'
import { usableWords } from './domain/windows.ts'

/** What baselines know about a request. */
export interface BaselineInput {
  kind: 'clip'
  shown: Size
  durationMs: number
  /** Frames of the clip that were shown; null for all of them. */
  frames: readonly number[] | null
}

export async function play(
  sample: VsigSample,
  episode: Episode<Profile>,
  options: VsigOptions,
): Promise<Played<VsigOutcome>> {
  if (sample.problem !== undefined) throw new MissingAssetError(sample.problem)
  const { origin } = sample
  if (origin.kind === 'results') return playWithoutVideo(sample, origin.video, episode, options)
  const clip = await openClip(origin, episode.files)
  try {
    return await playClip(sample, episode, options, clip)
  } finally {
    await clip.close()
  }
}

async function playClip(
  given: VsigSample,
  episode: Episode<Profile>,
  options: VsigOptions,
  clip: OpenClip,
): Promise<Played<VsigOutcome>> {
  const frames = await prepareFrames(given, episode, options, clip)
  const heard = await heardSpeech(given, episode, options, clip)
  const sample = withTranscript(given, heard)
  // The transcript of the data is shown where there is one.
  const shownAs = given.annotation.asr_result ? given : sample
  const last = frames.at(-1)!
  const { width, height } = options.input === 'video' ? clip : last.bitmap
  const shown: Size = { width, height }
  const { durationMs } = clip
  const video = options.input === 'video' ? await keepVideo(episode, clip, options) : null
  episode.note(await clipEvent(shownAs, episode, clip, { lastFrame: last.media.sha256, video: video?.sha256 ?? null }))
  const messages = askMessages(sample, options, episode.profile, {
    ...shown,
    durationMs,
    frames: frames.map(({ index, media }) => ({ ms: clip.timeMs(index), media })),
    video,
  })
  const seen = options.input === 'video' ? null : frames.map(({ index }) => index)
  const baselineInput: BaselineInput = { kind: 'clip', shown, durationMs, frames: seen }
  const { text: reply } = await episode.ask('player', messages, {
    baselineInput,
    purpose: sample.labels.template,
    temperature: temperatureOf(episode.profile),
    maxTokens: options.maxTokens,
  })
  return answered(given, episode, options, { reply, shown, lastFrame: last.bitmap, durationMs, heard })
}

/** The longest side of the blank that answers are drawn on if there is no last frame. */
const BLANK_SIDE = 640
const BLANK_GRAY = 128
/** Time after the last word of a clip whose length is unknown. */
const TAIL_MS = 1000

/** Clips of published results: the reply is known, and what the model was shown is not. */
async function playWithoutVideo(
  sample: VsigSample,
  video: string,
  episode: Episode<Profile>,
  options: VsigOptions,
): Promise<Played<VsigOutcome>> {
  const { frame, annotation } = sample
  const lastWord = Math.max(0, ...usableWords(annotation.asr_result?.words ?? []).map(({ end }) => end))
  const durationMs = lastWord + TAIL_MS
  episode.note(
    await clipEvent(sample, episode, { ...frame, frames: 0, fps: 0, durationMs }, { lastFrame: null, video: null }),
  )
  const content = `Imported reply to ${video}. The published file does not contain the prompt.`
  const { text: reply } = await episode.ask('player', [{ role: 'user', content }], { purpose: sample.labels.template })
  const scale = Math.min(1, BLANK_SIDE / Math.max(frame.width, frame.height))
  const [width, height] = [Math.max(1, Math.round(frame.width * scale)), Math.max(1, Math.round(frame.height * scale))]
  const data = new Uint8Array(width * height * 3).fill(BLANK_GRAY)
  return answered(sample, episode, options, {
    reply,
    shown: frame,
    lastFrame: { width, height, channels: 3, data },
    durationMs,
  })
}

interface Answered {
  reply: string
  shown: Size
  lastFrame: Bitmap
  durationMs: number
  heard?: Asr | null
}

/** Reads the reply, asks the judge about it, and draws it. */
async function answered(
  sample: VsigSample,
  episode: Episode<Profile>,
  options: VsigOptions,
  { reply, shown, lastFrame, durationMs, heard = null }: Answered,
): Promise<Played<VsigOutcome>> {
  const prediction = readReply(reply)
  const judge =
    prediction && episode.has('judge') ? await askJudge(withTranscript(sample, heard), episode, prediction) : null
  const outcome: VsigOutcome = { reply, shown, ...(heard ? { heard } : {}), judge }
  episode.note(await answerEvent(sample, episode, options, outcome, lastFrame, durationMs))
  if (prediction) return { status: 'answered', outcome }
  if (reply.trim() === '') return { status: 'no_answer', outcome, problem: 'the reply is empty' }
  return { status: 'parse_failed', outcome, problem: 'no JSON object with a command or points found' }
}

interface ShownFrame {
  index: number
  bitmap: Bitmap
  media: MediaRef
}

/** Prepares the frames that are shown; of a video, the last one for the drawings. */
async function prepareFrames(
  sample: VsigSample,
  episode: Episode<Profile>,
  options: VsigOptions,
  clip: OpenClip,
): Promise<ShownFrame[]> {
  const end = sample.annotation.timestamp ?? null
  const indices = options.input === 'video' ? [clip.frames - 1] : shownFrames(clip.frames, options, clip.fps, end)
  const shown: ShownFrame[] = []
  episode.progress('Preparing frames', 0, indices.length)
  for await (const { index, bitmap } of clip.readFrames(indices)) {
    const scale = Math.min(1, options.side / Math.max(bitmap.width, bitmap.height))
    const size = { width: Math.round(bitmap.width * scale), height: Math.round(bitmap.height * scale) }
    const fitted = scale < 1 ? await resizeBitmap(bitmap, size.width, size.height) : bitmap
    shown.push({ index, bitmap: fitted, media: await keepFrame(episode, clip, index, fitted) })
    episode.progress('Preparing frames', shown.length, indices.length)
  }
  return shown
}

async function keepFrame(episode: Episode<Profile>, clip: OpenClip, index: number, bitmap: Bitmap): Promise<MediaRef> {
  const { width, height } = bitmap
  const media = await episode.keep(
    await encodeJpeg(bitmap),
    'image/jpeg',
    {
      made: clip.made,
      ...clip.provenance,
      frame: index,
      frames: clip.frames,
      width,
      height,
      encoder: encoderName('image/jpeg'),
    },
    { width, height },
  )
  const event: FrameEvent = { type: 'vsig/frame', frame: index, ms: clip.timeMs(index), picture: media.sha256 }
  episode.note(event)
  return media
}

async function keepVideo(episode: Episode<Profile>, clip: OpenClip, { speech }: VsigOptions): Promise<MediaRef> {
  const { bytes, type, provenance } = await clip.file(speech)
  const details = { made: 'video', ...clip.provenance, ...provenance, frames: clip.frames }
  return episode.keep(bytes, type, details, { width: clip.width, height: clip.height })
}
