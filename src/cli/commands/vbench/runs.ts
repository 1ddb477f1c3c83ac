import type { z } from 'zod'
import { changedParts, type RunPlan } from '../../../engine/plan.ts'
import { isEvent } from '../../../engine/recorder.ts'
import type { RunListing, Store } from '../../../store/store.ts'
import { outcomeEvent, type videoOutcome } from '../../../suites/vbench/events.ts'
import { vbench } from '../../../suites/vbench/suite.ts'

/** Fingerprint parts of instruments: measuring the same videos with others belongs to the same run. */
const MEASURING = new Set(['model.judge', ...(vbench.measure?.options ?? []).map((name) => `option.${name}`)])

/** The latest run of the same videos with any instruments, unless it used another judge. */
export async function findRun(store: Store, plan: RunPlan): Promise<RunListing | undefined> {
  return (await store.listRuns()).find(({ header }) => {
    const { judge } = header.models
    const hasSameJudge = judge === undefined || judge === plan.header.models['judge']
    // Runs from before there was VBench-Long do not name it, and are short.
    const isSame = ['long', 'sceneCuts'].every(
      (name) => (header.options[name] ?? false) === (plan.header.options[name] ?? false),
    )
    return hasSameJudge && isSame && changedParts(plan, header).every(([part]) => MEASURING.has(part))
  })
}

/** The recorded outcome of a video. */
export function outcomeIn(events: readonly unknown[]): z.infer<typeof videoOutcome> | undefined {
  return outcomeEvent.safeParse(events.findLast((event) => isEvent(event, 'outcome'))).data?.outcome
}
