/** How the command line ends. */
import { UserError } from '../../base/errors.ts'
import { plain } from './output.ts'

export const EXIT = {
  fine: 0,
  /** Some episodes ended in errors. */
  episodeErrors: 1,
  usage: 2,
  /** The score is below `--fail-under`. */
  belowThreshold: 100,
  /** Interrupted, by Ctrl-C, budget or time limit; `sightline resume` goes on. */
  interrupted: 130,
} as const

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
