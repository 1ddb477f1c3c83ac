/** Exit codes, and errors that end the program. */
import { UserError } from '../../base/errors.ts'
import { suiteFault } from '../../library/suite-fault.ts'
import { plain } from './output.ts'

export const EXIT = {
  fine: 0,
  /** Some episodes ended in errors. */
  episodeErrors: 1,
  usage: 2,
  /** The score is below `--fail-under`. */
  belowThreshold: 100,
  /** Stopped by Ctrl-C, budget or time limit; `sightline resume` continues. */
  interrupted: 130,
} as const

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
