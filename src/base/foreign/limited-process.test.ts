import { describe, expect, it } from 'vitest'
import type { TestReaders } from '../testing/readers.ts'
import { LimitedProcess } from './limited-process.ts'

const limited = (minSeconds: number) =>
  new LimitedProcess<TestReaders>('../testing/readers', import.meta.url, { minSeconds })
const hasty = limited(0.5)
const patient = limited(60)
const unreadable = { message: 'a.ply cannot be read', hint: 'Download it again.' }

describe('a limited process', () => {
  it('hands over arrays, and survives a file that never ends', async () => {
    const lost = hasty.read(['loop', null], 0, unreadable)
    const next = hasty.read(['numbers', 100_000], 0, unreadable)
    const message = 'a.ply cannot be read: not done after 0.5 s.'
    await expect(lost).rejects.toMatchObject({ message, hint: 'Download it again.' })
    const { all, first } = await next
    expect([all.length, all.at(-1), ...first]).toEqual([100_000, 7, 7])
  })

  it('has more time for a file that names others', async () => {
    expect(await hasty.read(['named', { bytes: 60 << 20, ms: 800 }], 0, unreadable)).toBe('read')
  })

  it('survives a file that takes too much memory', async () => {
    const message = 'a.ply cannot be read: it needs more than 512 MB of memory.'
    await expect(patient.read(['hoard', null], 0, unreadable)).rejects.toMatchObject({ message })
  })

  it('survives native code that crashes', async () => {
    const message = 'a.ply cannot be read: the reader exited with SIGSEGV.'
    await expect(patient.read(['crash', null], 0, unreadable)).rejects.toMatchObject({ message })
    const { all, first } = await patient.read(['numbers', 5], 0, unreadable)
    expect([...all, ...first]).toEqual([7, 7, 7, 7, 7, 7])
  })
})
