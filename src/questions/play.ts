/** The request that asks a question: its text, with images and video frames at their places. */
import {
  containedFile,
  type Episode,
  lettersOf,
  makeAhead,
  type MediaRef,
  type Message,
  MissingAssetError,
  openVideo,
  type Part,
  QUICK_PNG_NAME,
  quickPng,
  sampledFrames,
  show,
  showOnce,
  toMissingAsset,
} from '../suite.ts'
import type { QuestionsFile, Rules } from './domain/format.ts'
import type { MediaItem, QuestionSample } from './domain/sample.ts'
import { fill } from './domain/template.ts'
import { imagesIn, MAX_IMAGES } from './samples/images.ts'
import { readRows } from './samples/nested.ts'
import { ROOT } from './samples/source.ts'
import { tableAt } from './samples/tables.ts'

const DEFAULT_MARKS = { image: '<image>', video: '<video>', sound: '<audio>' }
const DEFAULT_FRAMES = 32
const DEFAULT_TEXT = { choice: '{question}\n{options}', other: '{question}' }

export async function askQuestion(
  sample: QuestionSample,
  episode: Episode,
  rules: Rules,
  { withMedia, format }: { withMedia: boolean; format: Format },
): Promise<Message[]> {
  if (sample.problem !== undefined) throw new MissingAssetError(sample.problem)
  const media = withMedia ? await shownMedia(sample, episode, rules, format) : []
  const { system, text } = promptOf(sample, rules)
  return [
    ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
    { role: 'user', content: arranged(text, media, rules.media ?? {}) },
  ]
}

/** The texts of a request, with all placeholders filled in. */
export function promptOf(sample: QuestionSample, { prompt = {} }: Rules): { system: string; text: string } {
  const { question, options, cells } = sample
  const values = {
    ...cells,
    question,
    options: options === null ? '' : renderOptions(options, prompt),
    letters: lettersOf(options ?? []).join(', '),
  }
  const text = prompt.text ?? (options === null ? DEFAULT_TEXT.other : DEFAULT_TEXT.choice)
  return { system: fill(prompt.system ?? '', values), text: fill(text, values) }
}

function renderOptions(
  options: readonly string[],
  { options: { each, join } = OPTIONS }: Rules['prompt'] & object,
): string {
  const letters = lettersOf(options)
  return options
    .map((text, i) => fill(each, { letter: letters[i]!, text, n: String(i + 1), option: `${letters[i]}. ${text}` }))
    .join(join)
}

const OPTIONS = { each: '{letter}. {text}', join: '\n' }

/** An image, the frames of a video or the whole of it, or a sound. */
export interface Shown {
  kind: 'image' | 'video' | 'sound'
  refs: readonly MediaRef[]
}

/** Puts media before the text, after it, or where the text has its marks; media without a mark come first. */
export function arranged(text: string, media: readonly Shown[], rules: Rules['media'] & object): Part[] {
  const { place = 'before', label } = rules
  let n = 0
  const shown = media.map(({ refs }) =>
    refs.flatMap((ref): Part[] => {
      n++
      const named = label === undefined ? [] : [{ type: 'text' as const, text: fill(label, { n: String(n) }) }]
      return [...named, { type: 'media', media: ref }]
    }),
  )
  const written = (piece: string): Part[] => (piece === '' ? [] : [{ type: 'text', text: piece }])
  if (place !== 'marks') {
    const parts = shown.flat()
    return place === 'before' ? [...parts, ...written(text)] : [...written(text), ...parts]
  }
  const parts: Part[] = []
  const placed = new Set<number>()
  let from = 0
  for (const { at, length, unit } of marksIn(text, media, rules)) {
    if (at < from) continue
    parts.push(...written(text.slice(from, at)), ...shown[unit]!)
    placed.add(unit)
    from = at + length
  }
  return [...shown.filter((_, i) => !placed.has(i)).flat(), ...parts, ...written(text.slice(from))]
}

interface Mark {
  at: number
  length: number
  /** Position among the media. */
  unit: number
}

/** Where the marks are, in the order of the text. */
function marksIn(text: string, media: readonly Shown[], rules: Rules['media'] & object): Mark[] {
  const marks = { image: rules.mark, video: rules.videoMark, sound: rules.soundMark }
  return (['image', 'video', 'sound'] as const)
    .flatMap((kind) => {
      const units = [...media.keys()].filter((i) => media[i]!.kind === kind)
      return marksOf(text, marks[kind] ?? DEFAULT_MARKS[kind], units)
    })
    .sort((a, b) => a.at - b.at)
}

/** A numbered mark may come anywhere, and more than once. */
function marksOf(text: string, mark: string, units: readonly number[]): Mark[] {
  const found: Mark[] = []
  const isNumbered = fill(mark, { n: '1' }) !== fill(mark, { n: '2' })
  const find = (sign: string, from: number, unit: number): number => {
    const at = text.indexOf(sign, from)
    if (at < 0) return Infinity
    found.push({ at, length: sign.length, unit })
    return at + sign.length
  }
  let from = 0
  for (const [i, unit] of units.entries()) {
    const sign = fill(mark, { n: String(i + 1) })
    if (isNumbered) for (let next = 0; next < Infinity;) next = find(sign, next, unit)
    else from = from === Infinity ? from : find(sign, from, unit)
  }
  return found
}

