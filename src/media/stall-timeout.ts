import { UserError } from '../base/errors.ts'

/** The same items; a sentence instead of waiting forever where the next one does not come in time. */
export async function* withStallTimeout<T>(
  items: AsyncIterable<T>,
  seconds: number,
  sentence: string,
): AsyncGenerator<T, void, undefined> {
  const iterator = items[Symbol.asyncIterator]()
  let waiting = true
  try {
    for (;;) {
      waiting = true
      const step = await inTime(iterator.next(), seconds, sentence)
      waiting = false
      if (step.done === true) return
      yield step.value
    }
  } finally {
    // Whoever does not answer is not waited for a second time.
    const end = iterator.return?.()
    if (waiting) end?.catch(() => {})
    else await end
  }
}

async function inTime<T>(work: Promise<T>, seconds: number, sentence: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new UserError(sentence)), seconds * 1000)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
