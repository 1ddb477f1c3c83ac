/** What the votes on a ballot say: win ratios, agreement of people, and agreement with the scores. */
import type { ReactNode } from 'react'
import type { VoteReport } from '../../../src/report/preference.ts'
import { useLoaded } from '../data/hooks.ts'
import { Page } from '../frame/page.tsx'
import { linkTo } from '../navigation/routes.ts'
import { card } from '../ui/button.ts'
import { formatShare, plural } from '../ui/format.ts'
import { EmptyState, WhenLoaded } from '../ui/states.tsx'
import { votesApi } from '../votes/client.ts'

export function PreferencePage({ ballot }: { ballot: string }) {
  const report = useLoaded(`preference/${ballot}`, () => votesApi.report(ballot))
  return (
    <Page
      title="Human preference"
      crumbs={[
        { title: 'Leaderboard', to: linkTo.leaderboard() },
        { title: 'Vote', to: linkTo.votes() },
        { title: 'Results' },
      ]}
    >
      <WhenLoaded of={report} what="votes">
        {(found) => <Results report={found} />}
      </WhenLoaded>
    </Page>
  )
}

const NONE = '–'
const spaced = (name: string): string => name.replaceAll('_', ' ')
const number = (value: number | null, digits = 2): string => (value === null ? NONE : value.toFixed(digits))
const pValue = (p: number | null): string => (p === null ? NONE : p < 0.001 ? '< 0.001' : p.toFixed(3))

function Results({ report }: { report: VoteReport }) {
  const { runs, ratios, agreement, correlations, scores, votes, skipped, questions, notes } = report
  const dimensions = [...new Set(ratios.map(({ dimension }) => dimension))]
  if (votes === 0) return <EmptyState title="Nobody has voted yet" />
  return (
    <div className="flex flex-col gap-6">
      <div>
        <h1 className="text-lg font-semibold">Human preference</h1>
        <p className="mt-1 text-quiet">
          {plural(votes, 'vote')} on {plural(questions, 'question')}
          {skipped > 0 ? `, ${skipped} skipped` : ''}
        </p>
        {notes.map((note) => (
          <p key={note} className="mt-1 text-warn">
            {note}
          </p>
        ))}
      </div>
      <Table
        title="Win ratio"
        about="Share of comparisons that a model wins; a tie is half a win."
        head={['dimension', ...runs.map(({ player }) => player), 'votes']}
        rows={dimensions.map((dimension) => {
          const own = runs.map(({ id }) => ratios.find((each) => each.run === id && each.dimension === dimension))
          const counted = own.reduce((sum, each) => sum + (each?.votes ?? 0), 0) / 2
          return [spaced(dimension), ...own.map((each) => (each ? formatShare(each.ratio) : NONE)), String(counted)]
        })}
      />
      <Table
        title="Scores and people"
        about="Correlation over the models between win ratio and score. Two models only tell the direction; p needs three."
        head={['dimension', 'tier', 'models', 'Spearman ρ', 'p', 'Pearson r', 'p']}
        rows={correlations.map(({ dimension, models, spearman, spearmanP, pearson, pearsonP }) => [
          spaced(dimension),
          scores.find((each) => each.dimension === dimension)?.tier ?? 'not measured',
          String(models),
          number(spearman),
          pValue(spearmanP),
          number(pearson),
          pValue(pearsonP),
        ])}
      />
      {agreement.length > 0 && (
        <Table
          title="Agreement of people"
          about="Share of common questions with the same answer, and Cohen’s kappa, which takes out what chance explains."
          head={['people', 'questions', 'same answer', 'kappa']}
          rows={agreement.map(({ raters, questions: common, share, kappa }) => [
            raters.join(' and '),
            String(common),
            formatShare(share),
            number(kappa),
          ])}
        />
      )}
    </div>
  )
}

interface TableProps {
  title: string
  about: ReactNode
  head: readonly string[]
  rows: readonly (readonly string[])[]
}

function Table({ title, about, head, rows }: TableProps) {
  return (
    <section aria-label={title} className={`${card} p-4`}>
      <h2 className="font-semibold">{title}</h2>
      <p className="mb-3 mt-1 max-w-prose text-[13px] text-quiet">{about}</p>
      <div className="overflow-x-auto" role="region" aria-label={`${title}, table`} tabIndex={0}>
        <table className="w-full text-left text-[13px] tabular-nums">
          <thead className="text-quiet">
            <tr>
              {head.map((name, i) => (
                <th key={i} scope="col" className={cell(i)}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([first, ...values]) => (
              <tr key={first} className="border-t border-line">
                <th scope="row" className={cell(0)}>
                  {first}
                </th>
                {values.map((value, i) => (
                  <td key={i} className={cell(i + 1)}>
                    {value}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const cell = (column: number): string =>
  column === 0 ? 'sticky left-0 bg-paper py-1 pr-4 font-normal' : 'px-2 py-1 text-right font-normal'
