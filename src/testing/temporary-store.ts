/** Plays a suite in a temporary store. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { planRun, type RunPlan } from '../engine/plan.ts'
import { makeReport } from '../engine/reporting.ts'
import { type RunResult, startRun, type RunEnvironment } from '../engine/run.ts'
import type { AnySuite } from '../engine/suite.ts'
import { Prices } from '../models/prices.ts'
import { type Model, NO_USAGE } from '../models/types.ts'
import type { Report } from '../report/report.ts'
import type { RunReader } from '../store/run-reader.ts'
import { Store } from '../store/store.ts'

export interface PlayOptions {
  source?: string | undefined
  options?: Readonly<Record<string, unknown>> | undefined
  profile?: string | undefined
  samples: number
}

export interface PlayedRun {
  plan: RunPlan
  result: RunResult
  reader: RunReader
  report: () => Promise<Report>
}

/** A model that always gives the same reply. */
export function replyingModel(text: string, id = 'test/model'): Model {
  return {
    id,
    local: true,
    output: 'recorded',
    connections: () => 4,
    close: () => Promise.resolve(),
    ask: () => Promise.resolve({ text, finish: 'stop', usage: { ...NO_USAGE, calls: 1 }, ms: 0, cached: false }),
  }
}

/** Calls `work` with a function that plays the suite, then deletes the store. */
export async function inTemporaryStore<T>(
  suite: AnySuite,
  { samples, ...options }: PlayOptions,
  work: (play: (player: string | Model, sampleIds?: readonly string[]) => Promise<PlayedRun>) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-testing-'))
  try {
    const store = await Store.open(folder)
    return await work(async (player, sampleIds) => {
      const model = typeof player === 'string' ? null : player
      const environment: RunEnvironment = {
        store,
        openModel: (id) => (model ? Promise.resolve(model) : Promise.reject(new Error(`${id} is not a baseline`))),
        prices: new Prices([]),
        versions: {},
        git: null,
        now: () => new Date(),
      }
      const id = typeof player === 'string' ? player : player.id
      const plan = await planRun({ suite, ...options, sampleIds, limit: String(samples), models: { player: id } })
      const result = await startRun(plan, environment)
      const reader = await store.openRunById(result.id)
      return { plan, result, reader, report: () => makeReport(reader, suite) }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
