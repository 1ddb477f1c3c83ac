/** Runs on the samples that all of them have. */
import { setImmediate } from 'node:timers/promises'
import { sharedReports, shareSamples, type SharingRun, unlikeParts } from '../report/shared.ts'
import type { SharedDetail, SharedRunDetail } from './api.ts'
import { HttpProblem } from './http/problem.ts'
import type { RunEntry } from './run-entry.ts'

const MAX_RUNS = 100

/** The ids in a request, each once. */
export function sharedIds(text: string): string[] {
  const ids = [...new Set(text.split(',').filter((id) => id !== ''))]
  if (ids.length > 0 && ids.length <= MAX_RUNS) return ids
  throw new HttpProblem(400, `Choose between 1 and ${MAX_RUNS} runs.`)
}

/** @param least see `SharingOptions` */
export async function sharedDetail(entries: readonly RunEntry[], least: number): Promise<SharedDetail> {
  const rows = new Map(
    await Promise.all(entries.map(async (entry) => [entry.reader.header.id, await entry.row()] as const)),
  )
  const known: SharingRun[] = []
  const unreadable: SharedDetail['leftOut'][number][] = []
  for (const entry of entries) {
    const { header } = entry.reader
    const run = rows.get(header.id)!
    const suite = await entry.suite()
    if (!suite) unreadable.push({ run, reason: `unknown suite ${header.suite}` })
    // A run that cannot be scored says why.
    else if (run.problem !== undefined) unreadable.push({ run, reason: run.problem.replace(/\.$/, '') })
    else known.push({ header, rows: await entry.lines(), suite })
  }
  const shared = shareSamples(known, { least })
  const runs: SharedRunDetail[] = []
  for (const report of sharedReports(shared)) {
    runs.push({ row: rows.get(report.run)!, report })
    // Intervals take a while; other requests are answered in between.
    await setImmediate()
  }
  return {
    samples: shared.samples,
    all: shared.all,
    unlike: unlikeParts(shared.runs),
    runs,
    leftOut: [...shared.leftOut.map(({ run, reason }) => ({ run: rows.get(run)!, reason })), ...unreadable],
  }
}
