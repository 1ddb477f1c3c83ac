/** Panels next to each other, as many per line as fit. */
import { heightOf, type Part, type Sheet } from './sheet.ts'

const GAP = 14

/**
 * @param minWidth panels are at least this wide, if the sheet is
 * @param draw draws a panel at the given width, from the origin
 */
export function grid<Panel>(
  sheet: Sheet,
  panels: readonly Panel[],
  minWidth: number,
  draw: (panel: Panel, width: number) => Part[],
): Part[] {
  const fitting = Math.max(1, Math.floor((sheet.width + GAP) / (minWidth + GAP)))
  // Lines of about the same length: 2 + 2 instead of 3 + 1.
  const perLine = Math.ceil(panels.length / Math.ceil(panels.length / fitting))
  const width = Math.floor((sheet.width - GAP * (perLine - 1)) / perLine)
  const parts: Part[] = []
  for (let first = 0; first < panels.length; first += perLine) {
    const top = first === 0 ? 0 : heightOf(parts) + GAP / 2
    for (const [i, panel] of panels.slice(first, first + perLine).entries()) {
      const left = i * (width + GAP)
      parts.push(...draw(panel, width).map((part) => ({ ...part, x: part.x + left, y: part.y + top })))
    }
  }
  return parts
}
