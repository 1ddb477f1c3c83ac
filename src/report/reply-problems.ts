/** Replies that are not full answers: rows for every report, and warnings when there are many. */
import { plural } from '../base/plural.ts'
import { counts, REPLY_PROBLEMS, type EpisodeLine, type ReplyProblem } from '../store/records.ts'
import type { ReportRow } from './report.ts'

/** Above this share of the episodes, the headline score carries a warning. */
const WARN_ABOVE = 0.01

const TITLES: Readonly<Record<ReplyProblem | 'unreadable', string>> = {
  cut_off: 'Cut off at the token limit',
  filtered: 'Blocked by the provider',
  refused: 'Refused',
  empty: 'Empty',
  unreadable: 'Unreadable',
}

/** What to do, after "12 of 94 episodes (12.8%) have a reply that is …". */
const ADVICE: Readonly<Record<ReplyProblem | 'unreadable', string>> = {
  cut_off: 'cut off at the token limit. Raise it with -M max_tokens=N',
  filtered: 'blocked by the provider. Read one in the viewer, and check the provider’s safety settings',
  refused: 'a refusal. Read one in the viewer before you quote this score',
  empty: 'empty. A thinking model may need a larger -M max_tokens',
  unreadable: 'not readable as an answer. Read one in the viewer',
}

export interface ReplyProblems {
  rows: ReportRow[]
  warnings: string[]
}

export function replyProblems(lines: readonly EpisodeLine[]): ReplyProblems {
  const counted = lines.filter(({ status }) => counts(status))
  const rows: ReportRow[] = []
  const warnings: string[] = []
  for (const problem of [...REPLY_PROBLEMS, 'unreadable'] as const) {
    const count = counted.filter((line) => has(line, problem)).length
    if (count === 0) continue
    const n = counted.length
    rows.push({
      key: `replies.${problem}`,
      title: TITLES[problem],
      value: count / n,
      n,
      unit: 'percent',
      better: 'lower',
      section: 'Episodes with a reply that is',
      interval: null,
    })
    if (count / n > WARN_ABOVE) {
      const share = `${((100 * count) / n).toFixed(1)}%`
      warnings.push(`${count} of ${plural(n, 'episode')} (${share}) have a reply that is ${ADVICE[problem]}.`)
    }
  }
  return { rows, warnings }
}

function has({ status, problems }: EpisodeLine, problem: ReplyProblem | 'unreadable'): boolean {
  return problem === 'unreadable' ? status === 'parse_failed' : (problems?.includes(problem) ?? false)
}
