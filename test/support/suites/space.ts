/** Plays a complete run of a suite with a store in `folder`, for tests. */
import type { ModelRequest, Suite } from '../../../src/suite.ts'
import { planRun } from '../../../src/engine/plan.ts'
import { makeReport } from '../../../src/engine/reporting.ts'
import { startRun } from '../../../src/engine/run.ts'
import { speaker, testEnvironment } from '../engine.ts'
import type { SpaceSample } from '../../../src/suites/space/samples/sample.ts'
import type { SpaceOptions } from '../../../src/suites/space/options.ts'
import type { SpaceOutcome } from '../../../src/suites/space/domain/outcome.ts'

export interface PlayOptions {
  suite: Suite<SpaceOptions, SpaceSample, SpaceOutcome>
  /** A baseline by name, or a function that replies to the n-th request, from 0. */
  model: string | ((request: ModelRequest, call: number) => string)
  source: string
  profile?: string
  options?: Record<string, unknown>
}

export async function playInFolder(
  folder: string,
  { suite, model, source, profile = 'fixed', options = {} }: PlayOptions,
) {
  const fakeModel = speaker('test/words', typeof model === 'string' ? () => '' : model)
  const environment = await testEnvironment(folder, () => Promise.resolve(fakeModel))
  const player = typeof model === 'string' ? model : fakeModel.id
  const plan = await planRun({ suite, models: { player }, source, profile, options })
  const result = await startRun(plan, environment)
  const { store } = environment
  const reader = await store.openRun(result.id)
  const report = await makeReport(reader, suite)
  return { result, requests: fakeModel.requests, store, reader, report, lines: await reader.episodes() }
}
