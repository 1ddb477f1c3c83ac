import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compass } from '../../test/support/compass.ts'
import { ModelError, type Model } from '../models/types.ts'
import { Prices } from '../models/prices.ts'
import { Store } from '../store/store.ts'
import { RunStopped, StopControl } from './control.ts'
import { parseErrorLimit } from './failures.ts'
import { planRun, replan, type RunRequest } from './plan.ts'
import type { AnySuite } from './suite.ts'
import { resumeRun, startRun, type RunEnvironment } from './run.ts'
import { testEnvironment, walker } from '../../test/support/engine.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-engine-'))
})
afterEach(() => rm(folder, { recursive: true }))

const environment = (model: Model = walker()): Promise<RunEnvironment> => testEnvironment(folder, model)

const request = (more: Partial<RunRequest> = {}): RunRequest => ({
  suite: compass,
  models: { player: 'test/walker' },
  source: 'builtin:samples=20',
  ...more,
})

describe('a run', () => {
  it('plays every sample and records its events', async () => {
    const result = await startRun(await planRun(request()), await environment())
    expect(result).toMatchObject({ state: 'done', progress: { finished: 20, planned: 20, score: { value: 1 } } })
    const reader = await (await Store.open(folder)).openRun(result.id)
    const lines = await reader.episodes()
    expect(lines.map(({ index }) => index)).toEqual(Array.from({ length: 20 }, (_, i) => i))
    expect(await reader.events(lines[3]!)).toMatchObject([
      { type: 'sample', sample: { id: 'turns-3', answer: expect.any(String) } },
      { type: 'message', id: 0, role: 'user' },
      { type: 'ask', ordinal: 0, role: 'player', messages: [0] },
      { type: 'reply', ordinal: 0, role: 'player', finish: 'stop' },
      { type: 'outcome', status: 'answered' },
    ])
  })

  it('counts failures and continues', async () => {
    const model = walker((_, call) => {
      if (call === 2) throw new ModelError('server', 'the server is on fire', 5)
      if (call === 3) return ''
      if (call === 4) return 'purple'
      return undefined
    })
    const { progress, state } = await startRun(await planRun(request()), await environment(model))
    expect(state).toBe('done')
    expect(progress.byStatus).toEqual({ answered: 17, model_error: 1, no_answer: 1, parse_failed: 1 })
    expect(progress.score?.value).toBeCloseTo(17 / 20)
  })

  it('records cut-off, refused, filtered and empty replies of an episode', async () => {
    const model = walker()
    const asked = model.ask.bind(model)
    let call = 0
    model.ask = async (...request) => {
      const reply = await asked(...request)
      call += 1
      if (call === 1) return { ...reply, finish: 'length' }
      return call === 2 ? { ...reply, text: 'I am sorry, I cannot help with that.' } : reply
    }
    const { id } = await startRun(await planRun(request({ limit: '4' })), await environment(model))
    const lines = await (await (await Store.open(folder)).openRun(id)).episodes()
    expect(lines.map(({ problems }) => problems).filter(Boolean)).toEqual([['cut_off'], ['refused']])
  })

  it('plays epochs, and selects samples by limit and id', async () => {
    const model = walker()
    await startRun(await planRun(request({ epochs: 2, limit: '3-4' })), await environment(model))
    expect(model.asked.sort()).toEqual(['turns-2#1', 'turns-2#2', 'turns-3#1', 'turns-3#2'])
    const other = walker()
    await startRun(await planRun(request({ sampleIds: ['turns-7'] })), await environment(other))
    expect(other.asked).toEqual(['turns-7#1'])
  })

  it('stops when the budget is spent and resumes with a new one', async () => {
    const plan = await planRun(request({ budget: '0.05usd' }))
    const first = await startRun(plan, await environment())
    expect(first).toMatchObject({ state: 'interrupted', cause: 'budget' })
    expect(first.progress.finished).toBeGreaterThanOrEqual(5)
    expect(first.progress.finished).toBeLessThan(12)
    const reader = await (await Store.open(folder)).openRun(first.id)
    const again = await replan(compass, reader.header, 'resume')
    const second = await resumeRun(again, first.id, await environment(), { budget: '1usd' })
    expect(second).toMatchObject({ state: 'done', progress: { finished: 20, usd: expect.closeTo(0.2) } })
  })

  it('counts payments of earlier processes, including unfinished episodes', async () => {
    const control = new StopControl()
    const costly = walker(async (_, call) => {
      if (call === 3) control.abort(new RunStopped('interrupted', 'stopped by Ctrl-C'))
      await new Promise((resolve) => setTimeout(resolve, 1))
    })
    const twoCalls = {
      ...compass,
      play: async (...[sample, episode, options]: Parameters<typeof compass.play>) => {
        await episode.ask('player', [{ role: 'user', content: `${sample.question} Think first.` }])
        return compass.play(sample, episode, options)
      },
    }
    const first = await startRun(await planRun(request({ suite: twoCalls })), await environment(costly), { control })
    const paid = first.progress.usd!
    expect(paid).toBeGreaterThan(first.progress.finished * 0.02)
    const reader = await (await Store.open(folder)).openRun(first.id)
    const again = await resumeRun(await replan(twoCalls, reader.header, 'resume'), first.id, await environment(), {
      budget: `${paid + 0.021}usd`,
    })
    expect(again).toMatchObject({ state: 'interrupted', cause: 'budget' })
    expect(again.progress.usd).toBeLessThan(paid + 0.07)
  })

  it('rejects a dollar budget for a model without a price', async () => {
    const unpriced = { ...(await environment()), prices: new Prices([]) }
    await expect(startRun(await planRun(request({ budget: '5usd' })), unpriced)).rejects.toThrow(
      /no price for test\/walker/,
    )
  })

  it('drains: waits for requests in flight and sends no new ones', async () => {
    const control = new StopControl()
    const model = walker(async (_, call) => {
      if (call === 6) control.drain(new RunStopped('interrupted', 'stopped by Ctrl-C'))
      await new Promise((resolve) => setTimeout(resolve, 5))
    })
    const { id, state, progress } = await startRun(await planRun(request()), await environment(model), { control })
    expect(state).toBe('interrupted')
    expect(model.asked.length).toBeLessThan(20)
    expect(progress.finished).toBe(model.asked.length)
    const rest = walker()
    const reader = await (await Store.open(folder)).openRun(id)
    await resumeRun(await replan(compass, reader.header, 'resume'), id, await environment(rest))
    expect([...model.asked, ...rest.asked].sort()).toEqual(Array.from({ length: 20 }, (_, i) => `turns-${i}#1`).sort())
  })

  it('prepares as many episodes ahead as the model has connections, and asks no more than it has', async () => {
    const prepared: string[] = []
    const drawing: AnySuite = {
      ...compass,
      play: (sample, ...rest) => {
        prepared.push(sample.id)
        return compass.play(sample as never, ...(rest as never as [never, never]))
      },
    }
    let answer!: () => void
    const answered = new Promise<void>((resolve) => (answer = resolve))
    const model = { ...walker(() => answered), connections: () => 3, address: 'http://127.0.0.1:1' }
    const run = startRun(await planRun({ ...request(), suite: drawing }), await environment(model))
    await expect.poll(() => prepared.length).toBe(6)
    expect(model.asked).toHaveLength(3)
    answer()
    expect(await run).toMatchObject({ state: 'done', progress: { finished: 20 } })
  })

  it('aborts even if a model never answers', async () => {
    const control = new StopControl()
    const model = walker()
    model.ask = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        setTimeout(() => control.abort(new RunStopped('interrupted', 'stopped by Ctrl-C')), 5)
      })
    const result = await startRun(await planRun(request()), await environment(model), { control })
    expect(result).toMatchObject({ state: 'interrupted', progress: { finished: 0 } })
  })

  it('stops at the time limit', async () => {
    const slow = walker(async () => {
      await new Promise((resolve) => setTimeout(resolve, 30))
    })
    const result = await startRun(
      await planRun(request({ source: 'builtin:samples=1000', timeLimitSeconds: 0.05 })),
      await environment(slow),
    )
    expect(result).toMatchObject({ state: 'interrupted', cause: 'time-limit' })
  })

  it('replays model errors with retryErrors', async () => {
    const broken = walker(() => {
      throw new ModelError('network', 'no route', 3)
    })
    const hooks = { failures: { failFast: false } }
    const first = await startRun(await planRun(request()), await environment(broken), hooks)
    expect(first).toMatchObject({ state: 'done', progress: { byStatus: { model_error: 20 } } })
    const reader = await (await Store.open(folder)).openRun(first.id)
    const plan = await replan(compass, reader.header, 'resume')
    const second = await resumeRun(plan, first.id, await environment(), { retryErrors: true })
    expect(second.progress.byStatus).toEqual({ answered: 20 })
    expect(await reader.episodes()).toHaveLength(20)
  })

  it('replays the episodes that it is told to', async () => {
    const first = await startRun(await planRun(request()), await environment())
    const reader = await (await Store.open(folder)).openRun(first.id)
    const plan = await replan(compass, reader.header, 'resume')
    const asked: number[] = []
    const counting = walker((_, call) => void asked.push(call))
    const again = await resumeRun(plan, first.id, await environment(counting), { retry: ({ index }) => index === 3 })
    expect(asked).toHaveLength(1)
    expect(again.progress.byStatus).toEqual({ answered: 20 })
  })

  it('fails at the first fatal error, records nothing, and plays everything when resumed', async () => {
    const locked = walker((_, call) => {
      if (call > 3) throw new ModelError('auth', 'the key is wrong', 1, { fatal: true })
    })
    const result = await startRun(await planRun(request()), await environment(locked))
    expect(result).toMatchObject({ state: 'failed', cause: 'failed', reason: 'the key is wrong' })
    expect(result.progress.byStatus).toEqual({ answered: 3 })
    const reader = await (await Store.open(folder)).openRun(result.id)
    expect(await reader.status()).toMatchObject({ state: 'failed', reason: 'the key is wrong' })
    const again = await resumeRun(await replan(compass, reader.header, 'resume'), result.id, await environment())
    expect(again).toMatchObject({ state: 'done', progress: { byStatus: { answered: 20 }, score: { value: 1 } } })
  })

  it('fails after a few identical errors in a row, and does not score them', async () => {
    const dead = walker((_, call) => {
      if (call > 2) throw new ModelError('server', `HTTP 500: request ${call}f3a failed`, 1)
    })
    const result = await startRun(await planRun(request({ source: 'builtin:samples=500' })), await environment(dead))
    expect(result).toMatchObject({ state: 'failed', progress: { byStatus: { answered: 2 } } })
    expect(result.reason).toMatch(/^5 episodes in a row failed with the same error: HTTP 500/)
  })

  it('fails when all episodes of a short run end in an error', async () => {
    const dead = walker(() => {
      throw new ModelError('server', 'HTTP 500', 1)
    })
    const result = await startRun(await planRun(request({ limit: '2' })), await environment(dead))
    expect(result).toMatchObject({
      state: 'failed',
      reason: 'all episodes failed: HTTP 500',
      progress: { finished: 0 },
    })
  })

  it('fails above the error limit', async () => {
    const flaky = walker((_, call) => {
      if (call % 4 === 0) throw new ModelError('server', 'HTTP 500', 1)
    })
    const hooks = (failOnError: string) => ({ failures: { failOnError: parseErrorLimit(failOnError) } })
    const below = await startRun(await planRun(request()), await environment(flaky), hooks('25%'))
    expect(below).toMatchObject({ state: 'done', progress: { byStatus: { model_error: 5 } } })
    const above = await startRun(
      await planRun(request({ source: 'builtin:samples=400' })),
      await environment(flaky),
      hooks('2'),
    )
    expect(above).toMatchObject({ state: 'failed', reason: expect.stringMatching(/of 400 episodes ended in an error/) })
    expect(above.progress.finished).toBeLessThan(100)
  })

  it('throws a bug in a suite and keeps finished episodes', async () => {
    const faulty = {
      ...compass,
      score: (sample: Parameters<typeof compass.score>[0]) => {
        if (sample.id === 'turns-9') throw new TypeError('x is undefined')
        return { correct: 1 }
      },
    }
    const here = await environment()
    await expect(startRun(await planRun(request({ suite: faulty })), here)).rejects.toThrow('x is undefined')
    const [run] = await here.store.listRuns()
    expect(run!.status.state).toBe('interrupted')
  })

  it('refuses to resume when the suite version has changed', async () => {
    const { id } = await startRun(await planRun(request()), await environment())
    const reader = await (await Store.open(folder)).openRun(id)
    const changed = { ...compass, version: 2 }
    await expect(replan(changed, reader.header, 'resume')).rejects.toThrow(/suiteVersion \(then 1, now 2\)/)
    await expect(replan(changed, reader.header, 'score')).resolves.toBeDefined()
  })
})

