/** lmms-eval's `…_samples_….jsonl`: one line a sample, with whatever the task's metrics are called. */
import { z } from 'zod'
import { STATUSES } from '../../store/records.ts'
import {
  asText,
  type ImportedRow,
  type ImportedRun,
  isPlainName,
  MAX_LABEL,
  MAX_ROWS,
  notAsExpected,
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

/** Fields that are no metrics. */
const FIELDS: ReadonlySet<string> = new Set(
  `doc_id doc target arguments resps filtered_resps input doc_hash prompt_hash target_hash
   filter metrics success schema_version token_counts`.split(/\s+/),
)
/** Texts inside a metric's record that say what was asked or answered, and so group nothing. */
const NO_LABELS: ReadonlySet<string> = new Set([
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
  const notes = new Set<string>(['The samples do not say which model and task they are of.'])
  const seen = new Map<string, number>()
  let number = 0
  for (const text of lines) {
    number++
    if (text.trim() === '') continue
    if (rows.length >= MAX_ROWS) throw notAsExpected(where, `it has more than ${MAX_ROWS} lines`)
    const { row, saysEpoch } = readLine(text, `${where}, line ${number}`)
    if (!saysEpoch) {
      // The same document again is a repeat, or another filter over the same reply.
      const key = row.sample
      const epoch = (seen.get(key) ?? 0) + 1
      seen.set(key, epoch)
      if (epoch > 1) notes.add('Some documents occur more than once; each occurrence is taken as a repeat.')
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
    throw notAsExpected(
      where,
      'it has no "doc_id", so it is not a line of lmms-eval’s samples',
      'Give the file whose name has "samples" in it; run lmms-eval with --log_samples to get one.',
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

/** The raw reply where there is one: what was filtered has lost what another extractor may want. */
function predictionOf({ resps, filtered_resps: filtered }: Line): string {
  return firstText(resps) ?? firstText(filtered) ?? ''
}

/** Versions differ in how many lists they wrap a text in. */
function firstText(value: unknown): string | null {
  let inner = value
  for (let depth = 0; depth < 4 && Array.isArray(inner); depth++) inner = inner[0]
  return asText(inner)
}

function metricsOf(line: Line): { scores: Record<string, number>; labels: Record<string, string> } {
  const scores: Record<string, number> = {}
  const labels: Record<string, string> = {}
  const take = (name: string, value: unknown): void => {
    if (!isPlainName(name)) return
    if (typeof value === 'boolean') scores[name] = value ? 1 : 0
    else if (typeof value === 'number' && Number.isFinite(value)) scores[name] = value
    else if (typeof value === 'string' && value.length <= MAX_LABEL && !NO_LABELS.has(name)) labels[name] = value
  }
  for (const [name, value] of Object.entries(line)) {
    if (FIELDS.has(name)) continue
    // Many tasks hand a record to their aggregation: the numbers in it are scores, its short texts are groups.
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [inner, part] of Object.entries(value)) if (!NO_LABELS.has(inner)) take(inner, part)
    } else if (typeof value !== 'string') take(name, value)
  }
  return { scores, labels }
}
