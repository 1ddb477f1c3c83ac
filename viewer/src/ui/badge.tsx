/** Badges for episode status and run state: color and text, never color alone. */
import type { RunState, Status } from '../../../src/store/records.ts'
import { humanize } from './format.ts'

const DOTS: Readonly<Record<Status, string>> = {
  answered: 'bg-good',
  no_answer: 'bg-warn',
  parse_failed: 'bg-warn',
  model_error: 'bg-bad',
  missing_asset: 'bg-quiet',
  cancelled: 'bg-quiet',
}

/** Background class of a status, for bars. */
export function statusColor(status: Status): string {
  return DOTS[status]
}

export function StatusBadge({ status }: { status: Status }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span className={`size-2 shrink-0 rounded-full ${DOTS[status] ?? 'bg-quiet'}`} aria-hidden="true" />
      {humanize(status)}
    </span>
  )
}

const STATES: Readonly<Record<RunState, { look: string; dot: string }>> = {
  running: { look: 'bg-accent-soft text-accent', dot: 'bg-accent pulse' },
  done: { look: 'bg-good/10 text-good', dot: 'bg-good' },
  interrupted: { look: 'bg-warn/10 text-warn', dot: 'bg-warn' },
  failed: { look: 'bg-bad/10 text-bad', dot: 'bg-bad' },
}

export function StateBadge({ state, reason = null }: { state: RunState; reason?: string | null }) {
  const { look, dot } = STATES[state]
  return (
    <span
      className={`inline-flex h-5 items-center gap-1.5 rounded-full px-2 text-xs font-medium whitespace-nowrap ${look}`}
      title={reason ?? undefined}
    >
      <span className={`size-1.5 rounded-full ${dot}`} aria-hidden="true" />
      {state}
    </span>
  )
}
