/** The configuration of a run, and commands for the terminal. */
import type { ReactNode } from 'react'
import type { RunDetail } from '../../../../src/server/api.ts'
import { card } from '../../ui/button.ts'
import { CopyLine } from '../../ui/copy.tsx'
import { formatDate } from '../../ui/format.ts'

export function RunSettings({ detail }: { detail: RunDetail }) {
  const { header, status, command } = detail
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Panel title="Commands">
        <div className="space-y-2">
          {(status.state === 'interrupted' || status.state === 'failed') && (
            <CopyLine label="resume the run" text={`sightline resume ${header.id}`} />
          )}
          {command !== null && <CopyLine label="run it again" text={command} />}
          <CopyLine label="print the report" text={`sightline report ${header.id}`} />
          <CopyLine label="rescore the run" text={`sightline score ${header.id}`} />
          <CopyLine label="export as static pages" text={`sightline export ${header.id} --html`} />
        </div>
      </Panel>
      <Panel title="Run">
        <Facts
          facts={{
            id: header.id,
            suite: `${header.suite}, version ${header.suiteVersion}`,
            profile: header.profile,
            source: header.source,
            'source fingerprint': header.sourceFingerprint,
            samples: samplesOf(header),
            epochs: header.epochs,
            seed: header.seed,
            budget: header.budget ?? 'none',
            'time limit': header.timeLimitSeconds === null ? 'none' : `${header.timeLimitSeconds} s`,
            started: formatDate(header.created),
            'last updated': formatDate(status.updated),
          }}
        />
      </Panel>
      <Panel title="Models">
        <Facts facts={{ ...header.models, ...header.modelOptions }} />
      </Panel>
      <Panel title="Suite options">
        <Facts facts={header.options} />
      </Panel>
      <Panel title={`Fingerprint ${header.fingerprint.hash.slice(0, 12)}`}>
        <Facts facts={header.fingerprint.parts} />
      </Panel>
      <Panel title="Versions">
        <Facts facts={{ ...header.versions, git: header.git ?? 'unknown' }} />
      </Panel>
    </div>
  )
}

/** The samples that were chosen, as on the command line. */
function samplesOf({ limit, sample, sampleIds }: RunDetail['header']): string {
  const chosen = [
    ...(limit === null ? [] : [`--limit ${limit}`]),
    ...(sample === undefined ? [] : [`--sample ${sample}`]),
    ...(sampleIds ?? []).map((id) => `--sample-id ${id}`),
  ]
  return chosen.length === 0 ? 'all' : chosen.join(' ')
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={`${card} min-w-0 p-4`}>
      <h2 className="mb-2 text-[13px] font-semibold">{title}</h2>
      {children}
    </section>
  )
}

function Facts({ facts }: { facts: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(facts)
  if (entries.length === 0) return <p className="text-quiet">none</p>
  return (
    <dl className="grid grid-cols-[minmax(7rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1 text-[13px]">
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-quiet [overflow-wrap:anywhere]">{name}</dt>
          <dd className="font-mono text-xs leading-5 [overflow-wrap:anywhere]">
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
