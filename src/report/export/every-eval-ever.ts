/**
 * Every Eval Ever, schema 0.3.0: one JSON file with the scores of the run and one JSON line per episode, in the folders of
 * its datastore. Fields that Sightline does not know are left out; required ones are "unknown".
 */
import { isBaseline } from '../../base/baseline.ts'
import { sha256 } from '../../base/hash.ts'
import { counts, type EpisodeLine } from '../../store/records.ts'
import { failed } from '../denominator.ts'
import { inSampleOrder, isPart, type Report, type ReportRow } from '../report.ts'
import { textOf, type Transcript, transcriptOf } from './transcript.ts'
import type { Description, ExportedFile, ExportInput } from './types.ts'

const SCHEMA = '0.3.0'

/** How an episode is scored: the metric that defines success, and the result that is made of it. */
interface Scored {
  metric: string
  result: string
}

export function everyEvalEverFiles(input: ExportInput): ExportedFile[] {
  const { header, success } = input
  const model = modelOf(input)
  const folder = ['data', ...[header.suite, ...splitModel(model)].map(component)].join('/')
  const id = uuid(`${header.id} ${header.profile}`)
  const hasRow = input.report.rows.some(({ key }) => key === success)
  const result = resultId(input, hasRow && success !== null ? success : input.report.headline)
  const scored = success === null ? null : { metric: success, result }
  const lines = scored === null ? [] : inSampleOrder(input.rows).filter((line) => scoreOf(line, scored) !== null)
  const samples = `${folder}/${id}_samples.jsonl`
  const detailed =
    lines.length === 0
      ? {}
      : {
          detailed_evaluation_results: {
            format: 'jsonl',
            file_path: samples,
            hash_algorithm: 'sha256',
            total_rows: lines.length,
          },
        }
  return [
    { name: `${folder}/${id}.json`, chunks: aggregate(input, detailed) },
    ...(scored !== null && lines.length > 0 ? [{ name: samples, chunks: instances(input, lines, scored) }] : []),
  ]
}

async function* aggregate(input: ExportInput, detailed: object): AsyncGenerator<string> {
  const { header, report, exported } = input
  const model = modelOf(input)
  const file = {
    schema_version: SCHEMA,
    evaluation_id: evaluationId(input),
    evaluation_timestamp: seconds(new Date(header.created)),
    retrieved_timestamp: seconds(exported),
    source_metadata: {
      source_name: 'Sightline',
      source_type: 'evaluation_run',
      source_organization_name: 'unknown',
      evaluator_relationship: 'other',
    },
    eval_library: {
      name: 'sightline',
      version: header.versions['sightline'] ?? 'unknown',
      additional_details: {
        suite: header.suite,
        suite_version: String(header.suiteVersion),
        profile: header.profile,
        run: header.id,
        fingerprint: header.fingerprint.hash,
      },
    },
    model_info: {
      name: model,
      id: model,
      ...(isBaseline(model) ? {} : { inference_platform: splitModel(model)[0] }),
      additional_details: { deployment_type: 'unknown', model_availability: 'unknown' },
    },
    evaluation_results: report.rows.flatMap((row) => (row.value === null ? [] : [result(input, row, row.value)])),
    ...detailed,
  }
  yield `${JSON.stringify(file, null, 2)}\n`
}

function result(input: ExportInput, row: ReportRow, value: number): object {
  const { header, report } = input
  const { level, method, resamples } = report.intervals
  return {
    evaluation_result_id: resultId(input, row.key),
    evaluation_name: `${header.suite}: ${row.title}`,
    source_data: sourceData(input),
    metric_config: {
      metric_id: resultId(input, row.key),
      metric_name: row.title,
      ...(row.unit === 'percent' ? { metric_unit: 'proportion' } : {}),
      lower_is_better: row.better === 'lower',
    },
    score_details: {
      score: value,
      uncertainty: {
        ...(row.interval === null
          ? {}
          : {
              confidence_interval: {
                lower: row.interval[0],
                upper: row.interval[1],
                confidence_level: level,
                method,
              },
              num_bootstrap_samples: resamples,
            }),
        num_samples: Math.round(row.n),
      },
    },
    generation_config: generation(input),
  }
}

function sourceData({ header, report, dataset }: ExportInput): object {
  const details = {
    additional_details: {
      source: header.source,
      fingerprint: header.sourceFingerprint,
      ...(isPart(report) && { samples: `${report.samples}, not the whole set` }),
    },
  }
  if (dataset === undefined)
    return { dataset_name: `${header.suite} ${header.source}`, source_type: 'other', ...details }
  return {
    dataset_name: dataset,
    source_type: 'hf_dataset',
    hf_repo: dataset,
    samples_number: report.samples,
    ...details,
  }
}

