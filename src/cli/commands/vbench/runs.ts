import type { z } from 'zod'
import { changedParts, type RunPlan } from '../../../engine/plan.ts'
import { isEvent } from '../../../engine/recorder.ts'
import type { RunListing, Store } from '../../../store/store.ts'
import { outcomeEvent, type videoOutcome } from '../../../suites/vbench/events.ts'
import { vbench } from '../../../suites/vbench/suite.ts'

/** Parts of a fingerprint that say what measures: another evaluator of the same videos belongs to the same run. */
const MEASURING = new Set(['model.judge', ...(vbench.measure?.options ?? []).map((name) => `option.${name}`)])

/** The latest run of the same videos, whatever measured them; but never one that another judge has judged. */
export async function findRun(store: Store, plan: RunPlan): Promise<RunListing | undefined> {
  return (await store.listRuns()).find(({ header }) => {
    const { judge } = header.models
    const isJudgedAlike = judge === undefined || judge === plan.header.models['judge']
    return isJudgedAlike && changedParts(plan, header).every(([part]) => MEASURING.has(part))
  })
}

/** What a run recorded of a video in the end. */
export function outcomeIn(events: readonly unknown[]): z.infer<typeof videoOutcome> | undefined {
  return outcomeEvent.safeParse(events.findLast((event) => isEvent(event, 'outcome'))).data?.outcome
}
