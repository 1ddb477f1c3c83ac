/** Tables on the terminal are fitted to it; in a file or a pipe they are complete. */
import type { Report } from '../../report/report.ts'
import { type RenderOptions, renderTables } from '../../report/render/index.ts'
import type { Fit } from '../../report/render/text-table.ts'
import { terminalWidth } from '../terminal/size.ts'

/** Narrower terminals get a table of this width. */
const MIN_WIDTH = 40

export interface TableOptions {
  /** All rows and intervals. */
  all?: boolean | undefined
  /** The command that shows more; default: the one that was typed. */
  command?: string
  /** What writes a complete table. Default: `-o report.html`. */
  file?: string
}

export function fitFor({ all = false, command, file = '-o report.html' }: TableOptions): Fit | undefined {
  const width = terminalWidth()
  if (!Number.isFinite(width)) return undefined
  const flags = all ? file : `--all or ${file}`
  const more = command === undefined ? `Add ${flags}.` : `See ${command} with ${flags}.`
  return { width: Math.max(MIN_WIDTH, width), all, more }
}

export function tablesToFit(reports: readonly Report[], options: TableOptions, shown: RenderOptions = {}): string {
  return renderTables(reports, fitFor(options), shown)
}
