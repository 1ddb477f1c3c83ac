/** Inspect AI logs: `.json`, and `.eval`, a zip with a header and one file per sample. */
import { z } from 'zod'
import { listZip, readZip } from '../../base/foreign/zip.ts'
import { STATUSES } from '../../store/records.ts'
import {
  asText,
  type ExportedRun,
  type ImportedRow,
  type ImportedRun,
  isSafeName,
  MAX_LABEL_LENGTH,
  MAX_ROWS,
  invalidLog,
  parseLog,
  statusOf,
} from './types.ts'

const messageSchema = z.looseObject({ role: z.string(), content: z.unknown().optional() })
const sampleSchema = z.looseObject({
  id: z.union([z.string(), z.number()]),
  epoch: z.number().int().min(0).optional(),
  input: z.union([z.string(), z.array(messageSchema)]).optional(),
  target: z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))]).nullish(),
  messages: z.array(messageSchema).nullish(),
  output: z
    .looseObject({
      completion: z.string().nullish(),
      choices: z.array(z.looseObject({ message: messageSchema })).nullish(),
    })
    .nullish(),
  scores: z.record(z.string(), z.looseObject({ value: z.unknown().optional() })).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  error: z.unknown().optional(),
  attachments: z.record(z.string(), z.string()).nullish(),
})
type Sample = z.infer<typeof sampleSchema>

const headerSchema = z.looseObject({
  version: z.number().optional(),
  eval: z.looseObject({
    task: z.string(),
    model: z.string(),
    task_args: z.record(z.string(), z.unknown()).nullish().catch(null),
    metadata: z.record(z.string(), z.unknown()).nullish().catch(null),
  }),
})

const exportedSchema = z.object({ suite: z.string(), suiteVersion: z.number(), profile: z.string() })

interface LogHeader {
  task: string
  model: string
  exported?: ExportedRun
}

/** Inspect's letters: correct, incorrect, partially correct, no answer. */
const LETTER_SCORES: Readonly<Record<string, number>> = { C: 1, I: 0, P: 0.5, N: 0 }

export function readInspectJson(text: string, where: string): ImportedRun {
  const log = parseLog(text, where)
  const header = readHeader(log, where)
  const samples = z.looseObject({ samples: z.array(z.unknown()).nullish() }).safeParse(log)
  const list = samples.success ? (samples.data.samples ?? []) : []
  if (list.length > MAX_ROWS)
    throw invalidLog(where, `the log has ${list.length} samples, more than the maximum of ${MAX_ROWS}`)
  return finish(
    header,
    list.map((sample, i) => readSample(sample, `${where}, sample ${i + 1}`)),
  )
}

export function readInspectEval(archive: Uint8Array, where: string): ImportedRun {
  const entries = listZip(archive, where)
  const notes: string[] = []
  const headerEntry =
    entries.find(({ name }) => name === 'header.json') ?? entries.find(({ name }) => name === '_journal/start.json')
  if (headerEntry === undefined) {
    throw invalidLog(
      where,
      'not an Inspect log: header.json is missing',
      'Pass a .eval or .json file written by Inspect.',
    )
  }
  if (headerEntry.name !== 'header.json') notes.push('The log is incomplete: header.json is missing.')
  const headerText = [...readZip(archive, [headerEntry], where)][0]?.[1] ?? ''
  const header = readHeader(parseLog(headerText, `${where}, ${headerEntry.name}`), where)
  const sampleEntries = entries.filter(({ name }) => /^samples\/[^/]+\.json$/.test(name))
  if (sampleEntries.length > MAX_ROWS) throw invalidLog(where, `the log has more than ${MAX_ROWS} samples`)
  const rows: ImportedRow[] = []
  for (const [name, text] of readZip(archive, sampleEntries, where)) {
    const place = `${where}, ${name}`
    rows.push(readSample(parseLog(text, place), place))
  }
  return finish(header, rows, notes)
}

function readHeader(log: unknown, where: string): LogHeader {
  const header = headerSchema.safeParse(log)
  if (!header.success) {
    throw invalidLog(
      where,
      'not an Inspect log: "eval" with a task and a model is missing',
      'Pass a .eval or .json file written by Inspect.',
    )
  }
  const { task, model, task_args: options, metadata } = header.data.eval
  const own = exportedSchema.safeParse(metadata?.['sightline'])
  return { task, model, ...(own.success && { exported: { ...own.data, options: options ?? {} } }) }
}

