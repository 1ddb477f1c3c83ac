import { UserError } from '../base/errors.ts'

/** Passes items through; throws a `UserError` with `message` if the next one takes longer than `seconds`. */
export async function* withStallTimeout<T>(
  items: AsyncIterable<T>,
  seconds: number,
  message: string,
): AsyncGenerator<T, void, undefined> {
  const iterator = items[Symbol.asyncIterator]()
  let waiting = true
  try {
    for (;;) {
      waiting = true
      const step = await withTimeout(iterator.next(), seconds, message)
      waiting = false
      if (step.done === true) return
      yield step.value
    }
  } finally {
    // A stalled source is not awaited a second time.
    const end = iterator.return?.()
    if (waiting) end?.catch(() => {})
    else await end
  }
}

async function withTimeout<T>(work: Promise<T>, seconds: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new UserError(message)), seconds * 1000)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
