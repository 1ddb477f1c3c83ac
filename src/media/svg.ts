import type { Sharp } from 'sharp'
import { messageOf, UserError } from '../base/errors.ts'
import { prepareFonts } from './fonts.ts'
import { type Bitmap, PNG_SETTINGS } from './image.ts'
import { sharp } from './sharp.ts'

export interface SvgOptions {
  /** Pixels per SVG unit. Default: 1; use 2 for high-density screens. */
  scale?: number
  /** Background color. Default: transparent. */
  background?: string
}

/** SVG units are 1/96 inch, but the renderer defaults to 72 dots per inch. */
const SVG_DOTS_PER_INCH = 72

/**
 * Renders an SVG to PNG: maps, charts, contact sheets. Text uses the fonts that ship with Sightline.
 *
 * @example
 * const png = await svgToPng('<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20">…</svg>', { scale: 2 })
 */
export async function svgToPng(svg: string, options: SvgOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  return renderSvg(svg, options, async (image) => new Uint8Array(await image.png(PNG_SETTINGS).toBuffer()))
}

/** Renders an SVG to pixels with transparency, to overlay on an image. */
export async function svgToBitmap(svg: string, options: SvgOptions = {}): Promise<Bitmap> {
  return renderSvg(svg, options, async (image) => {
    const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    return { width: info.width, height: info.height, channels: 4, data }
  })
}

async function renderSvg<T>(
  svg: string,
  { scale = 1, background }: SvgOptions,
  take: (image: Sharp) => Promise<T>,
): Promise<T> {
  prepareFonts()
  try {
    const image = sharp()(Buffer.from(svg), { density: SVG_DOTS_PER_INCH * scale })
    return await take(background === undefined ? image : image.flatten({ background }))
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`Cannot render the SVG: ${messageOf(error)}`, { cause: error })
  }
}
