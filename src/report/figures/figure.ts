/**
 * What a figure shows, as plain data. The command line, the HTML report and the viewer build these and draw them with
 * `draw/index.ts`, so a figure looks the same everywhere.
 */
import type { NumberUnit } from '../format.ts'

export type Figure = ScoreFigure | CostFigure

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

/** Score against cost. */
export interface CostFigure extends FigureBase {
  kind: 'cost'
  panels: readonly CostPanel[]
}

export interface CostPanel {
  title: string
  scale: ScoreScale
  points: readonly CostPoint[]
}

export interface CostPoint extends Estimate {
  name: string
  /** US dollars; null if unknown. */
  usd: number | null
  isQuiet: boolean
}
