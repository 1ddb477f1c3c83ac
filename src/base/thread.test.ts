import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Names, Sums } from './testing/sums.ts'
import { siblingModule, Thread, ThreadLost } from './thread.ts'

let thread: Thread<Sums, Names>
beforeEach(() => {
  const values = new Map([
    ['one', 1],
    ['two', 2],
  ])
  thread = new Thread('./testing/sums', import.meta.url, {
    title: 'a thread that adds',
    handlers: { valueOf: async (name) => values.get(name) ?? 0 },
  })
})
afterEach(() => thread.close())

describe('a thread', () => {
  it('answers calls and can call back', async () => {
    const sums = [thread.call('add', [1, 2, 3]), thread.call('addNamed', ['one', 'two', 'two'])]
    expect(thread.pendingCalls).toBe(2)
    expect(await Promise.all(sums)).toEqual([6, 5])
    expect(thread.pendingCalls).toBe(0)
  })

  it('fails pending calls when it exits, and restarts on the next call', async () => {
    const lost = await Promise.allSettled([thread.call('end', 3), thread.call('add', [1])])
    const reason = new ThreadLost('a thread that adds exited with code 3')
    expect(lost).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ])
    expect(await thread.call('add', [1, 2])).toBe(3)
  })

  it('reports why its module could not be loaded', async () => {
    const none = new Thread<Sums>('./testing/nowhere', import.meta.url, { title: 'a thread of nothing', handlers: {} })
    await expect(none.call('add', [])).rejects.toThrow(/^a thread of nothing failed: .*nowhere/)
  })

  it('closes immediately, even in a loop', async () => {
    await thread.call('add', [])
    const lost = expect(thread.call('loop', null)).rejects.toThrow('a thread that adds was closed')
    await thread.close()
    await lost
    await expect(thread.call('add', [1])).rejects.toThrow('a thread that adds was closed')
  })

  it('keeps the process alive only while a call is pending', async () => {
    const program = `
      import { Thread } from '${siblingModule('./thread', import.meta.url)}'
      const from = '${import.meta.url}'
      const thread = new Thread('./testing/sums', from, { title: 'a thread that adds', handlers: {} })
      console.log(await thread.call('add', [1, 2]))
    `
    const args = ['--import', 'tsx', '--input-type=module', '--eval', program]
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 })
    expect(stdout).toBe('3\n')
  })
})
