/** Exit codes, and errors that end the program. */
import { UserError } from '../../base/errors.ts'
import { suiteFault } from '../../library/suite-fault.ts'
import { plain } from './output.ts'

export const EXIT = {
  fine: 0,
  episodeErrors: 1,
  usage: 2,
  belowThreshold: 100,
  interrupted: 130,
} as const

/** Signals that stop what is running in good order. SIGHUP: the terminal was closed. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** For the reference. */
export const EXIT_MEANING: Readonly<Record<keyof typeof EXIT, string>> = {
  fine: 'success',
  episodeErrors:
    'some episodes ended in errors, the run failed, `audit` found more than `--max-gain`, or Sightline itself failed',
  usage: 'invalid arguments, options, config or input',
  belowThreshold: 'the headline score is below `--fail-under`',
  interrupted: 'stopped by Ctrl-C, budget or time limit; `sightline resume` continues',
}

/** Prints an error: user errors without a stack, bugs with one, naming the suite if they are in custom code. */
export function reportFailure(error: unknown): void {
  if (error instanceof UserError) {
    process.stderr.write(plain(`${error.message}\n${error.hint ? `${error.hint}\n` : ''}`))
    process.exitCode = EXIT.usage
    return
  }
  process.exitCode = EXIT.episodeErrors
  const fault = suiteFault(error)
  if (fault !== null) {
    const lines = [`Suite ${fault.suite} failed: ${fault.message}`, ...fault.frames, `The error is in ${fault.at}`]
    process.stderr.write(plain(`${lines.join('\n')}\n`))
    return
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`This is a bug in Sightline. Please report it with this stack trace:\n${plain(stack)}\n`)
}
