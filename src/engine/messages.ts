/** Template tags for messages, and media for them. */
import { fileURLToPath } from 'node:url'
import { MissingAssetError, messageOf, fileErrorReason } from '../base/errors.ts'
import { sha256 } from '../base/hash.ts'
import { readRegular } from '../base/regular-file.ts'
import { imageSize } from '../media/image.ts'
import type { MediaRef, MediaType } from '../media/ref.ts'
import type { Message, Part } from '../models/types.ts'
import type { Episode } from './suite.ts'

/**
 * A user message. Media in the template is shown at its position in the text.
 *
 * @example
 * const image = await show(episode, new URL('./room.jpg', import.meta.url))
 * const message = user`Look at this room: ${image} How many chairs are there?`
 */
export function user(texts: TemplateStringsArray, ...values: readonly (MediaRef | string | number)[]): Message {
  return messageFrom('user', texts, values)
}

/**
 * A system message, written like `user`.
 *
 * @example
 * const messages = [system`Answer with one word.`, user`You face north and turn right. Which way do you face?`]
 */
export function system(texts: TemplateStringsArray, ...values: readonly (MediaRef | string | number)[]): Message {
  return messageFrom('system', texts, values)
}

function messageFrom(
  role: Message['role'],
  texts: readonly string[],
  values: readonly (MediaRef | string | number)[],
): Message {
  const parts: Part[] = []
  const addText = (text: string): void => {
    const last = parts.at(-1)
    if (last?.type === 'text') last.text += text
    else if (text !== '') parts.push({ type: 'text', text })
  }
  for (const [i, text] of texts.entries()) {
    addText(text)
    const value = values[i]
    if (typeof value === 'object') parts.push({ type: 'media', media: value })
    else if (value !== undefined) addText(String(value))
  }
  const [only] = parts
  return { role, content: parts.length === 1 && only?.type === 'text' ? only.text : parts }
}

/** First bytes of the formats that models accept. */
const SIGNATURES: readonly (readonly [MediaType, RegExp])[] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  ['image/gif', /^GIF8/],
  ['video/mp4', /^.{4}ftyp/s],
  ['audio/wav', /^RIFF.{4}WAVE/s],
  ['audio/mpeg', /^(?:ID3|\xff[\xe2-\xff])/],
]

/**
 * Stores an image, video or sound for a message, from a file or from bytes. The format is detected from the content, not the
 * file name. Throws `MissingAssetError` if the file cannot be read, which ends the episode without a score.
 *
 * @example
 * const image = await show(episode, new URL(`./photos/${sample.photo}`, import.meta.url))
 */
export async function show(episode: Pick<Episode, 'keep'>, media: string | URL | Uint8Array): Promise<MediaRef> {
  const bytes = media instanceof Uint8Array ? media : await readContent(media)
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString('latin1')
  const type = SIGNATURES.find(([, pattern]) => pattern.test(start))?.[0]
  const name = media instanceof Uint8Array ? 'the image' : String(media)
  if (type === undefined) throw new MissingAssetError(`${name} is not a PNG, JPEG, WebP, GIF, MP4, WAV or MP3`)
  const size = type.startsWith('image/') ? await readSize(bytes, name) : undefined
  return episode.keep(bytes, type, { made: 'file', source: sha256(bytes) }, size)
}

async function readSize(bytes: Uint8Array, name: string): ReturnType<typeof imageSize> {
  try {
    return await imageSize(bytes)
  } catch (error) {
    throw new MissingAssetError(`${name}: ${messageOf(error)}`, { cause: error })
  }
}

async function readContent(file: string | URL): Promise<Uint8Array> {
  try {
    return await readRegular(typeof file === 'string' ? file : fileURLToPath(file))
  } catch (error) {
    throw new MissingAssetError(`cannot read ${String(file)}: ${fileErrorReason(error)}`, { cause: error })
  }
}
