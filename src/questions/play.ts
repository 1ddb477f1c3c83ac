/** The request that asks a question: its text, with images and video frames at their places. */
import {
  containedFile,
  type Episode,
  lettersOf,
  type MediaRef,
  type Message,
  MissingAssetError,
  openVideo,
  type Part,
  QUICK_PNG_NAME,
  quickPng,
  sampledFrames,
  show,
  type TableFormat,
  toMissingAsset,
} from '../suite.ts'
import type { Rules } from './domain/format.ts'
import type { MediaItem, QuestionSample } from './domain/sample.ts'
import { fill } from './domain/template.ts'
import { imagesIn } from './samples/images.ts'
import { ROOT } from './samples/source.ts'
import { tableAt } from './samples/tables.ts'

const DEFAULT_MARK = '<image>'
const DEFAULT_FRAMES = 32
const DEFAULT_TEXT = { choice: '{question}\n{options}', other: '{question}' }

export async function askQuestion(
  sample: QuestionSample,
  episode: Episode,
  rules: Rules,
  { withMedia, format }: { withMedia: boolean; format: TableFormat | undefined },
): Promise<Message[]> {
  if (sample.problem !== undefined) throw new MissingAssetError(sample.problem)
  const media = withMedia ? await mediaOf(sample, episode, rules, format) : []
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

/** Puts media before the text, after it, or where the text has its marks; media without a mark come first. */
export function arranged(text: string, media: readonly MediaRef[], rules: Rules['media'] & object): Part[] {
  const { place = 'before', mark = DEFAULT_MARK, label } = rules
  const shown = media.map((ref, i): Part[] => [
    ...(label === undefined ? [] : [{ type: 'text' as const, text: fill(label, { n: String(i + 1) }) }]),
    { type: 'media', media: ref },
  ])
  const written = (piece: string): Part[] => (piece === '' ? [] : [{ type: 'text', text: piece }])
  if (place !== 'marks') {
    const parts = shown.flat()
    return place === 'before' ? [...parts, ...written(text)] : [...written(text), ...parts]
  }
  const parts: Part[] = []
  const placed = new Set<number>()
  let from = 0
  for (const { at, length, image } of marksIn(text, mark, shown.length)) {
    parts.push(...written(text.slice(from, at)), ...shown[image]!)
    placed.add(image)
    from = at + length
  }
  return [...shown.filter((_, i) => !placed.has(i)).flat(), ...parts, ...written(text.slice(from))]
}

/** Where the marks of images are, in the order of the text. A numbered mark may come anywhere, and more than once. */
function marksIn(text: string, mark: string, images: number): { at: number; length: number; image: number }[] {
  const found: { at: number; length: number; image: number }[] = []
  const isNumbered = fill(mark, { n: '1' }) !== fill(mark, { n: '2' })
  const find = (sign: string, from: number, image: number): number => {
    const at = text.indexOf(sign, from)
    if (at < 0) return Infinity
    found.push({ at, length: sign.length, image })
    return at + sign.length
  }
  let from = 0
  for (let image = 0; image < images; image++) {
    const sign = fill(mark, { n: String(image + 1) })
    if (isNumbered) for (let next = 0; next < Infinity;) next = find(sign, next, image)
    else from = from === Infinity ? from : find(sign, from, image)
  }
  return found.sort((a, b) => a.at - b.at)
}

/** The number of frames that a video counts as. */
export function framesOf({ media }: Rules): number {
  return typeof media?.frames === 'number' ? media.frames : DEFAULT_FRAMES
}

async function mediaOf(
  { media }: QuestionSample,
  episode: Episode,
  rules: Rules,
  format: TableFormat | undefined,
): Promise<MediaRef[]> {
  const folder = media.length === 0 ? '' : episode.files.path(ROOT, 'the data')
  const refs: MediaRef[] = []
  for (const item of media) {
    if (item.kind === 'video') refs.push(...(await videoRefs(item.path, folder, episode, rules)))
    else refs.push(...(await imageRefs(item, folder, episode, format)))
  }
  return refs
}

async function imageRefs(
  item: MediaItem,
  folder: string,
  episode: Episode,
  format: TableFormat | undefined,
): Promise<MediaRef[]> {
  if ('path' in item) return [await show(episode, await containedFile(folder, item.path))]
  const table = await tableAt(folder, item.table, format).catch((error: unknown) => toMissingAsset(error))
  const [row] = await table.rows(item.row, item.row + 1, [item.column]).catch((error: unknown) => toMissingAsset(error))
  const refs: MediaRef[] = []
  for (const image of imagesIn(row?.[item.column]))
    refs.push(await show(episode, typeof image === 'string' ? await containedFile(folder, image) : image))
  return refs
}

async function videoRefs(path: string, folder: string, episode: Episode, rules: Rules): Promise<MediaRef[]> {
  const file = await containedFile(folder, path)
  const { frames = DEFAULT_FRAMES } = rules.media ?? {}
  if (frames === 'video') return [await show(episode, file)]
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
      refs.push(await episode.keep(quickPng(bitmap), 'image/png', provenance, { width, height }))
      episode.progress('Reading frames', refs.length, indices.length)
    }
    return refs
  } catch (error) {
    return missing(error)
  } finally {
    await video.close()
  }
}
