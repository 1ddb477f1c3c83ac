/** Starts a new play session or resumes an earlier one. */
import { type FormEvent, useState } from 'react'
import type { Info, PlayableSample, PlayLanguage, RunRow } from '../../../src/server/api.ts'
import { navigate } from '../navigation/location.ts'
import { linkTo } from '../navigation/routes.ts'
import { errorText } from '../data/http.ts'
import { useLoaded } from '../data/hooks.ts'
import { button, card, primaryButton } from '../ui/button.ts'
import { EmptyState, WhenLoaded } from '../ui/states.tsx'
import { NameField } from '../ui/name-field.tsx'
import { NumberField } from '../ui/number-field.tsx'
import { storedName, storeName } from '../ui/person-name.ts'
import { playApi, type SampleQuery } from './client.ts'
import { withTools } from './tools/tools.tsx'
import { useResume } from './use-resume.ts'

/** Small pages, because generating samples is slow in some suites. */
const SAMPLES_PER_PAGE = 20
const LANGUAGES: Readonly<Record<PlayLanguage, string>> = {
  en: 'English',
  zh: 'Chinese',
  both: 'Chinese, then English',
}

export function Setup() {
  const info = useLoaded('info', (source) => source.info())
  const runs = useLoaded('runs', (source) => source.runs())
  return (
    <WhenLoaded of={info} what="suites">
      {(known) =>
        known.canPlay ? (
          <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
            <NewSession info={known} />
            {runs.state === 'ready' && <ResumableRuns runs={runs.value} />}
          </div>
        ) : (
          <EmptyState title="Play is not available">
            Run <code>sightline view</code> on a machine that can write to the store.
          </EmptyState>
        )
      }
    </WhenLoaded>
  )
}

