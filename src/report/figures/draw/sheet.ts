/** A drawing surface: plots placed next to each other in one self-contained SVG. */
import { plot, type PlotOptions } from '@observablehq/plot'
import { cleanText } from './text.ts'
import type { Theme } from './theme.ts'

export interface DrawOptions {
  /** The browser's document, or one with the same methods. */
  document: NonNullable<PlotOptions['document']>
  /** Width in pixels, which are points in PDF. */
  width: number
  theme: Theme
  /** Default: by width, from 8 in a column of a paper to 11 on a page. */
  fontSize?: number
}

/** Where a figure is drawn, with its text sizes. */
export interface Sheet extends DrawOptions {
  fontSize: number
  /** Text that explains axes. */
  smallSize: number
}

/** One plot and its place. */
export interface Part {
  x: number
  y: number
  width: number
  height: number
  /** The content of an SVG element. */
  svg: string
}

/** Fonts of papers and pages; the last named one is the font of PDF. */
const FONTS = 'Inter, Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif'

/** One column of a paper takes 7 to 9 point text; a page takes more. */
export function sheetOf(options: DrawOptions): Sheet {
  const fontSize = options.fontSize ?? (options.width < 320 ? 8 : options.width < 520 ? 9.5 : 11)
  return { ...options, fontSize, smallSize: fontSize * 0.92 }
}

/** A plot at a place of the sheet. */
export function place(sheet: Sheet, { x = 0, y = 0 }: { x?: number; y?: number }, options: PlotOptions): Part {
  const { width = sheet.width, height = 100 } = options
  const drawn = plot({ ...options, width, height, document: sheet.document, className: 'figure' })
  const svg = String(drawn.innerHTML)
    .replace(/<style>[^]*?<\/style>/g, '')
    // The browser writes it as in HTML, which is not valid in an SVG file.
    .replaceAll('&nbsp;', '\u00a0')
    // Labels are not allowed on the parts of an image, which has one of its own.
    .replaceAll(' aria-label="', ' data-mark="')
    .replaceAll('"currentColor"', `"${sheet.theme.ink}"`)
  return { x, y, width, height, svg }
}

/** Moves parts down. */
export function below(y: number, parts: readonly Part[]): Part[] {
  return parts.map((part) => ({ ...part, y: part.y + y }))
}

export function heightOf(parts: readonly Part[]): number {
  return Math.ceil(Math.max(0, ...parts.map(({ y, height }) => y + height)))
}

/** The finished SVG. */
export function compose(sheet: Sheet, title: string, description: string, parts: readonly Part[]): string {
  const { width, theme, fontSize } = sheet
  // Letters such as p reach below the last line.
  const height = heightOf(parts) + 2
  const paper = theme.paper === 'none' ? '' : `<rect width="${width}" height="${height}" fill="${theme.paper}"/>`
  const drawn = parts.map(({ x, y, svg }) => `<g transform="translate(${round(x)},${round(y)})">${svg}</g>`)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `role="img" fill="${theme.ink}" font-family="${escapeXml(FONTS)}" font-size="${fontSize}" text-anchor="middle">` +
    `<title>${escapeXml(cleanText(title))}</title><desc>${escapeXml(cleanText(description))}</desc>` +
    `${paper}${drawn.join('')}</svg>`
  )
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
