/** Plays a suite in a folder as a run would be played, for tests. */
import { planRun } from '../../engine/plan.ts'
import { makeReport } from '../../engine/reporting.ts'
import { startRun } from '../../engine/run.ts'
import type { Suite } from '../../engine/suite.ts'
import { Prices } from '../../models/prices.ts'
import { type Model, type ModelRequest, NO_USAGE } from '../../models/types.ts'
import { Store } from '../../store/store.ts'
import type { SpaceCase, SpaceOutcome } from './episode.ts'
import type { SpaceOptions } from './options.ts'

export interface Playing {
  suite: Suite<SpaceOptions, SpaceCase, SpaceOutcome>
  /** A baseline by name, or what a model answers to its requests, counted from 0. */
  model: string | ((request: ModelRequest, call: number) => string)
  source: string
  profile?: string
  options?: Record<string, unknown>
}

export async function playedIn(folder: string, { suite, model, source, profile = 'fixed', options = {} }: Playing) {
  const requests: ModelRequest[] = []
  const speaking: Model = {
    id: 'test/words',
    local: true,
    connections: () => 1,
    close: () => Promise.resolve(),
    ask: (request) => {
      const text = typeof model === 'string' ? '' : model(request, requests.length)
      requests.push(request)
      return Promise.resolve({ text, finish: 'stop', usage: { ...NO_USAGE, calls: 1 }, ms: 0, cached: false })
    },
  }
  const store = await Store.open(folder)
  const player = typeof model === 'string' ? model : speaking.id
  const plan = await planRun({ suite, models: { player }, source, profile, options })
  const result = await startRun(plan, {
    store,
    openModel: () => Promise.resolve(speaking),
    prices: new Prices([]),
    versions: {},
    git: null,
    now: () => new Date(),
  })
  const reader = await store.openRun(result.id)
  const report = await makeReport(reader, suite)
  return { result, requests, store, reader, report, lines: await reader.episodes() }
}
