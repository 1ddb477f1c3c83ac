/** VLMEvalKit result tables: one row per sample with `index`, `question`, `answer`, `prediction` and dataset columns. */
import { z } from 'zod'
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

/** VLMEvalKit writes this instead of an answer when its API calls failed. */
const API_FAILURE = 'Failed to obtain answer via API.'

const SCORE_NAME = /^(?:hit|match|correct|acc|accuracy|.*score.*|mra.*|iou|f1|bleu.*)$/i
const NON_LABEL_NAME =
  /^(?:index|id|.*_id|question|answer|prediction|hint|image|image_path|video|[A-Z]|res|log|extract.*|options?|candidates)$/i

/** Reads a table; the first record contains the column names. */
export function readVlmEvalKitTable(records: Iterable<readonly unknown[]>, where: string): ImportedRun {
  const rows: ImportedRow[] = []
  let columns: string[] | null = null
  let number = 0
  for (const record of records) {
    number++
    if (columns === null) {
      columns = record.map((name) => (asText(name) ?? '').trim())
      if (!columns.includes('prediction')) throw missingPrediction(where, columns)
      continue
    }
    if (record.every((cell) => cell === null || cell === '')) continue
    const named = new Map(columns.map((name, i) => [name, record[i] ?? null]))
    rows.push(readRow(named, `${where}, row ${number}`))
    if (rows.length > MAX_ROWS) throw invalidLog(where, `the table has more than ${MAX_ROWS} rows`)
  }
  if (columns === null) throw invalidLog(where, 'the table is empty')
  return finish(rows)
}

export function readVlmEvalKitJson(text: string, where: string): ImportedRun {
  const list = z.array(z.record(z.string(), z.unknown())).safeParse(parseLog(text, where))
  if (!list.success) throw invalidLog(where, 'not a list of records')
  if (list.data.length > MAX_ROWS) throw invalidLog(where, `the list has more than ${MAX_ROWS} records`)
  return finish(
    list.data.map((record, i) => {
      if (!Object.hasOwn(record, 'prediction'))
        throw missingPrediction(`${where}, record ${i + 1}`, Object.keys(record))
      return readRow(new Map(Object.entries(record)), `${where}, record ${i + 1}`)
    }),
  )
}

function missingPrediction(where: string, columns: readonly string[]): Error {
  const found = columns.slice(0, 12).join(', ')
  return invalidLog(
    where,
    `column "prediction" is missing; found ${found}`,
    "Pass the file with the model's answers, not the one with the accuracies.",
  )
}

function finish(rows: ImportedRow[]): ImportedRun {
  return {
    tool: 'vlmevalkit',
    task: null,
    model: null,
    rows,
    notes: ['The table does not name the model and the dataset.'],
  }
}

function readRow(record: ReadonlyMap<string, unknown>, where: string): ImportedRow {
  const id = asText(record.get('index') ?? record.get('id') ?? null)
  if (id === null || id === '') throw invalidLog(where, '"index" or "id" is missing')
  const prediction = asText(record.get('prediction')) ?? ''
  const labels: Record<string, string> = {}
  const scores: Record<string, number> = {}
  for (const [name, value] of record) {
    if (!isSafeName(name)) continue
    const text = asText(value)
    if (text === null || text === '') continue
    const number = typeof value === 'boolean' ? Number(value) : Number(text)
    if (SCORE_NAME.test(name)) {
      if (Number.isFinite(number)) scores[name] = number
    } else if (!NON_LABEL_NAME.test(name) && text.length <= MAX_LABEL_LENGTH) labels[name] = text
  }
  const target = asText(record.get('answer'))
  const question = asText(record.get('question'))
  return {
    sample: id,
    epoch: 1,
    prediction,
    ...(target === null ? {} : { target }),
    ...(question === null ? {} : { question }),
    labels,
    scores,
    status: statusOf(prediction, prediction.trim() === API_FAILURE),
  }
}
