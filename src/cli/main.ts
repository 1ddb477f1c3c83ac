#!/usr/bin/env node
import { withNewNames } from './options/renamed.ts'
import { program } from './program.ts'
import { EXIT, reportFailure } from './terminal/exit.ts'

// `sightline list | head`: a reader that stops early is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.fine)
  throw error
})

try {
  const { args, notes } = withNewNames(process.argv.slice(2))
  for (const note of notes) process.stderr.write(`${note}\n`)
  await program.parseAsync(args, { from: 'user' })
} catch (error) {
  reportFailure(error)
}
