/** The default panel for any suite: outcome, scores, measurements and sample. */
import { type ReactNode, useMemo } from 'react'
import type { EpisodeDetail, RecordedEvent } from '../../../../src/server/api.ts'
import { errorText } from '../../data/http.ts'
import type { PanelProps, SuitePanel } from '../../episode/panel.ts'
import { eventsOf, measurementEvent, outcomeEvent, replyEvent } from '../../episode/read.ts'
import { Values } from '../../episode/values.tsx'
import { StatusBadge } from '../../ui/badge.tsx'
import { formatMetric, humanize, metricTitle } from '../../ui/format.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { Loading } from '../../ui/states.tsx'

export const defaultPanel: SuitePanel = {
  moments: ({ type }, at) => ({ at, title: humanize(type), kind: 'note' }),
  Panel: DefaultPanel,
  external: true,
  transcriptFirst: true,
}

/** Replaces a panel that failed to load, with the error above. */
export function panelForError(error: unknown): SuitePanel {
  return {
    ...defaultPanel,
    Panel: (props) => (
      <div className="flex flex-col gap-3">
        <PanelProblem error={error} />
        <DefaultPanel {...props} />
      </div>
    ),
  }
}

const { Component: Scene } = lazyComponent(async () => (await import('./scene.tsx')).Scene, <Loading what="scene" />)

const MAX_PROBLEM_LENGTH = 600

export function PanelProblem({ error }: { error: unknown }) {
  const { message, hint } = errorText(error)
  return (
    <div role="alert" className="rounded-lg border border-warn/40 bg-warn/10 px-3 py-2 text-[13px] text-warn">
      <p className="font-medium">The suite’s panel failed to load.</p>
      <p className="[overflow-wrap:anywhere] whitespace-pre-wrap">{message.slice(0, MAX_PROBLEM_LENGTH)}</p>
      {hint !== undefined && <p className="text-quiet">{hint}</p>}
    </div>
  )
}

export function DefaultPanel({ episode, at }: PanelProps) {
  const { outcome, measurements, sample, replies } = useMemo(() => read(episode.events), [episode.events])
  const { status, error } = episode.line
  return (
    <div className="flex flex-col gap-3">
      <Card title="Outcome" later={(outcome?.at ?? 0) > at} aside={<StatusBadge status={status} />}>
        {error !== undefined && <p className="mb-1.5 text-warn [overflow-wrap:anywhere]">{error.slice(0, 600)}</p>}
        {outcome && <Values value={withoutReplies(outcome.event.outcome, replies)} />}
      </Card>
      <Scores episode={episode} later={at < episode.events.length - 1} />
      {measurements.length > 0 && (
        <Card title="Measurements" later={measurements[0]!.at > at}>
          <dl className="flex flex-col gap-2">
            {measurements.map(({ event: { instrument, version, value } }) => (
              <div key={instrument}>
                <dt className="flex flex-wrap gap-x-2">
                  <span className="font-medium [overflow-wrap:anywhere]">{instrument}</span>
                  <span className="text-quiet [overflow-wrap:anywhere]">version {version}</span>
                </dt>
                <dd>
                  <Values value={value} />
                </dd>
              </div>
            ))}
          </dl>
        </Card>
      )}
      {episode.hasScene && (
        <Card title="Scene">
          <Scene episode={episode} />
        </Card>
      )}
      {sample !== null && (
        <Card title="Sample">
          <Values value={sample} />
        </Card>
      )}
    </div>
  )
}

interface CardProps {
  title: string
  /** Not reached yet at the current step. */
  later?: boolean
  aside?: ReactNode
  children: ReactNode
}

function Card({ title, later = false, aside, children }: CardProps) {
  return (
    <section
      aria-label={title}
      className={`rounded-lg border border-line bg-paper px-3 py-2 text-[13px] transition-opacity ${later ? 'opacity-50' : ''}`}
    >
      <div className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 className="text-xs font-medium text-quiet">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

/** `truth.north`, `by.room`: breakdowns of other scores. */
const PART = /\./

function Scores({ episode: { line, metrics }, later }: { episode: EpisodeDetail; later: boolean }) {
  const all = Object.entries(line.scores)
  if (all.length === 0) return null
  const parts = all.filter(([name]) => PART.test(name))
  const main = parts.length === all.length ? all : all.filter(([name]) => !PART.test(name))
  return (
    <Card title="Scores" later={later}>
      <ScoreList scores={main} metrics={metrics} />
      {main.length < all.length && (
        <details className="mt-1">
          <summary className="text-xs text-quiet">{parts.length} more</summary>
          <ScoreList scores={parts} metrics={metrics} />
        </details>
      )}
    </Card>
  )
}

interface ScoreListProps {
  scores: readonly (readonly [string, number])[]
  metrics: EpisodeDetail['metrics']
}

function ScoreList({ scores, metrics }: ScoreListProps) {
  return (
    <dl>
      {scores.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-3 border-b border-line py-1 last:border-0">
          <dt className="[overflow-wrap:anywhere]">{metricTitle(name, metrics)}</dt>
          <dd className="font-medium tabular-nums">{formatMetric(value, name, metrics)}</dd>
        </div>
      ))}
    </dl>
  )
}

function read(events: readonly RecordedEvent[]) {
  const measured = eventsOf(events, 'measurement', measurementEvent)
  return {
    outcome: eventsOf(events, 'outcome', outcomeEvent).at(-1),
    // If measured again, the later value counts.
    measurements: [...new Map(measured.map((each) => [each.event.instrument, each])).values()],
    sample: sampleFacts(events.find(({ type }) => type === 'sample')?.['sample']),
    replies: new Set(eventsOf(events, 'reply', replyEvent).map(({ event }) => event.text)),
  }
}

/** Fields that the page header does not show already. */
function sampleFacts(sample: unknown): Record<string, unknown> | null {
  if (typeof sample !== 'object' || sample === null) return null
  const { id, cluster, labels: _, ...facts } = sample as Record<string, unknown>
  const shown = cluster === id ? facts : { ...facts, cluster }
  return Object.keys(shown).length === 0 ? null : shown
}

/** Longer replies are omitted here, because the transcript shows them. */
const MAX_REPEATED_LENGTH = 80

function withoutReplies(outcome: unknown, replies: ReadonlySet<string>): unknown {
  if (typeof outcome !== 'object' || outcome === null || Array.isArray(outcome)) return outcome
  const entries = Object.entries(outcome).filter(
    ([, value]) => typeof value !== 'string' || value.length <= MAX_REPEATED_LENGTH || !replies.has(value),
  )
  return Object.fromEntries(entries)
}
