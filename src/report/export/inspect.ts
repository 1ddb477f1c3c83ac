/**
 * Inspect AI's evaluation log, file format version 2, as JSON. Fields and their order follow `EvalLog` and `EvalSample`
 * of inspect_ai.log; `inspect view` and `read_eval_log` open it. Anything without an Inspect field goes into `metadata`.
 */
import type { EpisodeLine, RunHeader, Usage } from '../../store/records.ts'
import { inSampleOrder, type ReportRow } from '../report.ts'
import { type MessagePart, textOf, type Transcript, transcriptOf, type Turn } from './transcript.ts'
import type { ExportInput } from './types.ts'

/** `FinishReason` to Inspect's `StopReason`. */
const STOP_REASONS: Readonly<Record<string, string>> = {
  stop: 'stop',
  length: 'max_tokens',
  'content-filter': 'content_filter',
}

export async function* inspectLog(input: ExportInput): AsyncGenerator<string> {
  const rows = inSampleOrder(input.rows)
  yield `{\n"version": 2,\n"status": ${JSON.stringify(rows.length >= input.header.planned ? 'success' : 'cancelled')},\n`
  yield `"eval": ${JSON.stringify(evalSpec(input))},\n`
  yield `"plan": ${JSON.stringify({ name: 'plan', steps: [{ solver: input.header.suite, params: input.header.options }], config: {} })},\n`
  yield `"results": ${JSON.stringify(results(input))},\n`
  yield `"stats": ${JSON.stringify(stats(input))},\n`
  yield '"samples": ['
  for (const [i, line] of rows.entries()) {
    yield `${i === 0 ? '' : ','}\n${JSON.stringify(await sample(input, line))}`
  }
  yield '\n]\n}\n'
}

function evalSpec({ header, rows, report }: ExportInput): object {
  const { player, ...others } = header.models
  return {
    eval_id: header.id,
    run_id: header.id,
    created: header.created,
    task: header.suite,
    task_id: header.id,
    task_version: header.suiteVersion,
    task_args: header.options,
    dataset: {
      name: header.source,
      samples: new Set(rows.map((row) => row.sample)).size,
      sample_ids: [...new Set(inSampleOrder(rows).map((row) => row.sample))],
    },
    model: player ?? 'none/none',
    model_args: header.modelOptions,
    ...(Object.keys(others).length === 0
      ? {}
      : { model_roles: Object.fromEntries(Object.entries(others).map(([role, model]) => [role, { model }])) }),
    config: { epochs: header.epochs, ...limitOf(header), ...sampleIdsOf(header.sampleIds) },
    ...(header.git === null ? {} : { revision: { type: 'git', origin: '', commit: header.git } }),
    packages: header.versions,
    metadata: {
      sightline: {
        suite: header.suite,
        suiteVersion: header.suiteVersion,
        profile: header.profile,
        headline: report.headline,
        seed: header.seed,
        source: header.source,
        fingerprint: header.fingerprint,
      },
    },
  }
}

/** Inspect stores a limit as a number or a pair; drawn samples are the first ones after shuffling. */
function limitOf({ limit, sample: drawn }: RunHeader): { limit?: number | [number, number]; sample_shuffle?: true } {
  if (drawn !== undefined) return { limit: drawn, sample_shuffle: true }
  const match = /^(\d+)(?:-(\d+))?$/.exec(limit ?? '')
  if (match === null) return {}
  return { limit: match[2] === undefined ? Number(match[1]) : [Number(match[1]), Number(match[2])] }
}

function sampleIdsOf(ids: readonly string[] | null): { sample_id?: readonly string[] } {
  return ids === null ? {} : { sample_id: ids }
}

function results({ header, report }: ExportInput): object {
  // Readers take the first metric for the main one.
  const isHeadline = ({ key }: ReportRow): boolean => key === report.headline
  const ordered = [...report.rows.filter(isHeadline), ...report.rows.filter((row) => !isHeadline(row))]
  const metrics = ordered.flatMap((row) =>
    row.value === null
      ? []
      : [
          [
            row.key,
            {
              name: row.key,
              value: row.value,
              params: {},
              metadata: { title: row.title, n: row.n, interval: row.interval },
            },
          ],
        ],
  )
  return {
    total_samples: header.planned,
    completed_samples: report.counted,
    scores: [{ name: header.suite, scorer: header.profile, params: {}, metrics: Object.fromEntries(metrics) }],
  }
}

