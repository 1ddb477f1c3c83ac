import { expect, it } from 'vitest'
import { exampleLine } from '../../test/support/store.ts'
import type { EpisodeLine } from '../store/records.ts'
import { JournalFollower } from './follower.ts'

/** A journal whose reads finish when the test says so. */
function heldJournal(): { write: (line: EpisodeLine) => void; finish: (() => void)[]; reader: Reader } {
  const lines: EpisodeLine[] = []
  const finish: (() => void)[] = []
  const reader: Reader = {
    header: { profile: 'exact', options: {} },
    journalSize: () => Promise.resolve(lines.length),
    async episodesSince(start) {
      const found = { lines: lines.slice(start), end: lines.length }
      await new Promise<void>((resolve) => finish.push(resolve))
      return found
    },
  }
  return { write: (line) => lines.push(line), finish, reader }
}

type Reader = ConstructorParameters<typeof JournalFollower>[0]

it('includes everything written before the call, even while another read is in flight', async () => {
  const { write, finish, reader } = heldJournal()
  const follower = new JournalFollower(reader, null)
  write({ ...exampleLine(0), events: [0, 0] })
  const first = follower.update()
  await expect.poll(() => finish.length).toBe(1)
  write({ ...exampleLine(1), events: [0, 0] })
  const [second, third] = [follower.update(), follower.update()]
  finish[0]!()
  await first
  expect(follower.totals.finished).toBe(1)
  await expect.poll(() => finish.length).toBe(2)
  finish[1]!()
  await Promise.all([second, third])
  expect(follower.totals.finished).toBe(2)
  // Concurrent callers share one read.
  expect(finish).toHaveLength(2)
})
