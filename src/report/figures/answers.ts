/** Answers against the ground truth: numbers as points, choices as confusion matrices. */
import { groupBy } from '../../base/group.ts'
import { plural } from '../../base/plural.ts'
import { humanize } from '../format.ts'
import type { Report } from '../report.ts'
import type { MatrixFigure, MatrixPanel, ScatterFigure, ScatterPanel } from './figure.ts'
import { describeMatrices } from './types.ts'

/** An episode of one of the runs, as the suite describes it. */
export interface AnsweredEpisode {
  /** Position of its run. */
  run: number
  labels: Readonly<Record<string, string>>
  answer?: string | number | null
  truth?: string | number | null
  unit?: string
  choices?: readonly string[]
}

export interface AnsweredRuns {
  /** Names of the runs. */
  runs: readonly string[]
  /** Titles of question types, by label. */
  titles: ReadonlyMap<string, string>
  episodes: readonly AnsweredEpisode[]
  /** Number of episodes that are left out because their log is damaged. */
  unreadable: number
}

function titled(title: string, { unreadable }: AnsweredRuns): string {
  return unreadable === 0 ? title : `${title}, without ${plural(unreadable, 'unreadable log')}`
}

/** Rows of reports have the titles of question types. */
export function typeTitles(reports: readonly Report[]): ReadonlyMap<string, string> {
  return new Map(reports.flatMap(({ rows }) => rows.map(({ key, title }) => [key, title] as const)))
}

/** From this ratio of the largest to the smallest value on, small values need a logarithmic scale to be seen. */
const WIDE_RANGE = 20

/** Null if no episode has a number for an answer and for its truth. */
export function numberFigure(answered: AnsweredRuns): ScatterFigure | null {
  const { runs, titles, episodes } = answered
  const numeric = episodes.flatMap(({ run, labels, answer, truth, unit = '' }) =>
    typeof truth === 'number' && Number.isFinite(truth)
      ? [
          {
            type: labels['type'] ?? '',
            unit,
            series: run,
            truth,
            answer: typeof answer === 'number' ? answer : Number.NaN,
          },
        ]
      : [],
  )
  const panels = [...groupBy(numeric, ({ type, unit }) => `${type}\u0000${unit}`).values()].flatMap(
    (group): ScatterPanel[] => {
      const { type, unit } = group[0]!
      const points = group.filter(({ answer }) => Number.isFinite(answer))
      if (points.length === 0) return []
      let [least, most] = [Number.POSITIVE_INFINITY, 0]
      for (const { truth, answer } of points) {
        least = Math.min(least, truth, answer)
        most = Math.max(most, truth, answer)
      }
      const missing = group.length - points.length
      return [
        {
          title: `${(titles.get(type) ?? humanize(type)) || 'Numbers'} (n = ${points.length}${missing > 0 ? `, ${missing} without a number` : ''})`,
          axes: `truth → answer ↑${unit === '' ? '' : ` (${unit})`}`,
          isLogarithmic: least > 0 && most / least >= WIDE_RANGE,
          points: points.map(({ series, truth, answer }) => ({ series, x: truth, y: answer })),
        },
      ]
    },
  )
  if (panels.length === 0) return null
  const description = panels.map(({ title, points }) => {
    const close = points.filter(({ x, y }) => Math.abs(y - x) <= 0.1 * Math.abs(x)).length
    return `${title}: ${close} within 10% of the truth`
  })
  return {
    kind: 'scatter',
    title: titled('Answers against the truth', answered),
    description: `${description.join('; ')}.`,
    series: runs,
    panels,
  }
}

/** More sets of choices than this: the choices belong to the question, and only their letters can be compared. */
const MAX_CHOICE_SETS = 6
const NO_ANSWER = 'no answer'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Null if no episode has a choice for an answer. */
export function confusionFigure(answered: AnsweredRuns): MatrixFigure | null {
  const { runs, titles, episodes } = answered
  const chosen = episodes.flatMap((episode) => {
    const { choices, truth } = episode
    if (choices === undefined || choices.length < 2 || choices.length > LETTERS.length) return []
    const right = choices.indexOf(String(truth))
    return right < 0 ? [] : [{ ...episode, choices, right, said: choices.indexOf(String(episode.answer)) }]
  })
  const sets = groupBy(chosen, ({ choices }) => JSON.stringify(choices))
  const isFixed = sets.size <= MAX_CHOICE_SETS
  const groups = isFixed ? sets : groupBy(chosen, ({ labels }) => labels['type'] ?? '')
  const panels = runs.flatMap((name, run) =>
    [...groups.values()].flatMap((all): MatrixPanel[] => {
      const group = all.filter((episode) => episode.run === run)
      if (group.length === 0) return []
      const most = all.reduce((longest, { choices }) => Math.max(longest, choices.length), 0)
      const answers = isFixed ? group[0]!.choices : Array.from(LETTERS.slice(0, most))
      const type = isFixed ? distinctLabel(all, chosen) : (group[0]!.labels['type'] ?? '')
      const title = [...(runs.length > 1 ? [name] : []), ...(type === '' ? [] : [titles.get(type) ?? humanize(type)])]
      const columns = group.some(({ said }) => said < 0) ? [...answers, NO_ANSWER] : [...answers]
      return [
        {
          title: title.join(': ') || 'Answers',
          rowTitle: 'truth',
          columnTitle: 'answer',
          rows: answers,
          columns,
          cells: answers.map((_, row) => {
            const ofRow = group.filter(({ right }) => right === row)
            return columns.map((__, column) => {
              const count = ofRow.filter(({ said }) => (said < 0 ? answers.length : said) === column).length
              return ofRow.length === 0 ? null : { shade: count / ofRow.length, text: String(count) }
            })
          }),
        },
      ]
    }),
  )
  if (panels.length === 0) return null
  return {
    kind: 'matrix',
    title: titled(`Confusion of ${plural(chosen.length, 'answer')}`, answered),
    description: describeMatrices(panels),
    panels,
  }
}

/** The value of a label that all episodes of a group have and no other: the group's name. */
function distinctLabel(group: readonly AnsweredEpisode[], all: readonly AnsweredEpisode[]): string {
  if (group.length === all.length) return ''
  for (const [name, value] of Object.entries(group[0]!.labels)) {
    const having = all.filter(({ labels }) => labels[name] === value)
    if (having.length === group.length && group.every(({ labels }) => labels[name] === value)) return value
  }
  return ''
}
