import { type Markish, text } from '@observablehq/plot'
import type { Sheet } from './sheet.ts'
import { LINE_HEIGHT, wrapText } from './text.ts'

export interface Heading {
  /** Room it takes at the top of a panel. */
  height: number
  /** The mark, for a plot with these margins. */
  marks(margins: { left: number; top: number }): Markish[]
}

/** The title of a panel, at its top left. */
export function heading({ fontSize, theme }: Sheet, title: string, width: number): Heading {
  // Bold text is a little wider.
  const lines = title === '' ? [] : wrapText(title, width * 0.92, fontSize)
  return {
    height: lines.length * fontSize * LINE_HEIGHT + 8,
    marks: ({ left, top }) => [
      text(lines.length === 0 ? [] : [lines.join('\n')], {
        frameAnchor: 'top-left',
        dx: -left,
        dy: 2 - top,
        lineHeight: LINE_HEIGHT,
        text: (line: string) => line,
        fontWeight: 600,
        fontSize,
        fill: theme.ink,
      }),
    ],
  }
}
