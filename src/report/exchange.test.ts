/** Export to and import from other tools. */
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { Random } from '../base/random.ts'
import type { EpisodeLine } from '../store/records.ts'
import { exampleHeader, exampleLine, exampleSuite } from '../../test/support/report.ts'
import { type ExportFormat, exportedFiles } from './export/index.ts'
import type { ExportInput } from './export/types.ts'
import { importBytes, importFile } from './import/index.ts'
import { buildReport } from './report.ts'

const ROWS = [
  exampleLine(0, { epoch: 1, cluster: 'room-1', scores: { score: 1, steps: 3 } }),
  exampleLine(1, { epoch: 1, cluster: 'room-1', labels: { type: 'distance' }, scores: { score: 0.25 } }),
  exampleLine(2, { epoch: 1, cluster: 'room-2', status: 'model_error', error: 'no reply: "429", twice', scores: {} }),
]
const image = { sha256: 'ab'.repeat(32), type: 'image/png', bytes: 10, width: 4, height: 4 }
const usage = { calls: 1, inputTokens: 1, outputTokens: 1, reasoningTokens: 0, cachedInputTokens: 0, usd: null }

/** Two turns, the second resending the first; a judge in between; a suite-specific event. */
function eventsOf(line: EpisodeLine): unknown[] {
  const question = {
    type: 'message',
    id: 0,
    role: 'user',
    content: [
      { type: 'text', text: `Where is it, "${line.sample}"?\nAnswer, please.` },
      { type: 'media', media: image },
    ],
  }
  if (line.status === 'model_error') {
    return [question, { type: 'ask', ordinal: 0, role: 'player', messages: [0], sampling: {} }]
  }
  const reply = (ordinal: number, text: string, more = {}) => ({
    type: 'reply',
    ordinal,
    text,
    finish: 'stop',
    usage,
    ms: 5,
    cached: false,
    ...more,
  })
  return [
    { type: 'message', id: 9, role: 'system', content: 'Be brief.' },
    question,
    { type: 'ask', ordinal: 0, role: 'player', messages: [9, 0], sampling: { temperature: 0 }, key: 'k' },
    reply(0, 'Let me look.', { reasoning: 'hm' }),
    { type: 'move', turn: 90 },
    { type: 'message', id: 2, role: 'user', content: 'Judge this.' },
    { type: 'ask', ordinal: 1, role: 'judge', messages: [2], sampling: {} },
    reply(1, 'fine'),
    { type: 'message', id: 3, role: 'assistant', content: 'Let me look.' },
    { type: 'message', id: 4, role: 'user', content: 'Well?' },
    { type: 'ask', ordinal: 2, role: 'player', messages: [9, 0, 3, 4], sampling: { temperature: 0 } },
    reply(2, `=left of ${line.sample}, "surely"\n`, { finish: 'length' }),
    { type: 'outcome', status: 'answered', outcome: { answer: 'left' } },
  ]
}

const header = exampleHeader({
  id: 'run-1',
  models: { player: 'openai/gpt-5.2', judge: 'x/judge' },
  planned: 3,
  limit: '3',
})
const input = {
  header,
  rows: ROWS,
  report: buildReport({ header, rows: ROWS, suite: exampleSuite }),
  eventsOf: (line: EpisodeLine) => Promise.resolve(eventsOf(line)),
  describe: (events: readonly unknown[]) => ({
    question: 'Where is it?',
    answer: 'left',
    choices: ['left', 'right'],
    ...(JSON.stringify(events).includes('case-0') && { truth: 'left' }),
  }),
  success: 'score',
  exported: new Date('2026-01-02T00:00:00Z'),
}

async function exported(format: ExportFormat, from: ExportInput = input): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const { name, chunks } of exportedFiles(from, format)) {
    files[name] = ''
    for await (const chunk of chunks) files[name] += chunk
  }
  return files
}