/** The number of images that a question counts as. */
export function imagesShown({ media }: QuestionSample, rules: Rules): number {
  const frames = typeof rules.media?.frames === 'number' ? rules.media.frames : DEFAULT_FRAMES
  const inClips = media.reduce((sum, item) => sum + ('frames' in item ? item.frames.length : 0), 0)
  const others = media.reduce((sum, { kind }) => sum + (kind === 'video' ? frames : kind === 'image' ? 1 : 0), 0)
  return others + Math.min(frames, inClips)
}

async function shownMedia({ media }: QuestionSample, episode: Episode, rules: Rules, format: Format): Promise<Shown[]> {
  const folder = media.length === 0 ? '' : episode.files.path(ROOT, 'the data')
  const clips = sampledClips(media, rules)
  const shown: Shown[] = []
  const files = media.filter((item) => 'path' in item).length
  if (files > MAX_IMAGES) throw tooMany(files)
  const paths = media.flatMap((item, i) =>
    item.kind === 'clip' ? (clips.get(i) ?? []) : 'path' in item && item.kind !== 'video' ? [item.path] : [],
  )
  await makeAhead(
    episode,
    paths.map((path) => ({ name: fileName(path, folder), make: shownFile(path, folder) })),
  )
  for (const [i, item] of media.entries()) {
    if (item.kind === 'clip') {
      const refs: MediaRef[] = []
      for (const path of clips.get(i) ?? []) refs.push(...(await fileRefs(path, folder, episode)))
      shown.push({ kind: 'video', refs })
    } else if (item.kind === 'video') {
      shown.push({ kind: 'video', refs: await videoRefs(item.path, folder, episode, rules) })
    } else {
      // Each image of a list has a mark of its own.
      for (const ref of await cellRefs(item, folder, episode, format)) shown.push({ kind: item.kind, refs: [ref] })
    }
  }
  return shown
}

/** Frames of clips, by position: evenly spaced over all clips of a question, and at least one of each. */
function sampledClips(media: readonly MediaItem[], { media: rules }: Rules): ReadonlyMap<number, string[]> {
  const all = [...media.entries()].flatMap(([clip, item]) =>
    'frames' in item ? item.frames.map((path) => ({ clip, path })) : [],
  )
  const wanted =
    typeof rules?.frames === 'number' ? rules.frames : rules?.frames === 'video' ? all.length : DEFAULT_FRAMES
  const chosen = new Map<number, string[]>()
  for (const index of sampledFrames(all.length, wanted)) {
    const { clip, path } = all[index]!
    chosen.set(clip, [...(chosen.get(clip) ?? []), path])
  }
  for (const { clip, path } of all) if (!chosen.has(clip)) chosen.set(clip, [path])
  return chosen
}

type Format = QuestionsFile['data']['format']
type Cell = Exclude<MediaItem, { kind: 'clip' | 'video' }>

async function cellRefs(item: Cell, folder: string, episode: Episode, format: Format): Promise<MediaRef[]> {
  if ('path' in item) return fileRefs(item.path, folder, episode)
  const table = await tableAt(folder, item.table, format).catch((error: unknown) => toMissingAsset(error))
  const [row] = await readRows(table, item.row, item.row + 1, [item.column]).catch((error: unknown) =>
    toMissingAsset(error),
  )
  const refs: MediaRef[] = []
  const images = imagesIn(row?.[item.column])
  if (images.length > MAX_IMAGES) throw tooMany(images.length)
  for (const image of images)
    refs.push(...(typeof image === 'string' ? await fileRefs(image, folder, episode) : [await show(episode, image)]))
  return refs
}

function tooMany(images: number): MissingAssetError {
  return new MissingAssetError(`a question with ${images} images, videos or sounds; ${MAX_IMAGES} are allowed`)
}

/** Questions about one scene show the same files. */
function fileRefs(path: string, folder: string, episode: Episode): Promise<MediaRef[]> {
  return showOnce(episode, fileName(path, folder), shownFile(path, folder))
}

function fileName(path: string, folder: string): string {
  return `${folder}\0${path}`
}

function shownFile(path: string, folder: string): Parameters<typeof showOnce>[2] {
  return async (once) => [await show(once, await containedFile(folder, path))]
}

function videoRefs(path: string, folder: string, episode: Episode, rules: Rules): Promise<MediaRef[]> {
  const { frames = DEFAULT_FRAMES } = rules.media ?? {}
  if (frames === 'video') return fileRefs(path, folder, episode)
  return showOnce(episode, `${folder}\0${path}\0${frames}`, (once) => frameRefs(path, folder, episode, once, frames))
}

async function frameRefs(
  path: string,
  folder: string,
  episode: Episode,
  once: Pick<Episode, 'keep'>,
  frames: number,
): Promise<MediaRef[]> {
  const file = await containedFile(folder, path)
  const missing = (error: unknown): never => toMissingAsset(error, (text) => episode.files.redact(text))
  const video = await openVideo(file).catch(missing)
  try {
    const refs: MediaRef[] = []
    const indices = sampledFrames(video.info.frames, frames)
    for await (const { index, bitmap } of video.frames(indices)) {
      const provenance = {
        made: 'video-frame',
        file: path,
        decoder: video.decoder,
        frame: index,
        frames: video.info.frames,
        encoder: QUICK_PNG_NAME,
      }
      const { width, height } = bitmap
      refs.push(await once.keep(quickPng(bitmap), 'image/png', provenance, { width, height }))
      episode.progress('Reading frames', refs.length, indices.length)
    }
    return refs
  } catch (error) {
    return missing(error)
  } finally {
    await video.close()
  }
}
