/** VBench: how good are videos that a model makes from text? See README.md beside this file. */
import { hashOf } from '../../base/hash.ts'
import type { Suite } from '../../engine/suite.ts'
import { baselines } from './players/baselines.ts'
import { listed, sources, type VbenchSample } from './cases/source.ts'
import { dimensionsNamed } from './domain/dimensions.ts'
import { runInstruments } from './measure/instruments.ts'
import { type VbenchOptions, vbenchOptions } from './options.ts'
import type { VbenchOutcome } from './domain/outcome.ts'
import { play } from './play.ts'
import { builtinMeasures } from './measure/choose.ts'
import { judgeTexts } from './measure/judge.ts'
import { PROFILES, score, together } from './score.ts'
import { metrics, summary } from './summary.ts'

export const vbench: Suite<VbenchOptions, VbenchSample, VbenchOutcome> = {
  name: 'vbench',
  title: 'How good are videos made from text: sixteen dimensions, in three tiers',
  version: 1,
  makes: 'video',
  options: vbenchOptions,
  roles: ['player'],
  optionalRoles: ['judge'],
  profiles: PROFILES,
  metrics,
  sources,
  defaultSource: 'builtin',
  prompts: async ({ models }) => ({ ...judgeTexts(), measures: await measuresName(models) }),
  ready,
  play,
  score,
  together,
  summary,
  baselines,
}

async function networksOf(folder: string): Promise<Record<string, string>> {
  return (await import('./measure/networks/open.ts')).networkHashes(folder)
}

/** Networks that are missing, and filters that no tier allows, are found out before a video is made. */
async function ready(options: VbenchOptions): Promise<void> {
  const named = listed(options.dimension)
  await runInstruments(options, dimensionsNamed(named.includes('all') ? [] : named), [])
}

/** What measures: other kernels or other networks make other numbers. */
async function measuresName(models: string | undefined): Promise<string> {
  const builtin = builtinMeasures().map(({ version }) => version)
  // A run can be scored again where the networks are not; playing says what is wrong with the folder.
  const networks = models === undefined ? null : await networksOf(models).catch(() => 'not readable')
  return hashOf([builtin, networks])
}
