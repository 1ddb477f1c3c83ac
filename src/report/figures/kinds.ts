/** What each kind of figure shows. */
export const FIGURE_KINDS = {
  forest: 'main score of each run, with confidence intervals',
  types: 'scores by question type or part',
  cost: 'main score against cost',
  numbers: 'numeric answers against the ground truth',
  confusion: 'chosen answers against the ground truth',
  heatmap: 'scores that form a matrix, such as templates × metrics',
  maps: 'maps that were drawn, beside the true ones, of the first scenes',
  sweep: 'main score over an option (--over rooms), with the gap between two settings (--gap explore)',
  curves: 'scores over cost, turns or level of difficulty',
} as const

export type FigureKind = keyof typeof FIGURE_KINDS
