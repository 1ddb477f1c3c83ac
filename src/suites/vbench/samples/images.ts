/** The images that the videos of VBench-I2V are made from. */
import { join } from 'node:path'
import { fileErrorReason, type MediaType, readRegular, UserError } from '../../../suite.ts'
import type { PromptFacts } from '../domain/prompts.ts'
import type { VbenchOptions } from '../options.ts'

const MAX_BYTES = 64 * 2 ** 20

/** Null for prompts without an image, and where the folder is not given. Names are of files in the folder. */
export function imageFile({ image }: PromptFacts, { images }: Pick<VbenchOptions, 'images'>): string | null {
  if (image === undefined || images === undefined) return null
  if (/[/\\\0]/.test(image) || image === '..') throw new UserError(`"${image}" is not the name of an image.`)
  return join(images, image)
}

export async function readImage(path: string): Promise<Uint8Array> {
  return readRegular(path, MAX_BYTES).catch((cause: unknown) => {
    throw new UserError(`The image ${path} cannot be read: ${fileErrorReason(cause)}.`, {
      hint: 'Give the folder of the images with --images (-T images): vbench2_beta_i2v/data/crop/16-9 of a checkout.',
      cause,
    })
  })
}

const SIGNATURES: readonly (readonly [type: MediaType, at: number, signature: string])[] = [
  ['image/jpeg', 0, '\u00ff\u00d8'],
  ['image/png', 0, '\u0089PNG'],
  ['image/webp', 8, 'WEBP'],
]

export function imageType(bytes: Uint8Array, path: string): MediaType {
  const head = String.fromCodePoint(...bytes.subarray(0, 12))
  const found = SIGNATURES.find(([, at, signature]) => head.startsWith(signature, at))
  if (found === undefined) throw new UserError(`${path} is not a JPEG, PNG or WebP image.`)
  return found[0]
}
