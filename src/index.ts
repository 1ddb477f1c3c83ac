/** `sightline`: run benchmarks and read their results from a program. */
export {
  type FinishedRun,
  importReplies,
  type ImportOptions,
  measure,
  type MeasureOptions,
  type PlayHooks,
  type PreparedRun,
  prepareRun,
  resume,
  type ResumeOptions,
  run,
  type RunOptions,
  type StoreOptions,
} from './library/run.ts'
export { audit, type AuditOptions } from './library/audit.ts'
export {
  compare,
  openStore,
  report,
  type ReportOptions,
  type ResultOptions,
  score,
  type Verification,
  verify,
} from './library/results.ts'
export { defineConfig, type Settings } from './library/config.ts'
export { type LoadedSuite, type SuiteFinder, suiteFinder } from './library/suites.ts'
export { StopControl } from './engine/control.ts'
export type { Progress } from './engine/progress.ts'
export type { RunResult } from './engine/run.ts'
export type { AnySuite, Suite } from './engine/suite.ts'
export type { Audit, AuditRow } from './report/audit.ts'
export type { Comparison } from './report/compare.ts'
export { renderReports, type ReportFormat } from './report/render/index.ts'
export type { Report, ReportRow } from './report/report.ts'
export type { EpisodeLine, RunHeader, RunStatus, Status, Usage } from './store/records.ts'
export type { RunReader } from './store/run-reader.ts'
export type { Store } from './store/store.ts'
export { UserError } from './base/errors.ts'
