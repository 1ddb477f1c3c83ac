/** lmms-eval's `…_samples_….jsonl`: one line per sample, with task-specific metric names. */
import { z } from 'zod'
import { STATUSES } from '../../store/records.ts'
import {
  asText,
  type ImportedRow,
  type ImportedRun,
  isSafeName,
  MAX_LABEL_LENGTH,
  MAX_ROWS,
  invalidLog,
  parseLog,
  statusOf,
} from './types.ts'

const lineSchema = z.looseObject({
  doc_id: z.union([z.number(), z.string()]),
  target: z.unknown().optional(),
  resps: z.unknown().optional(),
  filtered_resps: z.unknown().optional(),
  input: z.unknown().optional(),
  doc: z.record(z.string(), z.unknown()).nullish(),
})
type Line = z.infer<typeof lineSchema>

/** Fields that are not metrics. */
const NON_METRIC_FIELDS: ReadonlySet<string> = new Set(
  `doc_id doc target arguments resps filtered_resps input doc_hash prompt_hash target_hash
   filter metrics success schema_version token_counts`.split(/\s+/),
)
/** Strings in a metric's record that contain the question or the answer, so they are useless for grouping. */
const NON_LABEL_FIELDS: ReadonlySet<string> = new Set([
  'prediction',
  'pred',
  'ground_truth',
  'answer',
  'question',
  'id',
  'doc_id',
])

export function readLmmsEval(lines: Iterable<string>, where: string): ImportedRun {
  const rows: ImportedRow[] = []
  const notes = new Set<string>(['The log does not name the model and the task.'])
  const seen = new Map<string, number>()
  let number = 0
  for (const text of lines) {
    number++
    if (text.trim() === '') continue
    if (rows.length >= MAX_ROWS) throw invalidLog(where, `the log has more than ${MAX_ROWS} lines`)
    const { row, saysEpoch: hasEpoch } = readLine(text, `${where}, line ${number}`)
    if (!hasEpoch) {
      // A repeated document is another epoch, or another filter on the same reply.
      const key = row.sample
      const epoch = (seen.get(key) ?? 0) + 1
      seen.set(key, epoch)
      if (epoch > 1) notes.add('Some documents occur more than once; each occurrence is imported as an epoch.')
      row.epoch = epoch
    }
    rows.push(row)
  }
  return { tool: 'lmms-eval', task: null, model: null, rows, notes: [...notes] }
}

const ownSchema = z.looseObject({
  id: z.string(),
  epoch: z.number().int().min(0),
  labels: z.record(z.string(), z.string()),
  status: z.enum(STATUSES),
})

function readLine(text: string, where: string): { row: ImportedRow; saysEpoch: boolean } {
  const parsed = lineSchema.safeParse(parseLog(text, where))
  if (!parsed.success) {
    throw invalidLog(
      where,
      'not an lmms-eval sample: "doc_id" is missing',
      'Pass the file with "samples" in its name; lmms-eval writes it with --log_samples.',
    )
  }
  const line = parsed.data
  const own = ownSchema.safeParse(line.doc)
  const prediction = predictionOf(line)
  const target = asText(line.target)
  const question = firstText(line.input)
  const { scores, labels } = metricsOf(line)
  const row: ImportedRow = {
    sample: own.success ? own.data.id : String(line.doc_id),
    epoch: own.success ? own.data.epoch : 1,
    prediction,
    ...(target === null ? {} : { target }),
    ...(question === null ? {} : { question }),
    labels: own.success ? own.data.labels : labels,
    scores,
    status: own.success ? own.data.status : statusOf(prediction, line['success'] === false),
  }
  return { row, saysEpoch: own.success }
}

/** Prefers the raw reply: a filtered one may have lost what another extractor needs. */
function predictionOf({ resps, filtered_resps: filtered }: Line): string {
  return firstText(resps) ?? firstText(filtered) ?? ''
}

/** Versions differ in how deeply they nest a text in lists. */
function firstText(value: unknown): string | null {
  let inner = value
  for (let depth = 0; depth < 4 && Array.isArray(inner); depth++) inner = inner[0]
  return asText(inner)
}

function metricsOf(line: Line): { scores: Record<string, number>; labels: Record<string, string> } {
  const scores: Record<string, number> = {}
  const labels: Record<string, string> = {}
  const addValue = (name: string, value: unknown): void => {
    if (!isSafeName(name)) return
    if (typeof value === 'boolean') scores[name] = value ? 1 : 0
    else if (typeof value === 'number' && Number.isFinite(value)) scores[name] = value
    else if (typeof value === 'string' && value.length <= MAX_LABEL_LENGTH && !NON_LABEL_FIELDS.has(name))
      labels[name] = value
  }
  for (const [name, value] of Object.entries(line)) {
    if (NON_METRIC_FIELDS.has(name)) continue
    // Many tasks pass a record to their aggregation: its numbers are scores, its short strings are labels.
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [inner, part] of Object.entries(value)) if (!NON_LABEL_FIELDS.has(inner)) addValue(inner, part)
    } else if (typeof value !== 'string') addValue(name, value)
  }
  return { scores, labels }
}
