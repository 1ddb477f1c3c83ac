/** Live display of a run, its report, and the exit code. */
import { extname } from 'node:path'
import { trimFullStop } from '../../base/errors.ts'
import { plural } from '../../base/plural.ts'
import { shellCommand } from '../../base/shell-quote.ts'
import { resumeCommand } from '../../library/commands.ts'
import { RunStopped, StopControl } from '../../engine/control.ts'
import type { RunResult } from '../../engine/run.ts'
import type { FinishedRun, PlayHooks } from '../../library/run.ts'
import type { Report } from '../../report/report.ts'
import { renderReports } from '../../report/render/index.ts'
import { displayFor } from '../terminal/display.ts'
import { EXIT } from '../terminal/exit.ts'
import { formatByExtension } from './formats.ts'
import { print, say } from '../terminal/output.ts'
import { tablesToFit } from './tables.ts'
import { writeOutput } from './output-file.ts'

/** Plays a run with a live display; Ctrl-C stops it and it can be resumed. */
export async function playWithDisplay(
  title: string,
  isJson: boolean,
  start: (hooks: PlayHooks) => Promise<FinishedRun>,
  ctrlC: StopOnSignal = new StopOnSignal(),
): Promise<FinishedRun> {
  const display = displayFor(title, isJson)
  const result = await start({
    control: ctrlC.control(),
    onNote: (note) => display.message(note),
    onStart: ({ id }) => display.message(`Run ${id}`),
    onProgress: (progress) => display.update(progress),
  })
  display.end(result.progress)
  const failed = result.progress.byStatus.model_error ?? 0
  const resume = shellCommand(resumeCommand(result.id, failed > 0))
  if (result.state !== 'done') {
    const ended = result.state === 'failed' ? 'Failed' : 'Interrupted'
    say(`${ended}: ${trimFullStop(result.reason ?? '')}.\nResume with: ${resume}`)
  } else if (failed > 0) {
    say(`${plural(failed, 'episode')} failed with a model error and scored 0. Retry with: ${resume}`)
  }
  return result
}

/** Prints the reports and sets the exit code. */
export async function presentResults(
  outcomes: readonly FinishedRun[],
  options: { json?: boolean; output?: string; failUnder?: number },
): Promise<void> {
  const reports = outcomes.map(({ report }) => report).filter(({ finished }) => finished > 0)
  if (options.json) print(JSON.stringify(outcomes, null, 2))
  else for (const group of bySuite(reports)) print(`\n${tablesToFit(group)}`)
  if (options.output)
    await writeOutput(options.output, renderReports(reports, formatByExtension(extname(options.output))))
  process.exitCode = exitCode(outcomes, options.failUnder)
}

function exitCode(outcomes: readonly RunResult[], failUnder: number | undefined): number {
  if (outcomes.some(({ state }) => state === 'failed')) return EXIT.episodeErrors
  if (outcomes.some(({ state }) => state === 'interrupted')) return EXIT.interrupted
  const failed = ({ progress: { byStatus } }: RunResult): boolean =>
    (byStatus.model_error ?? 0) + (byStatus.missing_asset ?? 0) > 0
  if (outcomes.some(failed)) return EXIT.episodeErrors
  const below = ({ progress: { score } }: RunResult): boolean =>
    score === null || (score.unit === 'percent' ? score.value * 100 : score.value) < failUnder!
  return failUnder !== undefined && outcomes.some(below) ? EXIT.belowThreshold : EXIT.fine
}

function bySuite(reports: readonly Report[]): Report[][] {
  const groups = new Map<string, Report[]>()
  for (const report of reports) groups.set(report.suite, [...(groups.get(report.suite) ?? []), report])
  return [...groups.values()]
}

/** The first Ctrl-C waits for requests in flight, the second one stops immediately. */
export class StopOnSignal {
  pressed = false
  #current: StopControl | null = null
  #reason: RunStopped | null = null

  constructor() {
    process.on('SIGINT', () => this.#stop('Ctrl-C'))
    process.on('SIGTERM', () => this.#stop('SIGTERM'))
  }

  /** A control per run: a budget or time limit stops only its own run. */
  control(): StopControl {
    this.#current = new StopControl()
    // Ctrl-C while the run was being prepared.
    if (this.#reason !== null) this.#current.drain(this.#reason)
    return this.#current
  }

  #stop(by: 'Ctrl-C' | 'SIGTERM'): void {
    const reason = new RunStopped('interrupted', `stopped by ${by}`)
    if (this.pressed) this.#current?.abort(reason)
    else {
      this.pressed = true
      this.#reason = reason
      say('\nStopping after the requests in flight. Press Ctrl-C again to stop now.')
      this.#current?.drain(reason)
    }
  }
}
