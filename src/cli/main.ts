#!/usr/bin/env node
import { withNewNames } from './options/renamed.ts'
import { program } from './program.ts'
import { EXIT, reportFailure } from './terminal/exit.ts'

/** Their work is kept in the store, so they finish it whether or not anybody reads what they print. */
const UNATTENDED: ReadonlySet<string> = new Set(['run', 'resume', 'worker'])
/** The reader stopped early (`sightline list | head`), or the terminal was closed. */
const READER_GONE: ReadonlySet<string> = new Set(['EPIPE', 'EIO'])

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (!READER_GONE.has(error.code ?? '')) throw error
  if (!UNATTENDED.has(process.argv[2] ?? '')) process.exit(EXIT.fine)
})
// Messages that cannot be written have no one to tell.
process.stderr.on('error', () => undefined)

try {
  const { args, notes } = withNewNames(process.argv.slice(2))
  for (const note of notes) process.stderr.write(`${note}\n`)
  await program.parseAsync(args, { from: 'user' })
} catch (error) {
  reportFailure(error)
}
