/** Figures as SVG, PNG and PDF on Node. */
import { parseHTML } from 'linkedom'
import type { Figure } from './figure.ts'
import { drawFigure } from './draw/index.ts'
import { LIGHT, type Theme } from './draw/theme.ts'

/** Pixels, which are points in PDF: the text width of a page. */
export const DEFAULT_WIDTH = 480

const { document } = parseHTML('<!doctype html><html><body></body></html>')

export function figureSvg(
  figure: Figure,
  { width = DEFAULT_WIDTH, theme = LIGHT }: { width?: number; theme?: Theme } = {},
): string {
  return drawFigure(figure, { document, width, theme })
}
