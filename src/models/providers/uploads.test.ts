import { expect, it } from 'vitest'
import { quickClock } from '../../../test/support/models/quick-clock.ts'
import type { MediaRef } from '../../media/ref.ts'
import { realClock } from '../clock.ts'
import { RequestError } from './failure.ts'
import { Uploads } from './uploads.ts'

const picture: MediaRef = { sha256: 'a'.repeat(64), type: 'image/png', bytes: 1 }
const never = (): AbortSignal => new AbortController().signal
const refused = () => new RequestError({ kind: 'bad-request', retry: false, status: 400, message: 'not in the cache' })
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** A second of waiting for an answer takes 10 ms. */
const uploads = (): Uploads =>
  new Uploads(() => {}, { ...quickClock(100), after: (ms, then) => realClock.after(ms / 100, then) })

it('sends a picture once though it takes long to arrive', async () => {
  const once = uploads()
  let isThere = false
  let full = 0
  const ask = () =>
    once.send(
      [picture],
      async (isNamed) => {
        if (isNamed(picture)) {
          if (!isThere) throw refused()
          return 'named'
        }
        full += 1
        await pause(50)
        isThere = true
        return 'full'
      },
      never(),
    )
  const replies = await Promise.all(Array.from({ length: 16 }, ask))
  expect(full).toBe(1)
  expect(replies.filter((reply) => reply === 'named')).toHaveLength(15)
})

it('waits no more for a picture that the server has, whatever is still being answered', async () => {
  const once = uploads()
  let answer!: () => void
  const first = once.send([picture], () => new Promise<void>((resolve) => (answer = resolve)), never())
  const named: boolean[] = []
  const ask = () => once.send([picture], (isNamed) => Promise.resolve(void named.push(isNamed(picture))), never())
  await ask()
  const started = performance.now()
  for (let i = 0; i < 100; i++) await ask()
  // Each would have waited for 10 ms.
  expect(performance.now() - started).toBeLessThan(500)
  expect(named.every(Boolean)).toBe(true)
  answer()
  await first
})