function finish(header: LogHeader, rows: ImportedRow[], notes: string[] = []): ImportedRun {
  if (rows.length === 0) notes.push('The log has no samples. Inspect omits them with log_samples=false.')
  return { tool: 'inspect', ...header, rows, notes }
}

function readSample(value: unknown, where: string): ImportedRow {
  const parsed = sampleSchema.safeParse(value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw invalidLog(where, `invalid ${issue?.path.join('.') || 'sample'} in an Inspect log: ${issue?.message ?? ''}`)
  }
  const sample = parsed.data
  const prediction = predictionOf(sample)
  const { target, input } = sample
  const own = sightlineMetadata(sample)
  return {
    sample: String(sample.id),
    epoch: sample.epoch ?? 1,
    prediction,
    ...(target === undefined || target === null
      ? {}
      : { target: Array.isArray(target) ? target.join('\n') : String(target) }),
    ...(own?.question !== undefined
      ? { question: own.question }
      : input === undefined
        ? {}
        : { question: questionOf(input, sample) }),
    ...(own && { cluster: own.cluster }),
    labels: own?.labels ?? labelsOf(sample.metadata ?? {}),
    scores: scoresOf(sample),
    status: own?.status ?? statusOf(prediction, sample.error !== undefined && sample.error !== null),
  }
}

const ownSchema = z.looseObject({
  labels: z.record(z.string(), z.string()),
  status: z.enum(STATUSES),
  cluster: z.string(),
  question: z.string().optional(),
})

/** Metadata written by our own export. */
function sightlineMetadata({ metadata }: Sample): z.infer<typeof ownSchema> | null {
  const own = ownSchema.safeParse(metadata?.['sightline'])
  return own.success ? own.data : null
}

function predictionOf(sample: Sample): string {
  const { output, messages } = sample
  const completion = resolve(output?.completion ?? '', sample)
  if (completion !== '') return completion
  const choice = output?.choices?.[0]?.message
  const last = choice ?? messages?.findLast(({ role }) => role === 'assistant')
  return last === undefined ? '' : contentText(last.content, sample)
}

function questionOf(input: NonNullable<Sample['input']>, sample: Sample): string {
  if (typeof input === 'string') return resolve(input, sample)
  return input
    .filter(({ role }) => role === 'user')
    .map(({ content }) => contentText(content, sample))
    .join('\n')
}

function contentText(content: unknown, sample: Sample): string {
  if (typeof content === 'string') return resolve(content, sample)
  if (!Array.isArray(content)) return ''
  return content
    .flatMap((part: unknown) => {
      const text = z.looseObject({ type: z.literal('text'), text: z.string() }).safeParse(part)
      return text.success ? [resolve(text.data.text, sample)] : []
    })
    .join('\n')
}

/** Inspect stores long texts once, as attachments, and references them. */
function resolve(text: string, { attachments }: Sample): string {
  const hash = /^attachment:\/\/(\w+)$/.exec(text)?.[1]
  return hash !== undefined && attachments && Object.hasOwn(attachments, hash) ? attachments[hash]! : text
}

function labelsOf(metadata: Readonly<Record<string, unknown>>): Record<string, string> {
  const labels: Record<string, string> = {}
  for (const [name, value] of Object.entries(metadata)) {
    const text = asText(value)
    if (text !== null && typeof value !== 'number' && text.length <= MAX_LABEL_LENGTH && isSafeName(name))
      labels[name] = text
  }
  return labels
}

function scoresOf({ scores }: Sample): Record<string, number> {
  const found: Record<string, number> = {}
  const addScore = (name: string, value: unknown): void => {
    const number = scoreNumber(value)
    if (number !== null && isSafeName(name)) found[name] = number
  }
  for (const [scorer, { value }] of Object.entries(scores ?? {})) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [name, part] of Object.entries(value))
        addScore(Object.hasOwn(found, name) ? `${scorer}.${name}` : name, part)
    } else addScore(scorer, value)
  }
  return found
}

function scoreNumber(value: unknown): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string') return null
  if (Object.hasOwn(LETTER_SCORES, value)) return LETTER_SCORES[value]!
  const number = Number(value)
  return value.trim() !== '' && Number.isFinite(number) ? number : null
}
