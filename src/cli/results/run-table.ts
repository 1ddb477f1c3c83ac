/** `sightline list runs` as a table that fits the terminal. */
import { cutEnd, cutMiddle, padEnd, padStart, widthOf } from '../../base/display-width.ts'
import { printable } from '../../base/printable.ts'
import { plural } from '../../base/plural.ts'

export interface ListedRun {
  id: string
  suite: string
  model: string
  state: string
  episodes: string
  score: string
  cost: string
  /** Why it stopped. */
  reason: string | null
}

type Field = Exclude<keyof ListedRun, 'reason'>

const GAP = '  '
const COMPLETE: readonly Field[] = ['id', 'model', 'state', 'episodes', 'score', 'cost']
const SHORT: readonly Field[] = ['id', 'suite', 'model', 'state', 'episodes', 'score', 'cost']
/** What a narrow terminal goes without, the first to go first. */
const DROPPABLE: readonly Field[] = ['suite', 'episodes', 'cost']
const NUMBERS: ReadonlySet<Field> = new Set(['episodes', 'score', 'cost'])
const MIN_MODEL_WIDTH = 16
const SUFFIX_LENGTH = 4

/** @param total how many runs there are, if `runs` are only the latest */
export function runTable(
  runs: readonly ListedRun[],
  width: number,
  { all, total }: { all: boolean; total: number },
): string {
  const hidden = total > runs.length ? [plural(total - runs.length, 'older run')] : []
  if (naturalWidth(runs, COMPLETE) <= width) return withRemark(tableOf(runs, COMPLETE, width), hidden)
  if (all) return stacked(runs, width).join('\n')
  const ids = shortIds(runs.map(({ id }) => id))
  const short = runs.map((run, i) => ({ ...run, id: ids[i]! }))
  let fields = SHORT
  const dropped: string[] = []
  for (const field of DROPPABLE) {
    if (naturalWidth(short, fields, MIN_MODEL_WIDTH) <= width) break
    fields = fields.filter((each) => each !== field)
    dropped.push(field)
  }
  const what = [...hidden, 'whole ids', ...dropped]
  return withRemark(tableOf(short, fields, width), what, width)
}

function withRemark(lines: readonly string[], hidden: readonly string[], width = Infinity): string {
  if (hidden.length === 0) return lines.join('\n')
  const remark = `Not shown: ${new Intl.ListFormat('en').format(hidden)}. Use --all.`
  return [...lines, '', ...(remark.length > width ? [cutEnd(remark, width)] : [remark])].join('\n')
}

/** The end of each id, as long as needed to tell it from the others: any unique part of an id names a run. */
export function shortIds(ids: readonly string[]): string[] {
  return ids.map((id) => {
    for (let length = SUFFIX_LENGTH; length < id.length; length++) {
      const end = id.slice(-length)
      if (ids.filter((other) => other.includes(end)).length === 1) return end
    }
    return id
  })
}

function naturalWidth(runs: readonly ListedRun[], fields: readonly Field[], maxModel = Infinity): number {
  return fields.reduce(
    (sum, field) => sum + GAP.length + Math.min(columnWidth(runs, field), field === 'model' ? maxModel : Infinity),
    -GAP.length,
  )
}

function columnWidth(runs: readonly ListedRun[], field: Field): number {
  return Math.max(widthOf(heading(field)), ...runs.map((run) => widthOf(run[field])))
}

function heading(field: Field): string {
  return field === 'id' ? 'run' : field
}

function tableOf(runs: readonly ListedRun[], fields: readonly Field[], width: number): string[] {
  const excess = Math.max(0, naturalWidth(runs, fields) - width)
  const widths = fields.map((field) => columnWidth(runs, field) - (field === 'model' ? excess : 0))
  const line = (cellOf: (field: Field) => string): string =>
    fields
      .map((field, i) => {
        const cell = cutMiddle(printable(cellOf(field)), widths[i]!)
        return NUMBERS.has(field) ? padStart(cell, widths[i]!) : padEnd(cell, widths[i]!)
      })
      .join(GAP)
      .trimEnd()
  return [line(heading), ...runs.flatMap((run) => [line((field) => run[field]), ...reasonLine(run, width)])]
}

/** Whole ids on a narrow terminal. */
function stacked(runs: readonly ListedRun[], width: number): string[] {
  return runs.flatMap((run) => {
    const { id, model, state, episodes, score, cost } = run
    const rest = `    ${[state, episodes, score, cost].join(' · ')} · ${model}`
    return [
      cutEnd(printable(id), Math.max(width, id.length)),
      cutEnd(printable(rest), width),
      ...reasonLine(run, width),
    ]
  })
}

function reasonLine({ reason }: ListedRun, width: number): string[] {
  return reason === null ? [] : [cutEnd(`    ${printable(reason)}`, width)]
}
