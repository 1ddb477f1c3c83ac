/** Colors of figures. Series differ in shape too, so that they can be told apart without color. */

export interface Theme {
  /** Background; `none` where the page has its own. */
  paper: string
  ink: string
  /** Axes and secondary text. */
  soft: string
  /** Grid lines. */
  line: string
  accent: string
  /** Text on the accent color. */
  onAccent: string
  warn: string
  /** Colors of runs, told apart with the common kinds of color blindness. */
  series: readonly string[]
}

export const LIGHT: Theme = {
  paper: '#ffffff',
  ink: '#1d1f23',
  soft: '#5b616b',
  line: '#dfe2e6',
  accent: '#1c63b7',
  onAccent: '#ffffff',
  warn: '#a4480c',
  series: ['#1c63b7', '#c2571a', '#1b7f5c', '#8a4fa3', '#a88400', '#b8336a', '#3b8fb0', '#6b6f76'],
}

export const DARK: Theme = {
  paper: '#161b22',
  ink: '#e6ebf1',
  soft: '#98a4b3',
  line: '#2b3441',
  accent: '#76b0f5',
  onAccent: '#10151c',
  warn: '#f0a36b',
  series: ['#76b0f5', '#f0976b', '#5cc99e', '#c79be0', '#dcc04f', '#f089b3', '#79c7e0', '#a9afb8'],
}

/** Refers to the CSS variables of `themeVariables`, to follow the color scheme of a page. */
export const OF_PAGE: Theme = {
  paper: 'none',
  ink: 'var(--figure-ink)',
  soft: 'var(--figure-soft)',
  line: 'var(--figure-line)',
  accent: 'var(--figure-accent)',
  onAccent: 'var(--figure-on-accent)',
  warn: 'var(--figure-warn)',
  series: LIGHT.series.map((_, i) => `var(--figure-series-${i})`),
}

export function themeVariables({ ink, soft, line, accent, onAccent, warn, series }: Theme): string {
  const named = Object.entries({ ink, soft, line, accent, 'on-accent': onAccent, warn })
  const numbered = series.map((color, i) => [`series-${i}`, color] as const)
  return [...named, ...numbered].map(([name, color]) => `--figure-${name}:${color}`).join(';')
}

/** Shapes by series; filled, of similar weight. */
const SYMBOLS = ['circle', 'square', 'triangle', 'diamond', 'star', 'wye', 'cross'] as const

export interface SeriesStyle {
  color: string
  symbol: (typeof SYMBOLS)[number]
}

/** Seven shapes and eight colors: the pairs repeat after 56 series. */
export function seriesStyle(theme: Theme, i: number): SeriesStyle {
  return { color: theme.series[i % theme.series.length]!, symbol: SYMBOLS[i % SYMBOLS.length]! }
}