function NewSession({ info }: { info: Info }) {
  const suites = info.suites.filter(({ playable }) => playable)
  const [suite, setSuite] = useState(suites[0]?.name ?? '')
  const [name, setName] = useState(storedName)
  const [seed, setSeed] = useState(0)
  const [wanted, setLanguage] = useState<PlayLanguage | null>(null)
  const [tools, setTools] = useState(false)
  const [count, setCount] = useState(3)
  const [samples, setSamples] = useState<ReadonlySet<string>>(new Set())
  const [problem, setProblem] = useState<string | null>(null)
  const [starting, setStarting] = useState(false)
  const languages = suites.find((each) => each.name === suite)?.languages
  const language = languages && (wanted ?? languages[0])
  const start = (event: FormEvent): void => {
    event.preventDefault()
    setStarting(true)
    setProblem(null)
    storeName(name)
    const which = samples.size > 0 ? { samples: [...samples] } : { count }
    const player = tools ? withTools(name.trim()) : name.trim()
    playApi.start({ suite, name: player, seed, ...which, ...(language ? { language } : {}) }).then(
      (session) => navigate(linkTo.playSession(session.id)),
      (error: unknown) => {
        setStarting(false)
        setProblem(errorText(error).message)
      },
    )
  }
  return (
    <form onSubmit={start} className="flex flex-col gap-5">
      <div>
        <h1 className="text-lg font-semibold">Play as a human</h1>
        <p className="mt-1 max-w-prose text-quiet">
          You get the same prompts, images and limits as a model. The result is a run that appears on the leaderboard
          next to the models.
        </p>
      </div>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 text-[13px] font-semibold">Suite</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {suites.map((each) => (
            <label
              key={each.name}
              className={`flex cursor-pointer gap-2 rounded-lg border p-3 ${each.name === suite ? 'border-accent bg-accent-soft' : 'border-line bg-paper'}`}
            >
              <input
                type="radio"
                name="suite"
                checked={each.name === suite}
                onChange={() => {
                  setSuite(each.name)
                  setSamples(new Set())
                }}
                className="mt-1 accent-accent"
              />
              <span>
                <span className="block font-medium">{each.name}</span>
                <span className="block text-[13px] text-quiet">{each.title}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="flex flex-wrap gap-4">
        <NameField value={name} onChange={setName} />
        <NumberField label="Seed" value={seed} min={0} max={2 ** 31} onChange={setSeed} />
        <NumberField label="Samples" value={count} min={1} max={100} onChange={setCount} disabled={samples.size > 0} />
        {languages && language && (
          <label className="flex flex-col gap-1 text-[13px]">
            Language of speech
            <select
              value={language}
              onChange={(event) => {
                setLanguage(languages.find((each) => each === event.target.value) ?? null)
                setSamples(new Set())
              }}
              className="h-8 rounded-md border border-line bg-paper px-2"
            >
              {languages.map((each) => (
                <option key={each} value={each}>
                  {LANGUAGES[each]}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <label className="flex items-start gap-2 text-[13px]">
        <input
          type="checkbox"
          checked={tools}
          onChange={(event) => setTools(event.target.checked)}
          className="mt-0.5 accent-accent"
        />
        <span>
          With tools: notes, a sketch and a calculator.{' '}
          <span className="text-quiet">The run gets a row of its own, as {withTools(name.trim() || 'name')}.</span>
        </span>
      </label>
      <Samples
        key={`${suite} ${seed} ${language ?? ''}`}
        query={{ suite, seed, language }}
        chosen={samples}
        onChange={setSamples}
      />
      {problem !== null && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
      <button type="submit" className={`${primaryButton} self-start`} disabled={starting || suite === ''}>
        {starting ? 'Starting…' : samples.size > 0 ? `Play ${samples.size} selected` : 'Play'}
      </button>
    </form>
  )
}

interface SamplesProps {
  query: SampleQuery
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

/** A list of built-in samples to choose from, loaded when opened. */
function Samples({ query, chosen, onChange }: SamplesProps) {
  const [samples, setSamples] = useState<readonly PlayableSample[]>([])
  const [loading, setLoading] = useState(false)
  const [complete, setComplete] = useState(false)
  const more = async (): Promise<void> => {
    setLoading(true)
    try {
      const found = await playApi.samples(query, samples.length, SAMPLES_PER_PAGE)
      setSamples([...samples, ...found.samples])
      setComplete(found.complete)
    } catch {
      setComplete(true)
    }
    setLoading(false)
  }
  const toggle = (id: string): void => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  return (
    <details onToggle={(event) => void (event.currentTarget.open && samples.length === 0 && more())}>
      <summary className="cursor-pointer text-[13px] text-quiet">Select samples</summary>
      <ul className={`${card} mt-2 max-h-72 overflow-y-auto`}>
        {samples.map(({ id, labels }) => (
          <li key={id} className="border-b border-line last:border-0">
            <label className="flex cursor-pointer items-center gap-2 px-3 py-1.5 text-[13px]">
              <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} className="accent-accent" />
              <span className="font-mono">{id}</span>
              <span className="truncate text-quiet">{Object.values(labels).join(' · ')}</span>
            </label>
          </li>
        ))}
        {!complete && (
          <li className="p-2">
            <button type="button" className={button} disabled={loading} onClick={() => void more()}>
              {loading ? 'Loading…' : 'Load more'}
            </button>
          </li>
        )}
      </ul>
    </details>
  )
}

function ResumableRuns({ runs }: { runs: readonly RunRow[] }) {
  const open = runs.filter(({ player, state }) => player.startsWith('human/') && state !== 'done')
  const { resume, problem } = useResume()
  if (open.length === 0) return null
  return (
    <section className={`${card} flex flex-col gap-3 p-4`} aria-label="Resumable sessions">
      <h2 className="text-[13px] font-semibold">Resume</h2>
      <ul className="flex flex-col gap-2">
        {open.map(({ id, suite, player, finished, planned }) => (
          <li key={id} className="flex items-center justify-between gap-2">
            <span className="min-w-0">
              <span className="block truncate">{suite}</span>
              <span className="block text-[13px] text-quiet">
                {player}, {finished} of {planned}
              </span>
            </span>
            <button type="button" className={button} onClick={() => resume(id)}>
              Resume
            </button>
          </li>
        ))}
      </ul>
      {problem !== null && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
    </section>
  )
}
