/** Audits a suite from a program; the command line uses it too. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Audited, auditSuite } from '../engine/audit/audit.ts'
import { BASELINE_PREFIX } from '../engine/players.ts'
import { parseSource } from '../engine/source.ts'
import type { AnySuite } from '../engine/suite.ts'
import type { Report } from '../report/report.ts'
import { finderOf, run, type RunOptions, type StoreOptions } from './run.ts'

/** The baseline that sees exactly what a model would see, and makes no mistake. */
const EYE = 'eye'

export interface AuditOptions
  extends
    Pick<StoreOptions, 'suites'>,
    Pick<RunOptions, 'options' | 'source' | 'profile' | 'limit' | 'sampleIds' | 'seed'> {
  /** Whether to play `baseline/eye` too, if the suite has one; a number: on so many samples at most. Default true. */
  ceiling?: boolean | number | undefined
  /** Called with what is being done. */
  onProgress?: ((text: string) => void) | undefined
}

/**
 * Measures what a suite's questions give away: the scores of a random pick, of the best constant answer and of a small
 * learner that reads only words, and the score of a perfect eye on the same samples.
 *
 * @example
 * const { rows } = await audit('vsi/explore', { limit: 500 })
 */
export async function audit(suite: string | AnySuite, options: AuditOptions = {}): Promise<Audited> {
  const found = typeof suite === 'string' ? (await finderOf(options).find(suite)).suite : suite
  const limit = options.limit === undefined ? undefined : String(options.limit)
  const audited = await auditSuite({ ...options, suite: found, limit })
  const eye = Object.hasOwn(found.baselines, EYE) ? found.baselines[EYE] : undefined
  if (eye === undefined || options.ceiling === false) return audited
  const reason = eye.cannotPlay?.[parseSource(audited.source).name]
  if (reason !== undefined) return { ...audited, notes: [...audited.notes, `No ceiling: ${reason}.`] }
  const { ceiling, limit: most = typeof ceiling === 'number' ? ceiling : undefined } = options
  const report = await eyeReport(suite, { ...options, limit: most })
  const ceilings = new Map(report.rows.map(({ key, value }) => [key, value]))
  const isPart = most !== options.limit && Number(most) < audited.samples
  return {
    ...audited,
    rows: audited.rows.map((row) => ({ ...row, ceiling: ceilings.get(row.key) ?? null })),
    notes: [...audited.notes, ...(isPart ? [`Ceiling: ${BASELINE_PREFIX}${EYE} on the first ${most} samples.`] : [])],
  }
}

/** The report of a perfect eye. Its run is not kept. */
async function eyeReport(suite: string | AnySuite, options: AuditOptions): Promise<Report> {
  const store = await mkdtemp(join(tmpdir(), 'sightline-audit-'))
  try {
    const { report } = await run(suite, {
      ...options,
      model: BASELINE_PREFIX + EYE,
      store,
      onProgress: (progress) => {
        const { finished, planned } = progress()
        options.onProgress?.(`Playing ${BASELINE_PREFIX}${EYE}: ${finished} of ${planned}`)
      },
    })
    return report
  } finally {
    await rm(store, { recursive: true, force: true })
  }
}
