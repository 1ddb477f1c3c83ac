/** Names of series and lines, in as many lines as they need. */
import { dot, link, type Markish, text } from '@observablehq/plot'
import { PIXELS } from './axis.ts'
import { type Part, place, type Sheet } from './sheet.ts'
import { LINE_HEIGHT, textWidth, wrapText } from './text.ts'
import type { SeriesStyle } from './theme.ts'

export type LegendItem = { name: string } & (
  | { kind: 'series'; style: SeriesStyle }
  | { kind: 'line'; color: string; dash: string }
  /** A short text that stands for the name. */
  | { kind: 'mark'; mark: string; color: string }
)

const MARK_WIDTH = 16
const GAP = 12

export function legend(sheet: Sheet, items: readonly LegendItem[]): Part[] {
  if (items.length === 0) return []
  const { width, theme, fontSize, smallSize } = sheet
  const lineHeight = smallSize * LINE_HEIGHT
  const placed: { item: LegendItem; x: number; y: number; lines: string[]; markWidth: number }[] = []
  let [x, y, rowHeight] = [0, 4, 0]
  for (const item of items) {
    const markWidth = item.kind === 'mark' ? Math.max(MARK_WIDTH, textWidth(item.mark, smallSize) + 9) : MARK_WIDTH
    const lines = wrapText(item.name, width - markWidth - 2, smallSize)
    const needed = markWidth + Math.max(...lines.map((line) => textWidth(line, smallSize)))
    if (x > 0 && x + needed > width) {
      ;[x, y, rowHeight] = [0, y + rowHeight, 0]
    }
    placed.push({ item, x, y, lines, markWidth })
    x += needed + GAP
    rowHeight = Math.max(rowHeight, lines.length * lineHeight + 2)
  }
  const middle = ({ y: top }: { y: number }): number => top + lineHeight / 2
  const marks = placed.flatMap((each): Markish[] => {
    const { item } = each
    if (item.kind === 'series') {
      const { color, symbol } = item.style
      return [dot([each], { x: each.x + 6, y: middle(each), symbol, fill: color, r: 3.2 })]
    }
    if (item.kind === 'line') {
      const line = { x1: each.x + 6, x2: each.x + 6, y1: each.y, y2: each.y + lineHeight }
      return [link([each], { ...line, stroke: item.color, strokeWidth: 1.5, strokeDasharray: item.dash })]
    }
    const at = { x: each.x + 6, y: middle(each), fontSize: smallSize, fill: item.color }
    return [text([item.mark], { ...at, text: (mark: string) => mark, fontWeight: 600 })]
  })
  const names = text(placed, {
    x: (each: (typeof placed)[number]) => each.x + each.markWidth - 2,
    y: ({ y: top }: (typeof placed)[number]) => top,
    text: ({ lines }: (typeof placed)[number]) => lines.join('\n'),
    textAnchor: 'start',
    lineAnchor: 'top',
    lineHeight: LINE_HEIGHT,
    fontSize: smallSize,
    fill: theme.soft,
  })
  const height = y + rowHeight + fontSize / 2
  const options = { width, height, margin: 0, x: PIXELS, y: PIXELS, marks: [...marks, names] }
  return [place(sheet, {}, options)]
}
