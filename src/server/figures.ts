/** Figures that need the logs of a run: numbers and choices against the ground truth. */
import { plural } from '../base/plural.ts'
import { answersIn } from '../engine/answers.ts'
import { confusionFigure, numberFigure, typeTitles } from '../report/figures/answers.ts'
import type { Figure } from '../report/figures/figure.ts'
import { formatCount } from '../report/format.ts'
import { describedFields } from './described.ts'
import type { RunEntry } from './run-entry.ts'

/** Reading more logs than this would keep the server from answering others; `sightline figure` reads all. */
const MAX_EPISODES = 4000

/** A running run changes all the time; its figures are drawn when it ends. */
export async function figuresOf(entry: RunEntry): Promise<Figure[]> {
  const { row, report } = await entry.detail()
  if (row.state === 'running' || report === null) return []
  const lines = await entry.lines()
  if (!(await describedFields(entry, lines)).includes('truth')) return []
  const step = Math.max(1, lines.length / MAX_EPISODES)
  const read = Array.from({ length: Math.floor(lines.length / step) }, (_, i) => lines[Math.floor(i * step)]!)
  const { unreadable, ...own } = await answersIn(entry.reader, await entry.suite(), read)
  const episodes = own.episodes.map((episode) => ({ run: 0, ...episode }))
  const answered = { unreadable, runs: [row.player], titles: typeTitles([report]), episodes }
  const part = read.length < lines.length ? ` in ${formatCount(read.length)} of ${plural(lines.length, 'episode')}` : ''
  return [numberFigure(answered), confusionFigure(answered)].flatMap((figure) =>
    figure === null ? [] : [{ ...figure, title: `${figure.title}${part}` }],
  )
}
