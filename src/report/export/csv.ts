/** One record per episode, for spreadsheets. */
import { csvLine } from '../csv.ts'
import { inSampleOrder } from '../report.ts'
import { transcriptOf } from './transcript.ts'
import type { ExportInput } from './types.ts'

const BEFORE = ['run', 'player', 'index', 'sample', 'epoch', 'cluster', 'status', 'error']
const AFTER = ['calls', 'input_tokens', 'output_tokens', 'reasoning_tokens', 'usd', 'ms', 'reply']

export async function* episodesCsv({ header, rows, eventsOf }: ExportInput): AsyncGenerator<string> {
  const labels = new Set<string>()
  const metrics = new Set<string>()
  for (const row of rows) {
    for (const label in row.labels) labels.add(label)
    for (const metric in row.scores) metrics.add(metric)
  }
  yield csvLine([
    ...BEFORE,
    ...Array.from(labels, (label) => `label.${label}`),
    ...Array.from(metrics, (metric) => `score.${metric}`),
    ...AFTER,
  ])
  for (const row of inSampleOrder(rows)) {
    const { replies } = transcriptOf(await eventsOf(row))
    const { calls, inputTokens, outputTokens, reasoningTokens, usd } = row.usage
    const before = [
      header.id,
      header.models['player'],
      row.index,
      row.sample,
      row.epoch,
      row.cluster,
      row.status,
      row.error,
    ]
    const after = [calls, inputTokens, outputTokens, reasoningTokens, usd, row.ms, replies.at(-1)]
    yield csvLine([
      ...before,
      ...Array.from(labels, (label) => row.labels[label]),
      ...Array.from(metrics, (metric) => row.scores[metric]),
      ...after,
    ])
  }
}
