/** Anthropic's Message Batches: the requests are the body of the one that creates the batch. */
import { z } from 'zod'
import type { BatchRecord } from '../../store/batches.ts'
import {
  type BatchHttp,
  type BatchProtocol,
  cancelled,
  expired,
  failedWith,
  json,
  jsonIn,
  noResult,
  parseLine,
} from './batch-protocol.ts'

/** https://docs.claude.com/en/docs/build-with-claude/batch-processing: "100,000 Message requests or 256 MB in size". */
const MAX_REQUESTS = 100_000
const MAX_BYTES = 256_000_000
/** Clocks that differ by more are not ours. */
const CLOCK_SKEW_MS = 10 * 60_000

const count = z.number().nonnegative().catch(0)
const batchSchema = z.object({
  id: z.string(),
  processing_status: z.enum(['in_progress', 'canceling', 'ended']),
  created_at: z.string(),
  cancel_initiated_at: z.string().nullish(),
  request_counts: z.object({ processing: count, succeeded: count, errored: count, canceled: count, expired: count }),
})
const pageSchema = z.object({
  data: z.array(batchSchema),
  has_more: z.boolean().nullish(),
  last_id: z.string().nullish(),
})

const resultSchema = z.object({
  custom_id: z.string(),
  result: z.object({
    type: z.enum(['succeeded', 'errored', 'canceled', 'expired']),
    message: z.unknown().optional(),
    error: z.object({ error: z.object({ type: z.string(), message: z.string().nullish() }) }).optional(),
  }),
})

/** Of the documented types of errors. */
const STATUS: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}

export function anthropicBatches(http: BatchHttp): BatchProtocol {
  const root = `${http.baseUrl}/messages/batches`
  return {
    maxRequests: MAX_REQUESTS,
    // Less what is around the requests.
    maxBytes: MAX_BYTES - 1000,
    line: ({ key, json: params }) => `{"custom_id":"${key}","params":${params}}`,
    async submit(batch, signal) {
      const start = Buffer.from('{"requests":[')
      const end = Buffer.from(']}')
      const comma = Buffer.from(',')
      async function* body(): AsyncGenerator<Buffer> {
        let isFirst = true
        yield start
        for await (const line of batch.lines()) {
          if (!isFirst) yield comma
          isFirst = false
          yield* line.pieces()
        }
        yield end
      }
      const length = start.length + batch.bytes + batch.requests - 1 + end.length
      const headers = { 'content-type': 'application/json' }
      const reply = await http.request({ method: 'POST', url: root, headers, body: body(), length, signal })
      return { id: (await jsonIn(reply, batchSchema)).id, files: [] }
    },
    /** A batch has no name here. Those of its size are looked into when they have ended. */
    async find(record, signal) {
      const found: string[] = []
      for (let after = ''; ;) {
        const url = `${root}?limit=100${after}`
        const { data, has_more, last_id } = await json(http, pageSchema, { method: 'GET', url, signal })
        found.push(...data.filter((batch) => couldBe(batch, record)).map(({ id }) => id))
        const last = data.at(-1)
        const isOld = last !== undefined && Date.parse(last.created_at) < record.created - CLOCK_SKEW_MS
        if (!has_more || !last_id || isOld) return found
        after = `&after_id=${encodeURIComponent(last_id)}`
      }
    },
    async look(id, signal) {
      const batch = await json(http, batchSchema, { method: 'GET', url: `${root}/${encodeURIComponent(id)}`, signal })
      if (batch.processing_status !== 'ended') return { state: 'running' }
      return { state: 'ended', results: [batch.id], missing: batch.cancel_initiated_at ? cancelled() : noResult() }
    },
    results: async (id, signal) =>
      (await http.request({ method: 'GET', url: `${root}/${encodeURIComponent(id)}/results`, signal })).body,
    read(line) {
      const parsed = resultSchema.safeParse(parseLine(line))
      if (!parsed.success) return null
      const { custom_id: key, result } = parsed.data
      if (result.type === 'succeeded') return { key, reply: JSON.stringify(result.message) }
      if (result.type === 'expired') return { key, reply: expired() }
      if (result.type === 'canceled') return { key, reply: cancelled() }
      return { key, reply: failedWith(STATUS[result.error?.error.type ?? ''] ?? 500, result.error) }
    },
    // It holds no files, and its results are deleted after 29 days.
    remove: () => Promise.resolve(),
  }
}

function couldBe({ created_at, request_counts }: z.infer<typeof batchSchema>, record: BatchRecord): boolean {
  const total = Object.values(request_counts).reduce((sum, each) => sum + each, 0)
  return total === record.requests && Date.parse(created_at) >= record.created - CLOCK_SKEW_MS
}
