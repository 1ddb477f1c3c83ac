/** What a study has found: everybody's score, the mean over all, and how far people agree. */
import { UserError } from '../../base/errors.ts'
import { plural } from '../../base/plural.ts'
import { episodeDescriber } from '../../engine/describe.ts'
import type { AnySuite } from '../../engine/suite.ts'
import { agreementOfMany, type AgreementOfMany, agreementOfManyNote } from '../../report/agreement.ts'
import { tableRules } from '../../report/audit.ts'
import { csvLine } from '../../report/csv.ts'
import { successMetric } from '../../report/passes.ts'
import { buildReport, type Report } from '../../report/report.ts'
import { Table } from '../../report/table.ts'
import { counts, type EpisodeLine } from '../../store/records.ts'
import type { RunReader } from '../../store/run-reader.ts'
import type { Store } from '../../store/store.ts'
import { runsOfStudy, type Study } from './study.ts'

export interface ParticipantProgress {
  id: string
  assigned: number
  finished: number
}

export async function studyProgress(store: Store, study: Study): Promise<ParticipantProgress[]> {
  const runs = await runsOfStudy(store, study)
  return study.participants.map(({ id, samples }) => ({
    id,
    assigned: samples.length,
    finished: runs.get(id)?.finished ?? 0,
  }))
}

interface Played {
  id: string
  reader: RunReader
  lines: readonly EpisodeLine[]
}

async function played(store: Store, study: Study): Promise<Played[]> {
  const runs = await runsOfStudy(store, study)
  const found: Played[] = []
  for (const { id } of study.participants) {
    const run = runs.get(id)
    if (run === undefined) continue
    const reader = await store.openRunById(run.id)
    found.push({ id, reader, lines: await reader.episodes() })
  }
  if (found.every(({ lines }) => lines.length === 0))
    throw new UserError(`Nobody has finished a sample of "${study.name}" yet.`, {
      hint: `Serve it with \`sightline study serve ${study.name}\`.`,
    })
  return found
}

/**
 * The report of everybody, then one per participant. A sample that several people played is a sample with several epochs,
 * so clusters are resampled with all their answers. Progress and agreement are the first notes.
 */
export async function studyReports(store: Store, study: Study, suite: AnySuite): Promise<Report[]> {
  const people = await played(store, study)
  const { header } = people[0]!.reader
  const rows = people.flatMap(({ lines }, i) => lines.map((line) => ({ ...line, epoch: i + 1 })))
  const planned = study.participants.reduce((sum, { samples }) => sum + samples.length, 0)
  const player = `human/${study.name}`
  const everybody = { ...header, id: study.name, models: { player }, sampleIds: null, planned }
  const report = buildReport({ header: everybody, rows, suite })
  const agreement = agreementIn(people, suite)
  const progress = `${people.length} of ${plural(study.participants.length, 'participant')} played ${rows.length} of ${planned} assigned samples.`
  const notes = [progress, ...(agreement === null ? [] : [agreementOfManyNote(agreement)]), ...report.notes]
  return [
    { ...report, notes },
    ...people.map(({ reader, lines }) => buildReport({ header: reader.header, rows: lines, suite })),
  ]
}

function agreementIn(people: readonly Played[], suite: AnySuite): AgreementOfMany | null {
  const { header } = people[0]!.reader
  const table = new Table(
    people.flatMap(({ lines }) => lines),
    suite.metrics,
  )
  const summary = suite.summary(table, tableRules(header, suite.audits?.()).context)
  const metric = successMetric(summary, suite.metrics)
  if (metric === null) return null
  const scoresOf = ({ lines }: Played): ReadonlyMap<string, number> =>
    new Map(
      lines.flatMap(({ sample, status, scores }) =>
        counts(status) && scores[metric] !== undefined ? [[sample, scores[metric]] as const] : [],
      ),
    )
  return agreementOfMany(people.map(scoresOf))
}

/** A line per answer: participant, sample, labels, status, answer, ground truth, seconds and scores. No names, no times of day. */
export async function studyResults(store: Store, study: Study, suite: AnySuite): Promise<string> {
  const people = await played(store, study)
  const lines = people.flatMap(({ lines: own }) => own)
  const labels = [...new Set(lines.flatMap((line) => Object.keys(line.labels)))].sort()
  const metrics = [...new Set(lines.flatMap((line) => Object.keys(line.scores)))].sort()
  // A column name stands once: a label called `truth` is `label.truth`.
  const [before, after] = [
    ['participant', 'sample', 'cluster'],
    ['status', 'answer', 'truth', 'seconds'],
  ]
  const taken = new Set([...before, ...after])
  const labelled = labels.map((label) => (taken.has(label) ? `label.${label}` : label))
  const scored = metrics.map((metric) => (taken.has(metric) || labels.includes(metric) ? `score.${metric}` : metric))
  const written = [csvLine([...before, ...labelled, ...after, ...scored])]
  for (const { id, reader, lines: own } of people) {
    const describe = episodeDescriber(suite, reader.header)
    for (const line of own) {
      const { answer, truth } = describe(await reader.events(line).catch(() => []))
      written.push(
        csvLine([
          id,
          line.sample,
          line.cluster,
          ...labels.map((label) => line.labels[label]),
          line.status,
          answer,
          truth,
          Math.round(line.ms / 100) / 10,
          ...metrics.map((metric) => line.scores[metric]),
        ]),
      )
    }
  }
  return written.join('')
}