describe('export to Inspect', () => {
  it('writes a version 2 log with the complete conversation', async () => {
    const log = JSON.parse((await exported('inspect'))['run-1.json']!)
    expect(Object.keys(log)).toEqual(['version', 'status', 'eval', 'plan', 'results', 'stats', 'samples'])
    expect(log).toMatchObject({
      version: 2,
      status: 'success',
      eval: {
        task: 'example/rooms',
        model: 'openai/gpt-5.2',
        model_roles: { judge: { model: 'x/judge' } },
        created: '2026-01-01T00:00:00.000Z',
        dataset: { samples: 3, sample_ids: ['case-0', 'case-1', 'case-2'] },
        config: { epochs: 1, limit: 3 },
      },
      results: { total_samples: 3, completed_samples: 3 },
      stats: { model_usage: { 'openai/gpt-5.2': { input_tokens: 300, output_tokens: 30, total_tokens: 330 } } },
    })
    expect(log.results.scores[0].metrics.direction).toMatchObject({ name: 'direction', value: 0.5 })
    const [first, , failed] = log.samples
    expect(first).toMatchObject({
      id: 'case-0',
      epoch: 1,
      target: 'left',
      scores: { score: { value: 1 }, steps: { value: 3 } },
    })
    expect(first.messages.map(({ role }: { role: string }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'assistant',
    ])
    expect(first.messages[1].content[1]).toEqual({ type: 'image', image: `sha256:${image.sha256}`, detail: 'auto' })
    expect(first.messages[2].content).toEqual([
      { type: 'reasoning', reasoning: 'hm' },
      { type: 'text', text: 'Let me look.' },
    ])
    expect(first.input).toHaveLength(2)
    expect(first.output).toMatchObject({
      completion: '=left of case-0, "surely"\n',
      choices: [{ stop_reason: 'max_tokens' }],
    })
    expect(failed.error.message).toBe('no reply: "429", twice')
    expect(failed.output.choices).toEqual([])
  })

  it('reads the events of one episode at a time', async () => {
    let open = 0
    let peak = 0
    const slow = async (line: EpisodeLine): Promise<unknown[]> => {
      peak = Math.max(peak, ++open)
      await Promise.resolve()
      open--
      return eventsOf(line)
    }
    for (const { chunks } of exportedFiles({ ...input, eventsOf: slow }, 'inspect'))
      for await (const chunk of chunks) expect(chunk).toBeTruthy()
    expect(peak).toBe(1)
  })
})

/** The rules of the published JSON schemas that an export can break. */
const text = z.string()
const details = z.record(text, text)
const everyEvalEver = z.strictObject({
  schema_version: z.literal('0.3.0'),
  evaluation_id: text,
  evaluation_timestamp: text.regex(/^\d+$/),
  retrieved_timestamp: text.regex(/^\d+$/),
  source_metadata: z.object({
    source_name: text,
    source_type: z.enum(['documentation', 'evaluation_run']),
    source_organization_name: text,
    evaluator_relationship: z.enum(['first_party', 'third_party', 'collaborative', 'other']),
  }),
  eval_library: z.object({ name: text, version: text, additional_details: details }),
  model_info: z.object({
    name: text,
    id: text,
    inference_platform: text.optional(),
    additional_details: z.object({ deployment_type: z.literal('unknown'), model_availability: z.literal('unknown') }),
  }),
  evaluation_results: z.array(
    z.object({
      evaluation_result_id: text,
      evaluation_name: text,
      source_data: z.union([
        z.object({ dataset_name: text, source_type: z.literal('other'), additional_details: details }),
        z.object({ dataset_name: text, source_type: z.literal('hf_dataset'), hf_repo: text, samples_number: z.int() }),
      ]),
      metric_config: z.strictObject({
        metric_id: text,
        metric_name: text,
        metric_unit: text.optional(),
        lower_is_better: z.boolean(),
      }),
      score_details: z.object({
        score: z.number(),
        uncertainty: z.object({
          confidence_interval: z.object({ lower: z.number(), upper: z.number() }).optional(),
          num_samples: z.int(),
        }),
      }),
      generation_config: z.object({ additional_details: details }),
    }),
  ),
  detailed_evaluation_results: z.object({
    format: z.literal('jsonl'),
    file_path: text.regex(
      /^data\/[^/]+\/[^/]+\/[^/]+\/[\dA-F]{8}-[\dA-F]{4}-4[\dA-F]{3}-[89AB][\dA-F]{3}-[\dA-F]{12}_samples\.jsonl$/i,
    ),
    hash_algorithm: z.literal('sha256'),
    total_rows: z.int(),
  }),
})
const instanceFields = {
  schema_version: z.literal('0.3.0'),
  evaluation_id: text,
  model_id: text,
  evaluation_name: text,
  evaluation_result_id: text,
  sample_id: text,
  sample_hash: text,
  input: z.object({ raw: text, reference: z.array(text), choices: z.array(text).optional() }),
  answer_attribution: z.array(
    z.object({
      turn_idx: z.int(),
      source: text,
      extracted_value: text,
      extraction_method: text,
      is_terminal: z.boolean(),
    }),
  ),
  evaluation: z.object({ score: z.number(), is_correct: z.boolean(), num_turns: z.int().optional() }),
  token_usage: z.object({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() }),
  performance: z.object({ latency_ms: z.number() }),
  error: text.optional(),
  metadata: details,
}
const everyEvalEverInstance = z.union([
  z.strictObject({
    ...instanceFields,
    interaction_type: z.literal('single_turn'),
    output: z.object({ raw: z.array(text) }),
  }),
  z.strictObject({
    ...instanceFields,
    interaction_type: z.literal('multi_turn'),
    messages: z.array(z.object({ turn_idx: z.int(), role: text, content: text })),
  }),
])

describe('export to Every Eval Ever', () => {
  it('follows schema 0.3.0, with a line per episode', async () => {
    const files = await exported('every-eval-ever')
    const [name, samples] = Object.keys(files)
    const whole = everyEvalEver.parse(JSON.parse(files[name!]!))
    expect(name).toBe(samples!.replace('_samples.jsonl', '.json'))
    expect(name).toMatch(/^data\/example-rooms\/openai\/gpt-5\.2\//)
    expect(whole.detailed_evaluation_results).toMatchObject({ file_path: samples, total_rows: 3 })
    expect(whole.evaluation_results.map(({ evaluation_result_id: id }) => id)).toContain('example.rooms.overall')
    const lines = files[samples!]!.trimEnd()
      .split('\n')
      .map((line) => everyEvalEverInstance.parse(JSON.parse(line)))
    expect(lines).toMatchObject([
      { interaction_type: 'multi_turn', input: { reference: ['left'] }, evaluation: { score: 1, is_correct: true } },
      { input: { reference: [] }, evaluation: { score: 0.25, is_correct: false } },
      { interaction_type: 'single_turn', error: 'no reply: "429", twice', evaluation: { score: 0, is_correct: false } },
    ])
    for (const { evaluation_id: id, model_id: model } of lines)
      expect([id, model]).toEqual([whole.evaluation_id, whole.model_info.id])
  })

  it('names no folder outside of its own', () => {
    const hostile = { ...input, header: { ...header, models: { player: '../../etc/con' }, suite: '..' } }
    for (const { name } of exportedFiles(hostile, 'every-eval-ever'))
      expect(name).toMatch(/^data(\/(?!\.\.?\/)[\w.-]+){4}$/)
  })
})

describe('export to the Hugging Face Hub', () => {
  const played = { ...input, header: { ...header, source: 'folder:/data' }, dataset: 'owner/rooms', taskId: 'default' }

  it('writes the headline with its dataset and task', async () => {
    const [file] = exportedFiles(played, 'hf-eval-results')
    expect(file!.name).toBe('.eval_results/example-rooms.yaml')
    let yaml = ''
    for await (const chunk of file!.chunks) yaml += chunk
    expect(parseYaml(yaml)).toEqual([
      {
        dataset: { id: 'owner/rooms', task_id: 'default' },
        value: expect.closeTo(input.report.rows[0]!.value! * 100, 1),
        date: '2026-01-01',
        notes: expect.stringContaining('not the whole set'),
      },
    ])
  })

  it.each([
    ['generated samples', { ...played, header: { ...header, source: 'builtin:seed=7' } }],
    ['samples of no dataset', { ...input, taskId: 'default' }],
    ['no task', { ...input, header: played.header, dataset: 'owner/rooms' }],
  ])('refuses %s', (_, what) => {
    expect(() => exportedFiles(what, 'hf-eval-results')).toThrow(UserError)
  })
})

it('says in every format with room for it that a run has drawn only some of the samples', async () => {
  const { fingerprint: _, ...others } = header
  const drawn = exampleHeader({ ...others, limit: null, sample: 3, source: 'folder:/data' })
  const report = buildReport({ header: drawn, rows: ROWS, suite: exampleSuite })
  const from = { ...input, header: drawn, report, dataset: 'owner/rooms', taskId: 'default' }
  const text = async (format: ExportFormat): Promise<string> => Object.values(await exported(format, from))[0]!
  expect(parseYaml(await text('hf-eval-results'))[0].notes).toContain('not the whole set, drawn with --sample 3')
  expect(JSON.parse(await text('inspect')).eval.config).toMatchObject({ limit: 3, sample_shuffle: true })
  expect(JSON.parse(await text('lmms-eval')).config).toMatchObject({ limit: null, sample: 3 })
  const { evaluation_results: results } = JSON.parse(await text('every-eval-ever'))
  expect(results[0].source_data.additional_details.samples).toBe('3, not the whole set')
})

describe('round trip', () => {
  const expected = [
    {
      sample: 'case-0',
      epoch: 1,
      prediction: '=left of case-0, "surely"\n',
      target: 'left',
      labels: { type: 'direction' },
      scores: { score: 1, steps: 3 },
      status: 'answered',
    },
    { sample: 'case-1', epoch: 1, labels: { type: 'distance' }, scores: { score: 0.25 }, status: 'answered' },
    { sample: 'case-2', epoch: 1, prediction: '', labels: { type: 'direction' }, scores: {}, status: 'model_error' },
  ]

  it('Inspect, as JSON and as .eval', async () => {
    const text = (await exported('inspect'))['run-1.json']!
    const run = await importBytes(Buffer.from(text), 'inspect', 'run-1.json')
    expect(run).toMatchObject({ tool: 'inspect', task: 'example/rooms', model: 'openai/gpt-5.2', notes: [] })
    expect(run.rows).toMatchObject(expected)
    expect(run.rows[0]!.question).toBe('Where is it?')
    expect(run.rows.map(({ cluster }) => cluster)).toEqual(ROWS.map(({ cluster }) => cluster))
    expect(run.exported).toEqual({ suite: 'example/rooms', suiteVersion: 1, profile: 'fixed', options: {} })

    const { samples, ...rest } = JSON.parse(text)
    const files: Record<string, Uint8Array> = {
      'header.json': strToU8(JSON.stringify(rest)),
      'summaries.json': strToU8('[]'),
    }
    for (const sample of samples)
      files[`samples/${sample.id}_epoch_${sample.epoch}.json`] = strToU8(JSON.stringify(sample))
    expect(await importBytes(Buffer.from(zipSync(files)), 'inspect', 'run-1.eval')).toEqual(run)
  })

  it('lmms-eval', async () => {
    const files = await exported('lmms-eval')
    expect(Object.keys(files)).toEqual(['20260101_000000_results.json', '20260101_000000_samples_example_rooms.jsonl'])
    const results = JSON.parse(files['20260101_000000_results.json']!)
    expect(results.results.example_rooms).toMatchObject({ alias: 'example_rooms', 'direction,none': 0.5 })
    expect(results).toMatchObject({
      model_name: 'openai/gpt-5.2',
      'n-samples': { example_rooms: { original: 3, effective: 3 } },
    })
    const run = await importBytes(
      Buffer.from(files['20260101_000000_samples_example_rooms.jsonl']!),
      'lmms-eval',
      'samples.jsonl',
    )
    expect(run.rows).toMatchObject(expected)
  })

  it('CSV for spreadsheets, without formula injection', async () => {
    const csv = (await exported('csv'))['run-1.csv']!
    const [head, first] = csv.split('\r\n')
    expect(head).toBe(
      'run,player,index,sample,epoch,cluster,status,error,label.type,score.score,score.steps,calls,input_tokens,output_tokens,reasoning_tokens,usd,ms,reply',
    )
    expect(first).toBe(
      `run-1,openai/gpt-5.2,0,case-0,1,room-1,answered,,direction,1,3,1,100,10,0,0.001,5,"'=left of case-0, ""surely""\n"`,
    )
    expect(csv).toContain('"no reply: ""429"", twice"')
  })
})

describe('import', () => {
  const read = (text: string, format: 'inspect' | 'lmms-eval' | 'vlmevalkit') =>
    importBytes(Buffer.from(text), format, 'log')

  it('reads Inspect logs with letter scores, score records, attachments and NaN', async () => {
    const log = `{"version": 2, "status": "success", "eval": {"task": "vsi", "model": "m", "created": "x"}, "samples": [
      {"id": 7, "epoch": 2, "input": [{"role": "system", "content": "s"}, {"role": "user", "content": [{"type": "text", "text": "Q"}, {"type": "image", "image": "x"}]}],
       "target": ["A", "B"], "messages": [], "output": {"model": "m", "choices": [], "completion": "attachment://abc"}, "attachments": {"abc": "long"},
       "scores": {"match": {"value": "C"}, "judge": {"value": {"clear": 0.5, "odd": "P", "match": true}}, "broken": {"value": NaN}},
       "metadata": {"type": "route", "constructor": "x", "NaN, said": "NaN, again", "n": 3}},
      {"id": "x", "input": "Q2", "target": "", "messages": [{"role": "assistant", "content": [{"type": "reasoning", "reasoning": "r"}, {"type": "text", "text": "A"}]}], "scores": null},
      {"id": "y", "input": "Q3", "target": "", "error": {"message": "boom"}}]}`
    expect((await read(log, 'inspect')).rows).toEqual([
      {
        sample: '7',
        epoch: 2,
        prediction: 'long',
        target: 'A\nB',
        question: 'Q',
        labels: { type: 'route', 'NaN, said': 'NaN, again' },
        scores: { match: 1, clear: 0.5, odd: 0.5, 'judge.match': 1 },
        status: 'answered',
      },
      {
        sample: 'x',
        epoch: 1,
        prediction: 'A',
        target: '',
        question: 'Q2',
        labels: {},
        scores: {},
        status: 'answered',
      },
      {
        sample: 'y',
        epoch: 1,
        prediction: '',
        target: '',
        question: 'Q3',
        labels: {},
        scores: {},
        status: 'model_error',
      },
    ])
  })

  it('reads lmms-eval samples of all versions', async () => {
    const lines = [
      '{"doc_id": 0, "target": "A", "filtered_resps": ["<think>x</think>A"], "doc_hash": "h", "input": "Q", "vsibench_score": {"id": 5, "question_type": "route_planning", "prediction": "A", "ground_truth": "A", "accuracy": 1.0}}',
      '{"doc_id": 1, "target": "2", "resps": ["raw 2"], "filtered_resps": "2", "input": ["Q1", 3], "exact_match": false, "mra": NaN}',
      '',
      '{"doc_id": 1, "target": "2", "resps": [["raw 3"]], "filtered_resps": ["3"], "input": "Q1", "exact_match": 1}',
    ]
    const run = await read(lines.join('\n'), 'lmms-eval')
    expect(run.rows).toEqual([
      {
        sample: '0',
        epoch: 1,
        prediction: '<think>x</think>A',
        target: 'A',
        question: 'Q',
        labels: { question_type: 'route_planning' },
        scores: { accuracy: 1 },
        status: 'answered',
      },
      {
        sample: '1',
        epoch: 1,
        prediction: 'raw 2',
        target: '2',
        question: 'Q1',
        labels: {},
        scores: { exact_match: 0 },
        status: 'answered',
      },
      {
        sample: '1',
        epoch: 2,
        prediction: 'raw 3',
        target: '2',
        question: 'Q1',
        labels: {},
        scores: { exact_match: 1 },
        status: 'answered',
      },
    ])
    expect(run.notes).toContain('Some documents occur more than once; each occurrence is imported as an epoch.')
  })

  const vlmRows = [
    {
      sample: '1',
      epoch: 1,
      prediction: 'A, "or"\nB',
      target: 'A',
      question: 'Q',
      labels: { category: 'count' },
      scores: { hit: 1 },
      status: 'answered',
    },
    {
      sample: '2',
      epoch: 1,
      prediction: 'Failed to obtain answer via API.',
      target: 'B',
      question: 'Q',
      labels: { category: 'count' },
      scores: { hit: 0 },
      status: 'model_error',
    },
  ]
  const failed = 'Failed to obtain answer via API.'

  it.each([
    [
      'csv',
      `\uFEFFindex,question,A,answer,prediction,category,hit\r\n1,Q,x,A,"A, ""or""\nB",count,1\r\n2,Q,x,B,${failed},count,0\r\n`,
    ],
    [
      'tsv',
      `index\tquestion\tA\tanswer\tprediction\tcategory\thit\n1\tQ\tx\tA\t"A, ""or""\nB"\tcount\t1\n2\tQ\tx\tB\t${failed}\tcount\t0`,
    ],
    [
      'json',
      JSON.stringify([
        { index: 1, question: 'Q', A: 'x', answer: 'A', prediction: 'A, "or"\nB', category: 'count', hit: 1 },
        { index: 2, question: 'Q', answer: 'B', prediction: failed, category: 'count', hit: false },
      ]),
    ],
  ])('reads VLMEvalKit as %s', async (_, text) => {
    expect((await read(text, 'vlmevalkit')).rows).toEqual(vlmRows)
  })

  it('reads VLMEvalKit as an Excel sheet', async () => {
    const cells = [
      ['index', 'question', 'A', 'answer', 'prediction', 'category', 'hit'],
      ['1', 'Q', 'x', 'A', 'A, "or"\nB', 'count', '1'],
      ['2', 'Q', 'x', 'B', failed, 'count', '0'],
    ]
    const escape = (text: string): string =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
    const sheet = cells
      .map(
        (row, r) =>
          `<row r="${r + 1}">${row.map((text, c) => `<c r="${String.fromCharCode(65 + c)}${r + 1}" t="inlineStr"><is><t xml:space="preserve">${escape(text)}</t></is></c>`).join('')}</row>`,
      )
      .join('')
    const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
    const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    const xlsx = zipSync({
      'xl/workbook.xml': strToU8(
        `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': strToU8(
        `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      ),
      'xl/worksheets/sheet1.xml': strToU8(`<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`),
    })
    expect((await importBytes(Buffer.from(xlsx), 'vlmevalkit', 'log.xlsx')).rows).toEqual(vlmRows)
  })

  it('rejects invalid logs with the place and the reason', async () => {
    const header = '{"eval": {"task": "t", "model": "m"}'
    await expect(read('left', 'inspect')).rejects.toThrow('log: not valid JSON')
    await expect(read('{}', 'inspect')).rejects.toThrow('not an Inspect log')
    await expect(read(`${header}, "samples": [{"id": "a"}, {"epoch": 1}]}`, 'inspect')).rejects.toThrow(
      'log, sample 2: invalid id',
    )
    await expect(read('{"doc_id": 1}\n{"doc_id"', 'lmms-eval')).rejects.toThrow('log, line 2: not valid JSON')
    await expect(read('{"a": 1}', 'lmms-eval')).rejects.toThrow(
      'log, line 1: not an lmms-eval sample: "doc_id" is missing',
    )
    await expect(read('index,answer\n1,A', 'vlmevalkit')).rejects.toThrow(
      'column "prediction" is missing; found index, answer',
    )
    await expect(read('index,prediction\n,A', 'vlmevalkit')).rejects.toThrow('log, row 2: "index" or "id" is missing')
    await expect(read('', 'vlmevalkit')).rejects.toThrow('the table is empty')
    await expect(importFile('/nowhere/log.eval', 'inspect')).rejects.toThrow('File not found: /nowhere/log.eval')
    await expect(importFile('/dev/null', 'inspect')).rejects.toThrow('/dev/null is not a regular file.')
    await expect(importFile('/', 'inspect')).rejects.toThrow('/ is a folder, not a file.')
    const zip = zipSync({ 'a.json': strToU8('{}') })
    await expect(importBytes(Buffer.from(zip), 'inspect', 'x.eval')).rejects.toThrow('header.json is missing')
    await expect(importBytes(Buffer.from(zip.slice(0, 40)), 'inspect', 'x.eval')).rejects.toThrow(
      'not a valid zip archive',
    )
    await expect(importBytes(Buffer.from(zip), 'vlmevalkit', 'x.xlsx')).rejects.toThrow('not a readable Excel sheet')
  })

  it('names an unsupported compression method', async () => {
    const zip = Buffer.from(zipSync({ 'header.json': strToU8('{}'.repeat(100)) }))
    // The method is at byte 10 of the entry in the central directory.
    zip.writeUInt16LE(93, zip.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02])) + 10)
    await expect(importBytes(zip, 'inspect', 'x.eval')).rejects.toThrow('"header.json" is compressed with Zstandard')
  })

  it('rejects an archive that would unpack to too many bytes', async () => {
    const zip = Buffer.from(zipSync({ 'header.json': strToU8('{}'.repeat(100)) }))
    zip.writeUInt32LE(4_000_000_000, zip.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02])) + 24)
    await expect(importBytes(zip, 'inspect', 'x.eval')).rejects.toThrow('unpacks to 4000000000 bytes')
  })

  it('ignores names with a special meaning in JavaScript', async () => {
    const line =
      '{"doc_id": 1, "resps": ["A"], "__proto__": {"polluted": 1}, "constructor": 1, "record": {"__proto__": 2}}'
    const [row] = (await read(line, 'lmms-eval')).rows
    expect(row!.scores).toEqual({})
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    const table = await read('index,prediction,__proto__,constructor\n1,A,x,y', 'vlmevalkit')
    expect(table.rows[0]!.labels).toEqual({})
  })

  it('reads or rejects 900 damaged logs without crashing', async () => {
    const inspect = (await exported('inspect'))['run-1.json']!
    const { samples, ...rest } = JSON.parse(inspect)
    const archive = zipSync({
      'header.json': strToU8(JSON.stringify(rest)),
      'samples/a.json': strToU8(JSON.stringify(samples[0])),
    })
    const table = 'index,question,answer,prediction,category,hit\n1,Q,A,"A, ""or""\nB",count,1\n2,Q,B,C,count,NaN\n'
    const logs = [
      [Buffer.from(inspect), 'inspect'],
      [Buffer.from(archive), 'inspect'],
      [Buffer.from((await exported('lmms-eval'))['20260101_000000_samples_example_rooms.jsonl']!), 'lmms-eval'],
      [Buffer.from(table), 'vlmevalkit'],
      [Buffer.from(archive), 'vlmevalkit'],
    ] as const
    const random = new Random('damaged logs')
    const words = [
      '"',
      '\\',
      '{',
      '}',
      '[',
      ',',
      '\n',
      'null',
      'NaN',
      '-Infinity',
      '1e999',
      '\0',
      '"__proto__":',
      '\uFEFF',
    ]
    for (let i = 0; i < 900; i++) {
      const [bytes, format] = random.pick(logs)
      let damaged = Buffer.from(bytes)
      for (let edits = random.between(1, 4); edits > 0; edits--) {
        const at = random.int(damaged.length + 1)
        const from = Math.min(damaged.length, at + random.int(20))
        if (random.chance(0.3))
          damaged = Buffer.concat([damaged.subarray(0, at), Buffer.from(random.pick(words)), damaged.subarray(from)])
        else if (random.chance(0.2)) damaged = damaged.subarray(0, at)
        else if (damaged.length > 0) damaged[random.int(damaged.length)] = random.int(256)
      }
      try {
        const { rows } = await importBytes(damaged, format, 'damaged')
        for (const { scores } of rows) expect(Object.values(scores).every(Number.isFinite)).toBe(true)
      } catch (error) {
        if (!(error instanceof UserError))
          throw new Error(`${format}: ${JSON.stringify(damaged.toString('latin1'))}`, { cause: error })
      }
    }
  })

  it('rejects malformed text in linear time', async () => {
    // With quadratic time, this would take minutes.
    for (const unit of ['"\\', 'NaN"', '"', '{"a":', ',"', '\t"', ' '.repeat(50)]) {
      const text = `NaN${unit.repeat(Math.ceil(400_000 / unit.length))}`
      for (const format of ['inspect', 'lmms-eval', 'vlmevalkit'] as const)
        await expect(read(text, format)).rejects.toThrow(UserError)
    }
  })
})
