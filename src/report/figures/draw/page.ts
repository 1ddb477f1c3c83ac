/** The figures of an HTML report: drawn here, without scripts, in the colors of the page. */
import type { Report } from '../../report.ts'
import { curveFigure } from '../curves.ts'
import { OF_PAGE } from './theme.ts'
import type { Figure } from '../figure.ts'
import { costFigure, forestFigure, scoredRuns } from '../runs.ts'
import { figureSvg } from './svg.ts'
import { matrixFigure, typeFigure } from '../types.ts'

const WIDTH = 520

/** What runs of one suite have data for. */
export function figuresOfPage(reports: readonly Report[]): string {
  const runs = scoredRuns(reports)
  const hasSeveral = runs.filter(({ score }) => score.value !== null).length > 1
  const isPaid = runs.some(({ usd }) => usd !== null && usd > 0)
  const figures: (Figure | null)[] = [
    hasSeveral ? forestFigure(runs) : null,
    hasSeveral && isPaid ? costFigure(runs) : null,
    typeFigure(reports),
    curveFigure(reports),
    matrixFigure(reports),
  ]
  return figures.flatMap((figure) => (figure === null ? [] : [element(figure)])).join('\n')
}

function element(figure: Figure): string {
  // In a page, the name space is known.
  const svg = figureSvg(figure, { width: WIDTH, theme: OF_PAGE }).replace(/ xmlns="[^"]*"/, '')
  return `<figure><figcaption>${figure.title}</figcaption>${svg}</figure>`
}
