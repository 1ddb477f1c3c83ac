/** Draws figures on Node, where there is no browser. Large: import it when a figure is needed. */
import { parseHTML } from 'linkedom'
import { svgToPng } from '../../../media/svg.ts'
import { drawFigure } from './index.ts'
import { LIGHT, type Theme } from './theme.ts'
import type { Figure } from '../figure.ts'
import { svgToPdf } from './pdf.ts'

/** Pixels, which are points in PDF: the text width of a page. */
export const DEFAULT_WIDTH = 480
const PNG_SCALE = 3

export const FIGURE_FORMATS = ['svg', 'pdf', 'png'] as const
export type FigureFormat = (typeof FIGURE_FORMATS)[number]

export interface FigureOptions {
  /** Default: 480. */
  width?: number
  theme?: Theme
}

const { document } = parseHTML('<!doctype html><html><body></body></html>')

export function figureSvg(figure: Figure, { width = DEFAULT_WIDTH, theme = LIGHT }: FigureOptions = {}): string {
  return drawFigure(figure, { document, width, theme })
}

/** The content of a file. */
export async function figureFile(
  figure: Figure,
  format: FigureFormat,
  options: FigureOptions = {},
): Promise<string | Uint8Array> {
  const svg = figureSvg(figure, options)
  if (format === 'svg') return `${svg}\n`
  return format === 'pdf' ? svgToPdf(svg, figure) : svgToPng(svg, { scale: PNG_SCALE })
}
