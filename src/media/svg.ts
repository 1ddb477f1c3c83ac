import type { Sharp } from 'sharp'
import { messageOf, UserError } from '../base/errors.ts'
import { prepareFonts } from './fonts.ts'
import { type Bitmap, PNG_SETTINGS } from './image.ts'
import { sharp } from './sharp.ts'

export interface SvgOptions {
  /** Pixels per unit of the drawing. Default 1; 2 for sharp pictures on dense screens. */
  scale?: number
  /** Colour behind the drawing; absent leaves it transparent. */
  background?: string
}

/** The user unit of SVG is 1/96 inch, but the renderer's own default is 72 dots an inch. */
const SVG_DOTS_PER_INCH = 72

/**
 * Draws an SVG as PNG: maps, charts, contact sheets. Text is drawn with the fonts that come with Sightline.
 *
 * @example
 * const png = await svgToPng('<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20">…</svg>', { scale: 2 })
 */
export async function svgToPng(svg: string, options: SvgOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  return rendered(svg, options, async (image) => new Uint8Array(await image.png(PNG_SETTINGS).toBuffer()))
}

/** Draws an SVG as pixels with transparency: what is to be laid over a picture. */
export async function svgToBitmap(svg: string, options: SvgOptions = {}): Promise<Bitmap> {
  return rendered(svg, options, async (image) => {
    const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    return { width: info.width, height: info.height, channels: 4, data }
  })
}

async function rendered<T>(
  svg: string,
  { scale = 1, background }: SvgOptions,
  take: (image: Sharp) => Promise<T>,
): Promise<T> {
  prepareFonts()
  try {
    const image = sharp()(Buffer.from(svg), { density: SVG_DOTS_PER_INCH * scale })
    return await take(background === undefined ? image : image.flatten({ background }))
  } catch (error) {
    throw new UserError(`The drawing cannot be rendered: ${messageOf(error)}`, { cause: error })
  }
}
