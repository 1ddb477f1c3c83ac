/** OpenAI's Batch API: a file of requests, a batch of it, a file of results and one of errors. */
import { z } from 'zod'
import { isObject } from '../../base/json-object.ts'
import { RequestError } from './failure.ts'
import { formWith } from './multipart.ts'
import {
  type BatchContent,
  type BatchHttp,
  type BatchProtocol,
  type BatchResult,
  cancelled,
  expired,
  failedWith,
  json,
  jsonIn,
  noResult,
  parseLine,
  removeAll,
} from './batch-protocol.ts'

/** https://platform.openai.com/docs/api-reference/batch/create: "up to 50,000 requests, and can be up to 200 MB". */
const MAX_REQUESTS = 50_000
const MAX_BYTES = 200_000_000

const STATES = ['validating', 'failed', 'in_progress', 'finalizing', 'completed', 'expired', 'cancelling', 'cancelled']
const batchSchema = z.object({
  id: z.string(),
  status: z.enum(STATES),
  input_file_id: z.string().nullish(),
  output_file_id: z.string().nullish(),
  error_file_id: z.string().nullish(),
  errors: z
    .object({ data: z.array(z.object({ code: z.string().nullish(), message: z.string().nullish() })).nullish() })
    .nullish()
    .catch(null),
  metadata: z.record(z.string(), z.string()).nullish().catch(null),
})

const pageSchema = z.object({ data: z.array(batchSchema), has_more: z.boolean().nullish() })
const fileSchema = z.object({ id: z.string() })

const resultSchema = z.object({
  custom_id: z.string(),
  response: z.object({ status_code: z.number(), body: z.unknown().optional() }).nullish(),
  /** `vllm run-batch` writes a text, or what its server would answer. */
  error: z.unknown().optional(),
})

/** Where a batch carries its name. */
const NAME = 'sightline'

export function openaiBatches(http: BatchHttp): BatchProtocol {
  const at = (path: string): string => `${http.baseUrl}${path}`
  return {
    maxRequests: MAX_REQUESTS,
    maxBytes: MAX_BYTES,
    line: ({ key, url, json: body }) => openaiLine(key, `/v1${url.slice(http.baseUrl.length)}`, body),
    async submit(batch, signal) {
      const { id: file } = await upload(http, batch, signal)
      const body = {
        input_file_id: file,
        endpoint: `/v1${batch.url.slice(http.baseUrl.length)}`,
        completion_window: '24h',
        metadata: { [NAME]: batch.name },
      }
      const { id } = await json(http, batchSchema, { method: 'POST', url: at('/batches'), body, signal })
      return { id, files: [file] }
    },
    async find({ name }, signal) {
      const found: string[] = []
      for (let after = ''; ;) {
        const url = at(`/batches?limit=100${after}`)
        const { data, has_more } = await json(http, pageSchema, { method: 'GET', url, signal })
        found.push(...data.filter(({ metadata }) => metadata?.[NAME] === name).map(({ id }) => id))
        const last = data.at(-1)
        if (found.length > 0 || !has_more || !last) return found
        after = `&after=${encodeURIComponent(last.id)}`
      }
    },
    async look(id, signal) {
      const batch = await json(http, batchSchema, {
        method: 'GET',
        url: at(`/batches/${encodeURIComponent(id)}`),
        signal,
      })
      const results = [batch.output_file_id, batch.error_file_id].filter((file) => typeof file === 'string')
      const ended = (missing: RequestError) => ({ state: 'ended' as const, results, missing })
      if (batch.status === 'completed') return ended(noResult())
      if (batch.status === 'expired') return ended(expired())
      if (batch.status === 'cancelled') return ended(cancelled())
      if (batch.status === 'failed') return ended(refused(batch.errors?.data?.[0]))
      return { state: 'running' }
    },
    results: async (file, signal) =>
      (await http.request({ method: 'GET', url: at(`/files/${encodeURIComponent(file)}/content`), signal })).body,
    read: readOpenaiResult,
    remove: (files, signal) =>
      removeAll(
        http,
        files.map((file) => at(`/files/${encodeURIComponent(file)}`)),
        signal,
      ),
  }
}

/** As `vllm run-batch` and others read it. */
export function openaiLine(key: string, path: string, body: string): string {
  return `{"custom_id":"${key}","method":"POST","url":"${path}","body":${body}}`
}

export function readOpenaiResult(line: string): BatchResult | null {
  const parsed = resultSchema.safeParse(parseLine(line))
  if (!parsed.success) return null
  const { custom_id: key, response, error } = parsed.data
  if (response && response.status_code >= 200 && response.status_code < 300) {
    return { key, reply: JSON.stringify(response.body ?? null) }
  }
  if (response) return { key, reply: failedWith(response.status_code, response.body ?? { error }) }
  const code = isObject(error) ? error['code'] : null
  if (code === 'batch_expired') return { key, reply: expired() }
  if (code === 'batch_cancelled') return { key, reply: cancelled() }
  return { key, reply: failedWith(500, { error: error ?? 'no response' }) }
}

/** The whole file was refused, before anything was answered. */
function refused(
  error: { code?: string | null | undefined; message?: string | null | undefined } | undefined,
): RequestError {
  const message = `the batch was refused: ${error?.message ?? 'no reason given'}`
  // The queue of the account is full, until its other batches are done.
  const isFull = error?.code === 'token_limit_exceeded'
  return new RequestError({
    kind: isFull ? 'rate-limit' : 'bad-request',
    retry: isFull,
    fatal: !isFull,
    overload: isFull,
    message,
  })
}

async function upload(http: BatchHttp, batch: BatchContent, signal: AbortSignal): Promise<{ id: string }> {
  const newline = Buffer.from('\n')
  async function* content(): AsyncGenerator<Buffer> {
    for await (const line of batch.lines()) {
      yield* line.pieces()
      yield newline
    }
  }
  const file = { name: `${batch.name}.jsonl`, type: 'application/jsonl', length: batch.bytes + batch.requests, content }
  const form = formWith({ purpose: 'batch' }, file)
  return jsonIn(await http.request({ method: 'POST', url: `${http.baseUrl}/files`, ...form, signal }), fileSchema)
}