describe('planning', () => {
  it.each([
    [{ options: { turn: 3 } }, /no option "turn".*/],
    [{ options: { turns: 'many' } }, /turns: /],
    [{ models: { player: 'baseline/oracel' } }, null],
    [{ source: 'biultin' }, /no source "biultin"/],
    [{ profile: 'exakt' }, /no profile "exakt"/],
    [{ limit: '0' }, /--limit must be/],
    [{ limit: '30-40' }, /No samples to play/],
    [{ sampleIds: ['nope'] }, /No sample with id nope/],
    [{ epochs: 0 }, /--epochs/],
    [{ budget: 'lots' }, /--budget must be/],
    [{ models: { player: 'a/b', judge: 'c/d' } }, /does not use the role "judge"/],
  ] satisfies [Partial<RunRequest>, RegExp | null][])('rejects %j', async (more, message) => {
    if (message) await expect(planRun(request(more))).rejects.toThrow(message)
    else
      await expect(startRun(await planRun(request(more)), await environment())).rejects.toThrow(
        /no baseline "baseline\/oracel"/,
      )
  })

  it('converts text from the command line to the types of the schema', async () => {
    const plan = await planRun(request({ options: { turns: '5' } }))
    expect(plan.header.options).toEqual({ turns: 5 })
  })

  it('has equal fingerprints for equal requests only', async () => {
    const hash = async (more?: Partial<RunRequest>) => (await planRun(request(more))).header.fingerprint.hash
    expect(await hash()).toBe(await hash())
    const others = await Promise.all([hash({ seed: 1 }), hash({ options: { turns: 4 } }), hash({ limit: '3' }), hash()])
    expect(new Set(others).size).toBe(4)
  })

  it('writes nothing before the run starts', async () => {
    await planRun(request())
    await expect(readFile(join(folder, 'runs'))).rejects.toThrow()
  })
})

it('can be stopped while episodes never await anything', async () => {
  const control = new StopControl()
  const busy: AnySuite = {
    ...compass,
    play: (...given: Parameters<typeof compass.play>) => {
      const end = performance.now() + 10
      while (performance.now() < end);
      return compass.play(...given)
    },
  }
  const plan = await planRun({ suite: busy, models: { player: 'baseline/oracle' } })
  setTimeout(() => control.drain(new RunStopped('interrupted', 'enough')), 50)
  const result = await startRun(plan, await testEnvironment(folder), { control })
  expect(result).toMatchObject({ state: 'interrupted', reason: 'enough' })
  expect(result.progress.finished).toBeLessThan(100)
})
