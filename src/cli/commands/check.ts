/** `sightline check`: validates a suite and its data, and shows what it asks. */
import { wrapWords } from '../../base/display-width.ts'
import { printable } from '../../base/printable.ts'
import { plural } from '../../base/plural.ts'
import { type Checked, check as checkSuite } from '../../library/check.ts'
import { loadSettings } from '../../library/config.ts'
import { formatUsd } from '../../report/format.ts'
import { EXIT } from '../terminal/exit.ts'
import { bold, columns, print, say } from '../terminal/output.ts'
import { stepLine } from '../terminal/progress.ts'
import { terminalWidth } from '../terminal/size.ts'

interface CheckCommandOptions {
  task?: Record<string, string>
  source?: string
  profile?: string
  limit?: string
  model?: string
  json?: boolean
  suite?: string[]
  config?: string
}

const MAX_PROBLEMS = 20
const MAX_SHOWN = 1200

export async function check(suite: string, options: CheckCommandOptions): Promise<void> {
  const { source, profile, limit, model } = options
  const { suites = [] } = await loadSettings(options.config)
  const steps = stepLine()
  const checked = await checkSuite(suite, {
    source,
    profile,
    limit,
    model,
    options: options.task,
    suites: [...(options.suite ?? []), ...suites],
    onProgress: (done, planned) => steps.show(`Checking ${done} of ${planned}`),
  }).finally(() => steps.clear())
  if (options.json) print(JSON.stringify(checked, null, 2))
  else printChecked(checked)
  const { problems } = checked
  if (problems.length === 0) return
  process.exitCode = EXIT.episodeErrors
  say(`${plural(problems.length, 'problem')}: exit code ${EXIT.episodeErrors}.`)
}

function printChecked({
  suite,
  title,
  profile,
  profiles,
  samples,
  examples,
  problems,
  notes,
  estimate,
}: Checked): void {
  print(`${bold(suite)}  ${printable(title)}`)
  print(`Profile ${profile}${profiles.length > 1 ? ` of ${profiles.join(', ')}` : ''}`)
  for (const { id, messages, truth, replies } of examples) {
    print(`\n${bold(printable(id))}`)
    for (const { role, text } of messages) print(shown(messages.length > 1 ? `${role}: ${text}` : text))
    print(`\n  Truth: ${printable(String(truth))}`)
    if (replies.length === 0) continue
    const rows = replies.map(({ reply, answer, score }) => [
      score === null ? '' : String(score),
      answer === null ? 'no answer' : printable(String(answer)),
      printable(JSON.stringify(reply)),
    ])
    print(columns([['Score', 'read as', 'reply'], ...rows]))
  }
  for (const note of notes) print(`\n${printable(note)}`)
  if (problems.length > 0) {
    print(`\n${bold('Problems')}`)
    for (const problem of problems.slice(0, MAX_PROBLEMS)) print(`  ${printable(problem)}`)
    if (problems.length > MAX_PROBLEMS) print(`  … and ${problems.length - MAX_PROBLEMS} more`)
  }
  const { calls, inputTokens, outputTokens, usd } = estimate
  const thousands = (tokens: number): string => `${Math.round(tokens / 1000).toLocaleString('en')}k`
  const cost = usd === null || usd === 0 ? '' : `, about ${formatUsd(usd)}`
  print(
    `\n${plural(samples, 'sample')} checked, ${plural(problems.length, 'problem')}. A run: ${plural(calls, 'call')}, ${thousands(inputTokens)} tokens in, ${thousands(outputTokens)} out${cost}.`,
  )
}

/** Many frames in a row as one. */
const REPEATED = /\[(image|video)\](?:\[\1\]){2,}/g

function wrapped(line: string): string[] {
  const width = terminalWidth() - 2
  return (Number.isFinite(width) ? wrapWords(line, Math.max(40, width)) : [line]).map((part) => `  ${part}`)
}

function shown(full: string): string {
  const text = full.replaceAll(REPEATED, (all, kind: string) => `[${kind} × ${all.length / (kind.length + 2)}]`)
  const cut = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
  return cut
    .split('\n')
    .flatMap((line) => wrapped(printable(line)))
    .join('\n')
}
