/** What each kind of figure shows. */
export const FIGURE_KINDS = {
  forest: 'main score of each run, with confidence intervals',
  types: 'scores by question type or part',
  cost: 'main score against cost',
  numbers: 'numeric answers against the ground truth',
  confusion: 'chosen answers against the ground truth',
  heatmap: 'scores that form a matrix, such as templates × metrics',
  curves: 'scores over cost or turns',
} as const

export type FigureKind = keyof typeof FIGURE_KINDS
