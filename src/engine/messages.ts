/** Messages as suites write them. */
import { readFile } from 'node:fs/promises'
import { MissingAssetError, messageOf, fileErrorReason } from '../base/errors.ts'
import { sha256 } from '../base/hash.ts'
import { imageSize } from '../media/image.ts'
import type { MediaRef, MediaType } from '../media/ref.ts'
import type { Message, Part } from '../models/types.ts'
import type { Episode } from './suite.ts'

/**
 * A message of the user, from a template in which media stand where they are shown.
 *
 * @example
 * user`Look at this room: ${picture} How many chairs are there?`
 */
export function user(texts: TemplateStringsArray, ...values: readonly (MediaRef | string | number)[]): Message {
  return messageFrom('user', texts, values)
}

/** A system message, written like `user`. */
export function system(texts: TemplateStringsArray, ...values: readonly (MediaRef | string | number)[]): Message {
  return messageFrom('system', texts, values)
}

function messageFrom(
  role: Message['role'],
  texts: readonly string[],
  values: readonly (MediaRef | string | number)[],
): Message {
  const parts: Part[] = []
  const say = (text: string): void => {
    const last = parts.at(-1)
    if (last?.type === 'text') last.text += text
    else if (text !== '') parts.push({ type: 'text', text })
  }
  for (const [i, text] of texts.entries()) {
    say(text)
    const value = values[i]
    if (typeof value === 'object') parts.push({ type: 'media', media: value })
    else if (value !== undefined) say(String(value))
  }
  const [only] = parts
  return { role, content: parts.length === 1 && only?.type === 'text' ? only.text : parts }
}

/** How files of the formats that models take begin. */
const BEGINNINGS: readonly (readonly [MediaType, RegExp])[] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  ['image/gif', /^GIF8/],
  ['video/mp4', /^.{4}ftyp/s],
]

/**
 * Stores a picture or a video for a message, from a file or from bytes. The format is read off the content, not the name.
 *
 * @example
 * const picture = await show(episode, new URL(`./photos/${sample.photo}`, import.meta.url))
 */
export async function show(episode: Pick<Episode, 'keep'>, what: string | URL | Uint8Array): Promise<MediaRef> {
  const bytes = what instanceof Uint8Array ? what : await contentOf(what)
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString('latin1')
  const type = BEGINNINGS.find(([, pattern]) => pattern.test(start))?.[0]
  const name = what instanceof Uint8Array ? 'the picture' : String(what)
  if (type === undefined) throw new MissingAssetError(`${name} is not a PNG, JPEG, WebP, GIF or MP4`)
  const size = type === 'video/mp4' ? undefined : await sizeOf(bytes, name)
  return episode.keep(bytes, type, { made: 'file', source: sha256(bytes) }, size)
}

async function sizeOf(bytes: Uint8Array, name: string): ReturnType<typeof imageSize> {
  try {
    return await imageSize(bytes)
  } catch (error) {
    throw new MissingAssetError(`${name}: ${messageOf(error)}`, { cause: error })
  }
}

async function contentOf(file: string | URL): Promise<Uint8Array> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new MissingAssetError(`${String(file)} cannot be read: ${fileErrorReason(error)}`, { cause: error })
  }
}
