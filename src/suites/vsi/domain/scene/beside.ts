/**
 * Scenes are built in a thread of their own: lighting a flat takes seconds, in which replies of models would wait and
 * time out. The thread starts with the first job and does not keep the process alive when it has nothing to do.
 */
import type { Worker } from 'node:worker_threads'
import { UserError } from '../../../../base/errors.ts'
import { startThread } from '../../../../base/thread.ts'
import type { JobName, Jobs } from './jobs.ts'
import type { Answer, JobMessage } from './thread.ts'

interface Waiting {
  resolve(result: Jobs[JobName]['gives']): void
  reject(error: Error): void
}

let worker: Worker | undefined
let last = 0
const waiting = new Map<number, Waiting>()

/** Does a job beside the rest of the program. */
export function beside<Name extends JobName>(name: Name, given: Jobs[Name]['given']): Promise<Jobs[Name]['gives']> {
  const number = ++last
  return new Promise((resolve, reject) => {
    waiting.set(number, { resolve, reject })
    worker ??= started()
    worker.ref()
    const message: JobMessage<Name> = { number, name, given }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's, not a window's
    worker.postMessage(message)
  })
}

function started(): Worker {
  const made = startThread('./thread', import.meta.url)
  made.on('message', (answer: Answer) => {
    const job = waiting.get(answer.number)
    waiting.delete(answer.number)
    if (waiting.size === 0) made.unref()
    if (job === undefined) return
    if ('result' in answer) job.resolve(answer.result)
    else job.reject(errorFrom(answer.failed))
  })
  const lost = (error: Error): void => {
    // The next job starts a new thread; those under way are told.
    if (worker === made) worker = undefined
    for (const job of waiting.values()) job.reject(error)
    waiting.clear()
  }
  made.on('error', lost)
  made.on('exit', (code) => lost(new Error(`the thread that builds scenes ended with ${code}`)))
  return made
}

function errorFrom({ kind, message, hint, stack }: Extract<Answer, { failed: unknown }>['failed']): Error {
  if (kind === 'user') return new UserError(message, hint === undefined ? {} : { hint })
  const error = kind === 'range' ? new RangeError(message) : new Error(message)
  if (stack !== undefined) error.stack = stack
  return error
}
