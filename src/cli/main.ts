#!/usr/bin/env node
import { program } from './program.ts'
import { EXIT, reportFailure } from './terminal/exit.ts'

// `sightline list | head`: a reader that stops early is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.fine)
  throw error
})

try {
  await program.parseAsync()
} catch (error) {
  reportFailure(error)
}