function stats({ header, report }: ExportInput): object {
  return {
    started_at: header.created,
    completed_at: '',
    model_usage: { [header.models['player'] ?? 'none/none']: modelUsage(report.usage) },
  }
}

function modelUsage(usage: Usage): object {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    input_tokens_cache_read: usage.cachedInputTokens,
    reasoning_tokens: usage.reasoningTokens,
    ...(usage.usd === null ? {} : { total_cost: usage.usd }),
  }
}

async function sample(input: ExportInput, line: EpisodeLine): Promise<object> {
  const events = await input.eventsOf(line)
  const transcript = transcriptOf(events)
  const { truth, choices, question } = input.describe(events)
  const model = input.header.models['player'] ?? 'none/none'
  const messages = transcript.turns.map((turn) => chatMessage(turn, model))
  const before = transcript.turns.findIndex(({ reply }) => reply !== undefined)
  const prompt = messages.slice(0, before < 0 ? messages.length : before)
  const usage = modelUsage(line.usage)
  return {
    id: line.sample,
    epoch: line.epoch,
    input: prompt.length === 1 && typeof prompt[0]!.content === 'string' ? prompt[0]!.content : prompt,
    ...(choices ? { choices } : {}),
    target: String(truth ?? ''),
    messages,
    output: output(transcript, messages, model, usage),
    scores: scoresOf(line, transcript),
    metadata: {
      ...line.labels,
      sightline: {
        index: line.index,
        cluster: line.cluster,
        labels: line.labels,
        status: line.status,
        ...(question === undefined ? {} : { question }),
        outcome: transcript.outcome,
        ...(transcript.problem === null ? {} : { problem: transcript.problem }),
      },
    },
    store: {},
    events: [],
    model_usage: { [model]: usage },
    total_time: line.ms / 1000,
    ...(line.status === 'model_error' || line.status === 'missing_asset'
      ? { error: { message: line.error ?? line.status, traceback: '', traceback_ansi: '' } }
      : {}),
    attachments: {},
  }
}

function scoresOf(line: EpisodeLine, { replies, problem }: Transcript): object {
  const explanation = line.error ?? problem
  return Object.fromEntries(
    Object.entries(line.scores).map(([metric, value]) => [
      metric,
      { value, answer: replies.at(-1) ?? null, ...(explanation === null ? {} : { explanation }) },
    ]),
  )
}

interface ChatMessage {
  role: string
  content: string | object[]
  source: 'input' | 'generate'
  model?: string
}

function output(transcript: Transcript, messages: readonly ChatMessage[], model: string, usage: object): object {
  const at = transcript.turns.findLastIndex(({ reply }) => reply !== undefined)
  if (at < 0) return { model, choices: [], completion: '', usage }
  const turn = transcript.turns[at]!
  return {
    model,
    choices: [{ message: messages[at], stop_reason: STOP_REASONS[turn.reply!.finish] ?? 'unknown' }],
    completion: textOf(turn.content),
    usage,
  }
}

function chatMessage({ role, content, reply }: Turn, model: string): ChatMessage {
  if (reply !== undefined) {
    const text = textOf(content)
    const parts = [
      { type: 'reasoning', reasoning: reply.reasoning },
      { type: 'text', text },
    ]
    return { role, content: reply.reasoning === null ? text : parts, source: 'generate', model }
  }
  return { role, content: typeof content === 'string' ? content : content.map(contentPart), source: 'input' }
}

function contentPart(part: MessagePart): object {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { media } = part
  const address = `sha256:${media.sha256}`
  if (media.type.startsWith('video/'))
    return { type: 'video', video: address, format: media.type === 'video/mp4' ? 'mp4' : 'mov' }
  if (media.type.startsWith('audio/'))
    return { type: 'audio', audio: address, format: media.type === 'audio/wav' ? 'wav' : 'mp3' }
  if (media.type.startsWith('image/')) return { type: 'image', image: address, detail: 'auto' }
  return { type: 'text', text: `[${media.type} ${address}]` }
}