/** The options that were given; defaults of a provider are not known. */
function generation({ header: { modelOptions, options } }: ExportInput): object {
  const given = (names: readonly string[]): number | undefined => {
    const value = names.map((name) => modelOptions[name]).find((each) => each !== undefined)
    const number = typeof value === 'string' ? Number(value) : value
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined
  }
  const [temperature, topP, topK] = [given(['temperature']), given(['top_p', 'topP']), given(['top_k', 'topK'])]
  const maxTokens = given(['max_tokens', 'maxTokens'])
  const hasLimit = maxTokens !== undefined && Number.isInteger(maxTokens) && maxTokens > 0
  return {
    generation_args: {
      ...(temperature === undefined ? {} : { temperature }),
      ...(topP === undefined ? {} : { top_p: topP }),
      ...(topK === undefined ? {} : { top_k: topK }),
      ...(hasLimit ? { max_tokens: maxTokens } : {}),
    },
    additional_details: Object.fromEntries(
      Object.entries(options).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
  }
}

async function* instances(input: ExportInput, lines: readonly EpisodeLine[], scored: Scored): AsyncGenerator<string> {
  for (const line of lines) {
    const events = await input.eventsOf(line)
    yield `${JSON.stringify(instance(input, line, scored, transcriptOf(events), input.describe(events)))}\n`
  }
}

function instance(
  input: ExportInput,
  line: EpisodeLine,
  scored: Scored,
  transcript: Transcript,
  description: Description,
): object {
  const score = scoreOf(line, scored)!
  const isSingle = transcript.replies.length <= 1
  const raw = description.question ?? ''
  const reference = description.truth == null ? [] : [String(description.truth)]
  const { inputTokens, outputTokens, reasoningTokens, cachedInputTokens } = line.usage
  return {
    schema_version: SCHEMA,
    evaluation_id: evaluationId(input),
    model_id: modelOf(input),
    evaluation_name: input.header.suite,
    evaluation_result_id: scored.result,
    sample_id: line.sample,
    sample_hash: sha256(raw + reference.join('')),
    interaction_type: isSingle ? 'single_turn' : 'multi_turn',
    input: { raw, reference, ...(description.choices ? { choices: description.choices } : {}) },
    ...conversation(transcript, isSingle),
    answer_attribution: attribution(transcript, description, isSingle),
    evaluation: {
      score,
      is_correct: score >= 1,
      ...(isSingle ? {} : { num_turns: transcript.replies.length }),
    },
    token_usage: {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
      input_tokens_cache_read: cachedInputTokens,
      reasoning_tokens: reasoningTokens,
    },
    performance: { latency_ms: line.ms },
    ...(line.error === undefined ? {} : { error: line.error }),
    metadata: { ...line.labels, cluster: line.cluster, epoch: String(line.epoch), status: line.status },
  }
}

function conversation({ turns, replies }: Transcript, isSingle: boolean): object {
  if (isSingle) {
    const reasoning = turns.flatMap(({ reply }) => reply?.reasoning ?? [])
    return { output: { raw: replies, ...(reasoning.length === 0 ? {} : { reasoning_trace: reasoning }) } }
  }
  const messages = turns.map(({ role, content, reply }, i) => ({
    turn_idx: i,
    role,
    content: textOf(content),
    ...(reply?.reasoning == null ? {} : { reasoning_trace: reply.reasoning }),
  }))
  return { messages }
}

function attribution({ turns }: Transcript, { answer }: Description, isSingle: boolean): object[] {
  if (answer === null || answer === undefined) return []
  const turn = isSingle ? 0 : turns.findLastIndex(({ reply }) => reply !== undefined)
  return [
    {
      turn_idx: turn,
      source: isSingle ? 'output.raw' : `messages[${turn}].content`,
      extracted_value: String(answer),
      extraction_method: 'custom',
      is_terminal: true,
    },
  ]
}

/** A failed episode scores 0; one that does not count, or has no such score, is left out. */
function scoreOf(line: EpisodeLine, { metric }: Scored): number | null {
  if (!counts(line.status)) return null
  return line.scores[metric] ?? (failed(line.status) ? 0 : null)
}

function modelOf({ header }: ExportInput): string {
  return header.models['player'] ?? 'unknown/unknown'
}

/** Developer and model. */
function splitModel(model: string): [string, string] {
  const at = model.indexOf('/')
  return at < 0 ? ['unknown', model] : [model.slice(0, at), model.slice(at + 1)]
}

function evaluationId(input: ExportInput): string {
  return `${input.header.suite}/${modelOf(input)}/${seconds(input.exported)}`
}

function resultId({ header }: { header: ExportInput['header'] }, key: Report['headline']): string {
  return `${header.suite.replaceAll('/', '.')}.${key}`
}

/** A portable name of a folder. */
function component(name: string): string {
  const portable = name.replaceAll(/[^\w.-]+/g, '-').replace(/^\.+|\.+$/g, '')
  return /^(?:|data|con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i.test(portable) ? `_${portable}` : portable
}

function seconds(date: Date): string {
  return String(Math.floor(date.getTime() / 1000))
}

/** The same run gets the same UUID (version 4 in form). */
function uuid(name: string): string {
  const hex = sha256(name)
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) % 4]!
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
