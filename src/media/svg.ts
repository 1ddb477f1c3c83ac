import sharp from 'sharp'
import { messageOf, UserError } from '../base/errors.ts'
import { prepareFonts } from './fonts.ts'
import { PNG_SETTINGS } from './image.ts'

export interface SvgOptions {
  /** Pixels per unit of the drawing. Default 1; 2 for sharp pictures on dense screens. */
  scale?: number
  /** Colour behind the drawing; absent leaves it transparent. */
  background?: string
  /** Deflate's; 3 takes half the time for a few per cent more bytes. Default 6. */
  level?: number
}

/** The user unit of SVG is 1/96 inch, but the renderer's own default is 72 dots an inch. */
const SVG_DOTS_PER_INCH = 72

/**
 * Draws an SVG as PNG: maps, charts, contact sheets. Text is drawn with the fonts that come with Sightline.
 *
 * @example
 * const png = await svgToPng('<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20">…</svg>', { scale: 2 })
 */
export async function svgToPng(
  svg: string,
  { scale = 1, background, level = PNG_SETTINGS.compressionLevel }: SvgOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  prepareFonts()
  try {
    const image = sharp(Buffer.from(svg), { density: SVG_DOTS_PER_INCH * scale })
    const shown = background === undefined ? image : image.flatten({ background })
    return new Uint8Array(await shown.png({ ...PNG_SETTINGS, compressionLevel: level }).toBuffer())
  } catch (error) {
    throw new UserError(`The drawing cannot be rendered: ${messageOf(error)}`, { cause: error })
  }
}

/** Text that may stand in an SVG element or attribute. */
export function escapeSvg(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
