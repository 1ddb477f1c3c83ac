/** Draws figures with Observable Plot, in the browser and on Node. Large: import it when a figure is needed. */
import type { Figure } from '../figure.ts'
import { drawCost } from './cost.ts'
import { drawCurves } from './curves.ts'
import { drawHistogram } from './histogram.ts'
import { drawMatrix } from './matrix.ts'
import { drawScatter } from './scatter.ts'
import { drawScores } from './scores.ts'
import { compose, type DrawOptions, type Part, type Sheet, sheetOf } from './sheet.ts'

/** A figure as a self-contained SVG: explicit colors and sizes, no style sheets, no references. */
export function drawFigure(figure: Figure, options: DrawOptions): string {
  const sheet = sheetOf(options)
  return compose(sheet, figure.title, figure.description, partsOf(sheet, figure))
}

function partsOf(sheet: Sheet, figure: Figure): Part[] {
  switch (figure.kind) {
    case 'scores':
      return drawScores(sheet, figure)
    case 'cost':
      return drawCost(sheet, figure)
    case 'curves':
      return drawCurves(sheet, figure)
    case 'matrix':
      return drawMatrix(sheet, figure)
    case 'scatter':
      return drawScatter(sheet, figure)
    case 'histogram':
      return drawHistogram(sheet, figure)
  }
}
