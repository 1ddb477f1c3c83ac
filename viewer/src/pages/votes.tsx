/** Choose runs of VBench and vote on their videos, or continue a ballot. */
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import type { BallotRow } from '../../../src/report/preference.ts'
import type { RunRow } from '../../../src/server/api.ts'
import { errorText } from '../data/http.ts'
import { useLoaded } from '../data/hooks.ts'
import { Page } from '../frame/page.tsx'
import { navigate } from '../navigation/location.ts'
import { linkTo } from '../navigation/routes.ts'
import { button, card, primaryButton } from '../ui/button.ts'
import { formatDate, plural } from '../ui/format.ts'
import { NameField } from '../ui/name-field.tsx'
import { NumberField } from '../ui/number-field.tsx'
import { storedName, storeName } from '../ui/person-name.ts'
import { EmptyState, WhenLoaded } from '../ui/states.tsx'
import { votesApi } from '../votes/client.ts'

const SUITE = 'vbench'

export function VotesPage() {
  const runs = useLoaded('runs', (source) => source.runs())
  const ballots = useLoaded('votes', () => votesApi.ballots())
  const [name, setName] = useState(storedName)
  return (
    <Page title="Vote" crumbs={[{ title: 'Leaderboard', to: linkTo.leaderboard() }, { title: 'Vote' }]}>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <WhenLoaded of={runs} what="runs">
          {(rows) => (
            <NewBallot
              runs={rows.filter(({ suite, finished }) => suite === SUITE && finished > 0)}
              name={name}
              onName={setName}
            />
          )}
        </WhenLoaded>
        {ballots.state === 'ready' && ballots.value.length > 0 && <Ballots ballots={ballots.value} name={name} />}
      </div>
    </Page>
  )
}

interface NewBallotProps {
  runs: readonly RunRow[]
  name: string
  onName: (name: string) => void
}

function NewBallot({ runs, name, onName }: NewBallotProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(runs.slice(0, 2).map(({ id }) => id)))
  const [count, setCount] = useState(40)
  const [seed, setSeed] = useState(0)
  const [problem, setProblem] = useState<string | null>(null)
  const [starting, setStarting] = useState(false)
  if (runs.length < 2) {
    return (
      <EmptyState title="Nothing to compare yet">
        Votes need two or more runs of {SUITE} with the same prompts. A folder of videos becomes a run with{' '}
        <code>sightline vbench score --videos FOLDER</code>.
      </EmptyState>
    )
  }
  const start = (event: FormEvent): void => {
    event.preventDefault()
    setStarting(true)
    setProblem(null)
    storeName(name)
    votesApi.start({ runs: [...chosen], seed, count }).then(
      ({ id }) => navigate(linkTo.vote(id, name.trim())),
      (error: unknown) => {
        setStarting(false)
        setProblem(errorText(error).message)
      },
    )
  }
  const toggle = (id: string): void => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  return (
    <form onSubmit={start} className="flex flex-col gap-5">
      <div>
        <h1 className="text-lg font-semibold">Which video is better?</h1>
        <p className="mt-1 max-w-prose text-quiet">
          You see two videos of one prompt and a question about one dimension. Which model made which is hidden, and
          sides and order are drawn from the seed. Votes are kept in the store; several people can vote on the same
          questions.
        </p>
      </div>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 text-[13px] font-semibold">Runs</legend>
        {runs.map(({ id, player, finished }) => (
          <label key={id} className={`${card} flex cursor-pointer items-start gap-2 p-3`}>
            <input
              type="checkbox"
              checked={chosen.has(id)}
              onChange={() => toggle(id)}
              className="mt-1 accent-accent"
            />
            <span className="min-w-0">
              <span className="block font-medium [overflow-wrap:anywhere]">{player}</span>
              <span className="block text-[13px] text-quiet [overflow-wrap:anywhere]">
                {id}, {plural(finished, 'video')}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <div className="flex flex-wrap gap-4">
        <NameField value={name} onChange={onName} />
        <NumberField label="Questions" value={count} min={1} max={5000} onChange={setCount} />
        <NumberField label="Seed" value={seed} min={0} max={2 ** 31} onChange={setSeed} />
      </div>
      {problem !== null && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
      <button type="submit" className={`${primaryButton} self-start`} disabled={starting || chosen.size < 2}>
        {starting ? 'Starting…' : 'Vote'}
      </button>
    </form>
  )
}

function Ballots({ ballots, name }: { ballots: readonly BallotRow[]; name: string }) {
  const me = name.trim()
  return (
    <section className={`${card} flex flex-col gap-3 p-4`} aria-label="Ballots">
      <h2 className="text-[13px] font-semibold">Ballots</h2>
      <ul className="flex flex-col gap-4">
        {ballots.map(({ id, created, runs, total, raters }) => (
          <li key={id} className="flex flex-col gap-1.5">
            <span className="[overflow-wrap:anywhere]">{runs.map(({ player }) => player).join(', ')}</span>
            <span className="text-[13px] text-quiet">
              {formatDate(created)}, {plural(total, 'question')}
              {raters.map((rater) => `, ${rater.name} ${rater.done}`).join('')}
            </span>
            <span className="flex gap-2">
              {me !== '' && (
                <Link href={linkTo.vote(id, me)} className={button} aria-label={`Vote on ${id}`}>
                  {raters.some((rater) => rater.name === me) ? 'Continue' : 'Vote'}
                </Link>
              )}
              <Link href={linkTo.preference(id)} className={button} aria-label={`Results of ${id}`}>
                Results
              </Link>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
