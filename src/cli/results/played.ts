/** Live display of a run, its report, and the exit code. */
import { extname } from 'node:path'
import { trimFullStop } from '../../base/errors.ts'
import { plural } from '../../base/plural.ts'
import { shellCommand } from '../../base/shell-quote.ts'
import { resumeCommand } from '../../library/commands.ts'
import { RunStopped, StopControl } from '../../engine/control.ts'
import type { Progress } from '../../engine/progress.ts'
import type { RunResult } from '../../engine/run.ts'
import type { FinishedRun, PlayHooks } from '../../library/run.ts'
import type { Report } from '../../report/report.ts'
import type { Display } from '../terminal/display.ts'
import { EXIT, STOP_SIGNALS } from '../terminal/exit.ts'
import { formatByExtension } from './formats.ts'
import { eraseEcho, print, say } from '../terminal/output.ts'
import { writeOutput } from './output-file.ts'

/** Plays a run with a live display, which several runs can share; Ctrl-C stops it and it can be resumed. */
export async function playWithDisplay(
  title: string,
  display: Display,
  start: (hooks: PlayHooks) => Promise<FinishedRun>,
  ctrlC: StopOnSignal = new StopOnSignal(),
  isOneOfMany = false,
): Promise<FinishedRun> {
  const shown = display.add(title)
  const result = await start({
    control: ctrlC.control(),
    onNote: (note) => shown.message(note),
    onStart: ({ id }) => shown.message(`Run ${id}`),
    onProgress: (progress) => shown.update(progress),
  }).catch((error: unknown) => {
    shown.end()
    throw error
  })
  shown.end(result.progress)
  const name = isOneOfMany ? ` (${title.replace('  ', ' with ')})` : ''
  const failed = result.progress.byStatus.model_error ?? 0
  const resume = shellCommand(resumeCommand(result.id, failed > 0))
  if (result.state !== 'done') {
    const ended = result.state === 'failed' ? 'Failed' : 'Interrupted'
    say(`${ended}${name}: ${trimFullStop(result.reason ?? '')}.\nResume with: ${resume}`)
  } else if (failed > 0) {
    say(`${plural(failed, 'episode')}${name} failed with a model error and scored 0. Retry with: ${resume}`)
  }
  return result
}

/** Prints the reports and sets the exit code; runs that were not started are as unfinished as interrupted ones. */
export async function presentResults(
  outcomes: readonly FinishedRun[],
  options: {
    json?: boolean
    output?: string
    failUnder?: number
    all?: boolean
    notStarted?: number
    briefly?: boolean
  },
): Promise<void> {
  const reports = outcomes.map(({ report }) => report).filter(({ finished }) => finished > 0)
  if (options.json) print(JSON.stringify(outcomes, null, 2))
  else if (!options.briefly) {
    // What renders reports is loaded when there is one, so that a run starts sooner.
    const { tablesToFit } = await import('./tables.ts')
    const command = `\`sightline report ${outcomes.length === 1 ? 'latest' : 'RUN …'}\``
    for (const group of bySuite(reports)) print(`\n${tablesToFit(group, { all: options.all, command })}`)
  }
  if (options.output) {
    const { renderReports } = await import('../../report/render/index.ts')
    await writeOutput(options.output, renderReports(reports, formatByExtension(extname(options.output))))
  }
  const below = belowThreshold(outcomes, options.failUnder)
  process.exitCode = exitCode(outcomes, below.length > 0, (options.notStarted ?? 0) > 0)
  if (process.exitCode === EXIT.belowThreshold) for (const line of below) say(line)
}

interface Scored {
  id: string
  progress: Pick<Progress, 'score'>
}

/** One sentence per run whose headline score is below `--fail-under`. */
export function belowThreshold(outcomes: readonly Scored[], failUnder: number | undefined): string[] {
  if (failUnder === undefined) return []
  return outcomes.flatMap(({ id, progress: { score } }) => {
    if (score === null)
      return [`Run ${id} has no score, and --fail-under is ${failUnder}: exit code ${EXIT.belowThreshold}.`]
    const value = score.unit === 'percent' ? score.value * 100 : score.value
    if (value >= failUnder) return []
    // As many digits as it takes to see that it is lower.
    const shown =
      [1, 2, 3, 4].map((digits) => value.toFixed(digits)).find((text) => Number(text) < failUnder) ?? String(value)
    return [`${score.title} is ${shown}, below --fail-under ${failUnder}: exit code ${EXIT.belowThreshold}. Run ${id}`]
  })
}

function exitCode(outcomes: readonly RunResult[], isBelow: boolean, isCutShort: boolean): number {
  if (outcomes.some(({ state }) => state === 'failed')) return EXIT.episodeErrors
  if (isCutShort || outcomes.some(({ state }) => state === 'interrupted')) return EXIT.interrupted
  const failed = ({ progress: { byStatus } }: RunResult): boolean =>
    (byStatus.model_error ?? 0) + (byStatus.missing_asset ?? 0) > 0
  if (outcomes.some(failed)) return EXIT.episodeErrors
  return isBelow ? EXIT.belowThreshold : EXIT.fine
}

function bySuite(reports: readonly Report[]): Report[][] {
  const groups = new Map<string, Report[]>()
  for (const report of reports) groups.set(report.suite, [...(groups.get(report.suite) ?? []), report])
  return [...groups.values()]
}

/** The first Ctrl-C (or another stop signal) waits for requests in flight, the second one stops immediately. */
export class StopOnSignal {
  pressed = false
  readonly #controls: StopControl[] = []
  #reason: RunStopped | null = null

  constructor() {
    for (const signal of STOP_SIGNALS) process.on(signal, () => this.#stop(signal))
  }

  /** A control per run: a budget or time limit stops only its own run. */
  control(): StopControl {
    const control = new StopControl()
    this.#controls.push(control)
    // Ctrl-C while the run was being prepared.
    if (this.#reason !== null) control.drain(this.#reason)
    return control
  }

  #stop(signal: (typeof STOP_SIGNALS)[number]): void {
    eraseEcho()
    const reason = new RunStopped('interrupted', `stopped by ${signal === 'SIGINT' ? 'Ctrl-C' : signal}`)
    if (this.pressed) {
      // Kernel and shell both send SIGHUP for one closed terminal.
      if (signal !== 'SIGHUP') for (const control of this.#controls) control.abort(reason)
    } else {
      this.pressed = true
      this.#reason = reason
      say('Stopping after the requests in flight. Press Ctrl-C again to stop now.')
      for (const control of this.#controls) control.drain(reason)
    }
  }
}
