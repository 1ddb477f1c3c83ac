/** How the command line ends. */
import { UserError } from '../../base/errors.ts'
import { plain } from './output.ts'

export const EXIT = {
  fine: 0,
  episodeErrors: 1,
  usage: 2,
  belowThreshold: 100,
  interrupted: 130,
} as const

/** For the reference. */
export const EXIT_MEANING: Readonly<Record<keyof typeof EXIT, string>> = {
  fine: 'success',
  episodeErrors: 'some episodes ended in errors, or Sightline itself failed',
  usage: 'invalid arguments, options, config or input',
  belowThreshold: 'the headline score is below `--fail-under`',
  interrupted: 'interrupted by Ctrl-C, the budget or the time limit; `sightline resume` continues the run',
}

/** Says what went wrong: a sentence for what a user can mend, a stack only for what is our fault. */
export function reportFailure(error: unknown): void {
  if (error instanceof UserError) {
    process.stderr.write(plain(`${error.message}\n${error.hint ? `${error.hint}\n` : ''}`))
    process.exitCode = EXIT.usage
    return
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(
    `This is a fault in Sightline, not in what you did. Please report it with these lines:\n${plain(stack)}\n`,
  )
  process.exitCode = EXIT.episodeErrors
}
