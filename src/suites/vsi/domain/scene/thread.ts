/** The thread's side: jobs come as messages, results go back under the same number. */
import { parentPort } from 'node:worker_threads'
import { messageOf, UserError } from '../../../../base/errors.ts'
import { type JobName, type Jobs, perform } from './jobs.ts'

export interface JobMessage<Name extends JobName = JobName> {
  number: number
  name: Name
  given: Jobs[Name]['given']
}

/** Errors lose their class on the way; what a person is told must not get lost. */
export type Answer =
  | { number: number; result: Jobs[JobName]['gives'] }
  | { number: number; failed: { kind: 'user' | 'range' | 'fault'; message: string; hint?: string; stack?: string } }

parentPort?.on('message', (message: JobMessage) => {
  void answer(message)
})

async function answer({ number, name, given }: JobMessage): Promise<void> {
  let said: Answer
  try {
    said = { number, result: await perform(name, given) }
  } catch (error) {
    const kind = error instanceof UserError ? 'user' : error instanceof RangeError ? 'range' : 'fault'
    const hint = error instanceof UserError ? error.hint : undefined
    const stack = error instanceof Error ? error.stack : undefined
    said = { number, failed: { kind, message: messageOf(error), ...(hint && { hint }), ...(stack && { stack }) } }
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's, not a window's
  parentPort?.postMessage(said)
}
