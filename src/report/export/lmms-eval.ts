/**
 * lmms-eval's two files: `<date>_results.json` and `<date>_samples_<task>.jsonl`. Lines have the fields of its
 * evaluation tracker; `doc` contains sample id, epoch and labels, for which lmms-eval has no fields.
 */
import { sha256 } from '../../base/hash.ts'
import type { EpisodeLine } from '../../store/records.ts'
import { inSampleOrder } from '../report.ts'
import { textOf, transcriptOf } from './transcript.ts'
import type { ExportedFile, ExportInput } from './types.ts'

export function lmmsEvalFiles(input: ExportInput): ExportedFile[] {
  const task = taskName(input.header.suite)
  const date = input.header.created
    .replace(/[:T-]/g, '')
    .replace(/\..*$/, '')
    .replace(/^(\d{8})/, '$1_')
  return [
    { name: `${date}_results.json`, chunks: results(input, task) },
    { name: `${date}_samples_${task}.jsonl`, chunks: samples(input) },
  ]
}

function taskName(suite: string): string {
  return suite.replace(/[^\w.-]+/g, '_')
}

async function* results({ header, report }: ExportInput, task: string): AsyncGenerator<string> {
  const scores: Record<string, unknown> = { alias: task }
  const better: Record<string, boolean> = {}
  for (const row of report.rows) {
    scores[`${row.key},none`] = row.value
    scores[`${row.key}_stderr,none`] = 'N/A'
    scores[`${row.key}_interval,none`] = row.interval
    better[row.key] = row.better === 'higher'
  }
  const player = header.models['player'] ?? 'none'
  const file = {
    results: { [task]: scores },
    configs: { [task]: { task, metadata: { version: header.suiteVersion, profile: header.profile } } },
    versions: { [task]: header.suiteVersion },
    'n-shot': { [task]: 0 },
    higher_is_better: { [task]: better },
    'n-samples': { [task]: { original: header.planned, effective: report.counted } },
    config: {
      model: player,
      model_args: header.modelOptions,
      limit: header.limit,
      ...(header.sample !== undefined && { sample: header.sample }),
      random_seed: header.seed,
    },
    git_hash: header.git,
    date: header.created,
    task_hashes: { [task]: header.fingerprint.hash },
    model_source: 'sightline',
    model_name: player,
    model_name_sanitized: player.replace(/[^\w.-]+/g, '__'),
  }
  yield `${JSON.stringify(file, null, 2)}\n`
}

async function* samples(input: ExportInput): AsyncGenerator<string> {
  for (const line of inSampleOrder(input.rows)) yield `${JSON.stringify(await sample(input, line))}\n`
}

async function sample(input: ExportInput, line: EpisodeLine): Promise<object> {
  const events = await input.eventsOf(line)
  const { turns, replies } = transcriptOf(events)
  const before = turns.findIndex(({ reply }) => reply !== undefined)
  const prompt = turns.slice(0, before < 0 ? turns.length : before)
  const reply = replies.at(-1) ?? ''
  return {
    doc_id: line.index,
    doc: { id: line.sample, epoch: line.epoch, cluster: line.cluster, labels: line.labels, status: line.status },
    target: String(input.describe(events).truth ?? ''),
    resps: [[reply]],
    filtered_resps: [reply],
    doc_hash: sha256(line.sample),
    input: prompt.map(({ content }) => textOf(content)).join('\n'),
    ...Object.fromEntries(Object.entries(line.scores).filter(([metric]) => !OWN_FIELDS.has(metric))),
  }
}

const OWN_FIELDS: ReadonlySet<string> = new Set([
  'doc_id',
  'doc',
  'target',
  'resps',
  'filtered_resps',
  'doc_hash',
  'input',
])
