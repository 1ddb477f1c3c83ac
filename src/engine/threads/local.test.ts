import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { compass } from '../../../test/support/compass.ts'
import { testEnvironment, walker } from '../../../test/support/engine.ts'
import { planRun } from '../plan.ts'
import { startRun } from '../run.ts'
import { runnerWithThreads } from './local.ts'

it('prepares one scene until the first request, and never more than eight at a time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-scenes-'))
  try {
    let preparing = 0
    const before: number[] = []
    const after: number[] = []
    let hasAsked = false
    const slow = {
      ...compass,
      async play(...[sample, episode, options]: Parameters<typeof compass.play>) {
        preparing += 1
        ;(hasAsked ? after : before).push(preparing)
        await pause(5)
        preparing -= 1
        return compass.play(sample, episode, options)
      },
    }
    const model = {
      ...walker(() => {
        hasAsked = true
      }),
      connections: () => 16,
    }
    const environment = {
      ...(await testEnvironment(folder, model)),
      makeRunner: runnerWithThreads({ count: 1, suites: '', suiteModule: null }),
    }
    const request = { suite: slow, models: { player: 'test/walker' }, source: 'builtin:samples=40' }
    const { progress } = await startRun(await planRun(request), environment)
    expect(progress.finished).toBe(40)
    expect(before).toEqual([1])
    expect(Math.max(...after)).toBe(8)
  } finally {
    await rm(folder, { recursive: true })
  }
})
