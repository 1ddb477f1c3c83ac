/** `sightline vbench vote` and `sightline vbench preference` */
import { UserError } from '../../../base/errors.ts'
import { plural } from '../../../base/plural.ts'
import { printableLines } from '../../../base/printable.ts'
import { createBallot, Voting } from '../../../library/votes.ts'
import { formatValue, NONE } from '../../../report/format.ts'
import type { VoteReport } from '../../../report/preference.ts'
import { Store } from '../../../store/store.ts'
import { ALL_DIMENSIONS, dimensionsNamed, spacedName } from '../../../suites/vbench/domain/dimensions.ts'
import { bold, columns, print } from '../../terminal/output.ts'

interface VoteOptions {
  dimension?: string[]
  questions: number
  seed: number
  json?: boolean
  logDir: string
}

export async function vote(runs: readonly string[], options: VoteOptions): Promise<void> {
  const store = await Store.open(options.logDir)
  const readers = await Promise.all(runs.map((name) => store.openRun(name)))
  const ballot = await createBallot(store, {
    runs: readers.map(({ header }) => header.id),
    ...(options.dimension ? { dimensions: dimensionsNamed(options.dimension, ALL_DIMENSIONS) } : {}),
    seed: options.seed,
    count: options.questions,
  })
  const { id, questions } = ballot
  if (options.json) print(JSON.stringify({ id, questions: questions.length }, null, 1))
  else print(`${id}: ${plural(questions.length, 'question')}. Vote with \`sightline view\`, at #/votes.`)
}

export async function preference(
  ballot: string | undefined,
  options: { json?: boolean; logDir: string },
): Promise<void> {
  const voting = new Voting(await Store.open(options.logDir))
  const id = ballot ?? (await voting.list())[0]?.id
  if (id === undefined) {
    throw new UserError(`Nobody has voted in ${options.logDir} yet.`, {
      hint: 'Draw pairs with `sightline vbench vote RUN RUN`, and vote with `sightline view`.',
    })
  }
  const report = await voting.report(id)
  if (options.json) print(JSON.stringify(report, null, 1))
  else print(textOf(report))
}

const ratio = (value: number | null): string => (value === null ? NONE : value.toFixed(2))

function textOf(report: VoteReport): string {
  const { runs, ratios, agreement, correlations, scores, votes, skipped, questions, notes } = report
  const dimensions = [...new Set(ratios.map(({ dimension }) => dimension))]
  const skips = skipped > 0 ? `, ${skipped} skipped` : ''
  const lines = [`${report.ballot}: ${plural(votes, 'vote')} on ${plural(questions, 'question')}${skips}`, ...notes, '']
  if (votes === 0) return lines.join('\n').trimEnd()
  const won = dimensions.map((dimension) => [
    spacedName(dimension),
    ...runs.map(({ id }) => {
      const own = ratios.find((each) => each.run === id && each.dimension === dimension)
      return own ? `${formatValue(own.ratio, 'percent')}%` : NONE
    }),
  ])
  lines.push(bold('Win ratio'), columns([['', ...runs.map(({ player }) => printableLines(player))], ...won]), '')
  const related = correlations.map(({ dimension, models, spearman, spearmanP, pearson, pearsonP }) => [
    spacedName(dimension),
    scores.find((each) => each.dimension === dimension)?.tier ?? 'not measured',
    String(models),
    ratio(spearman),
    ratio(spearmanP),
    ratio(pearson),
    ratio(pearsonP),
  ])
  const head = ['', 'tier', 'models', 'Spearman', 'p', 'Pearson', 'p']
  lines.push(bold('Scores and people'), columns([head, ...related]), '')
  if (agreement.length > 0) {
    const pairs = agreement.map(({ raters, questions: common, share, kappa }) => [
      printableLines(raters.join(' and ')),
      String(common),
      `${formatValue(share, 'percent')}%`,
      ratio(kappa),
    ])
    lines.push(bold('Agreement of people'), columns([['', 'questions', 'same answer', 'kappa'], ...pairs]), '')
  }
  return lines.join('\n').trimEnd()
}
