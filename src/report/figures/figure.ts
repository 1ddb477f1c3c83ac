/**
 * What a figure shows, as plain data. The command line, the HTML report and the viewer build these and draw them with
 * `draw/index.ts`, so a figure looks the same everywhere.
 */
import type { NumberUnit } from '../format.ts'

export type Figure = ScoreFigure | CostFigure | CurveFigure | MatrixFigure | ScatterFigure | HistogramFigure

interface FigureBase {
  /** A short name, not drawn: papers and pages have captions. */
  title: string
  /** The main numbers in words, for readers who cannot see the figure. */
  description: string
}

/** Levels that a score is compared with, in drawing order. */
export const REFERENCES = ['chance', 'constant', 'blind', 'ceiling'] as const
export type Reference = (typeof REFERENCES)[number]

export interface Estimate {
  value: number | null
  /** 95% confidence interval. */
  interval: readonly [number, number] | null
}

/** An axis of scores. */
export interface ScoreScale {
  title: string
  unit: NumberUnit
  better: 'higher' | 'lower'
}

/** Scores as dots with whiskers, one row per run or question type. */
export interface ScoreFigure extends FigureBase {
  kind: 'scores'
  /** Names of the dots of each row; one without a name if each row has a single dot. */
  series: readonly string[]
  panels: readonly ScorePanel[]
}

export interface ScorePanel {
  /** Heading; drawn if there are several panels. */
  title: string
  scale: ScoreScale
  rows: readonly ScorePanelRow[]
}

export interface ScorePanelRow {
  name: string
  /** One estimate per series; null if a run does not have the row. */
  estimates: readonly (Estimate | null)[]
  references: Readonly<Partial<Record<Reference, number>>>
  /** Drawn in gray, as baselines are. */
  isQuiet: boolean
}

/** Score against cost: dollars, or another number of the report. */
export interface CostFigure extends FigureBase {
  kind: 'cost'
  panels: readonly CostPanel[]
}

export interface CostPanel {
  title: string
  scale: ScoreScale
  /** What costs are, if not dollars: `Cost`, `Answers per sample`. */
  axis?: string
  points: readonly CostPoint[]
}

export interface CostPoint extends Estimate {
  name: string
  /** Null if unknown. */
  cost: number | null
  isQuiet: boolean
}

/** Scores along an axis, each run as a line with a band for its interval. */
export interface CurveFigure extends FigureBase {
  kind: 'curves'
  series: readonly string[]
  panels: readonly CurvePanel[]
}

export interface CurvePanel {
  title: string
  /** `cost`, `k`. */
  xTitle: string
  /** Of 1, 2 and so on, if they stand for something else: `easy`, `medium`, `hard`. */
  xNames?: readonly string[]
  unit: NumberUnit
  /** A marked position, such as the current turn. */
  now?: number
  /** Points of each series, from left to right. */
  lines: readonly (readonly CurvePoint[])[]
}

export interface CurvePoint extends Estimate {
  x: number
}

/** Shares or scores in a grid: heat maps and confusion matrices. */
export interface MatrixFigure extends FigureBase {
  kind: 'matrix'
  panels: readonly MatrixPanel[]
  /** What short texts in the cells stand for. */
  marks?: readonly { mark: string; name: string }[]
}

export interface MatrixPanel {
  title: string
  rowTitle: string
  columnTitle: string
  rows: readonly string[]
  columns: readonly string[]
  /** By row and column; null if there is none. */
  cells: readonly (readonly (MatrixCell | null)[])[]
  /** Cells are places of a map: square, and names of rows and columns are left out. */
  isMap?: boolean
}

export interface MatrixCell {
  /** 0 to 1: how dark the cell is. */
  shade: number
  text: string
}

/** Values against each other on the same scale, with the diagonal: numeric answers against the truth, run A against B. */
export interface ScatterFigure extends FigureBase {
  kind: 'scatter'
  series: readonly string[]
  panels: readonly ScatterPanel[]
}

export interface ScatterPanel {
  title: string
  /** What the axes are: `truth → answer ↑ (m)`. */
  axes: string
  /** Shares are shown in percent. */
  isShare?: boolean
  isLogarithmic: boolean
  points: readonly ScatterPoint[]
}

export interface ScatterPoint {
  series: number
  x: number
  y: number
  /** Default: 1. */
  count?: number
}

/** How many values are in each of several bins of equal width. */
export interface HistogramFigure extends FigureBase {
  kind: 'histogram'
  start: number
  width: number
  counts: readonly number[]
  ticks: readonly { x: number; label: string }[]
}
