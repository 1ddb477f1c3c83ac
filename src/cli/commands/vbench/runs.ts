import { changedParts, type RunPlan } from '../../../engine/plan.ts'
import { vbench } from '../../../suites/vbench/suite.ts'
import type { RunListing, Store } from '../../../store/store.ts'

/** Parts of a fingerprint that say what measures: another evaluator of the same videos belongs to the same run. */
const MEASURING = new Set(['model.judge', ...(vbench.measure?.options ?? []).map((name) => `option.${name}`)])

/** The latest run of the same videos, whatever measured them; but never one that another judge has judged. */
export async function findRun(store: Store, plan: RunPlan): Promise<RunListing | null> {
  const runs = (await store.listRuns()).filter(({ header }) => {
    const { judge } = header.models
    const isJudgedAlike = judge === undefined || judge === plan.header.models['judge']
    return isJudgedAlike && changedParts(plan, header).every(([part]) => MEASURING.has(part))
  })
  return runs.toSorted((a, b) => (a.header.created < b.header.created ? -1 : 1)).at(-1) ?? null
}
