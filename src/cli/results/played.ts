/** Live display of a run, its report, and the exit code. */
import { extname } from 'node:path'
import { trimFullStop } from '../../base/errors.ts'
import { plural } from '../../base/plural.ts'
import { RunStopped, StopControl } from '../../engine/control.ts'
import type { RunResult } from '../../engine/run.ts'
import type { FinishedRun, PlayHooks } from '../../library/run.ts'
import type { Report } from '../../report/report.ts'
import { renderReports } from '../../report/render/index.ts'
import type { Display } from '../terminal/display.ts'
import { EXIT } from '../terminal/exit.ts'
import { formatByExtension } from './formats.ts'
import { eraseEcho, print, say } from '../terminal/output.ts'
import { tablesToFit } from './tables.ts'
import { writeOutput } from './output-file.ts'

/** Plays a run with a live display, which several runs can share; Ctrl-C stops it and it can be resumed. */
export async function playWithDisplay(
  title: string,
  display: Display,
  start: (hooks: PlayHooks) => Promise<FinishedRun>,
  ctrlC: StopOnSignal = new StopOnSignal(),
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
  const failed = result.progress.byStatus.model_error ?? 0
  const resume = `sightline resume ${result.id}${failed > 0 ? ' --retry-errors' : ''}`
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
  options: { json?: boolean; output?: string; failUnder?: number; all?: boolean },
): Promise<void> {
  const reports = outcomes.map(({ report }) => report).filter(({ finished }) => finished > 0)
  if (options.json) print(JSON.stringify(outcomes, null, 2))
  else {
    const command = `\`sightline report ${outcomes.length === 1 ? 'latest' : 'RUN …'}\``
    for (const group of bySuite(reports)) print(`\n${tablesToFit(group, { all: options.all, command })}`)
  }
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
  readonly #controls: StopControl[] = []
  #reason: RunStopped | null = null

  constructor() {
    process.on('SIGINT', () => this.#stop('Ctrl-C'))
    process.on('SIGTERM', () => this.#stop('SIGTERM'))
  }

  /** A control per run: a budget or time limit stops only its own run. */
  control(): StopControl {
    const control = new StopControl()
    this.#controls.push(control)
    // Ctrl-C while the run was being prepared.
    if (this.#reason !== null) control.drain(this.#reason)
    return control
  }

  #stop(by: 'Ctrl-C' | 'SIGTERM'): void {
    eraseEcho()
    const reason = new RunStopped('interrupted', `stopped by ${by}`)
    if (this.pressed) for (const control of this.#controls) control.abort(reason)
    else {
      this.pressed = true
      this.#reason = reason
      say('Stopping after the requests in flight. Press Ctrl-C again to stop now.')
      for (const control of this.#controls) control.drain(reason)
    }
  }
}
