/** Gemini's Batch API: an uploaded file of requests, a long-running operation, a file of results. */
import { z } from 'zod'
import { RequestError } from './failure.ts'
import {
  type BatchContent,
  type BatchHttp,
  type BatchProtocol,
  cancelled,
  expired,
  failedWith,
  json,
  jsonIn,
  noResult,
  parseLine,
  removeAll,
} from './batch-protocol.ts'
import { uploadToGoogle } from './google-upload.ts'

/** https://ai.google.dev/gemini-api/docs/rate-limits: "Input file size limit: 2GB". No number of requests is documented. */
const MAX_REQUESTS = 50_000
const MAX_BYTES = 2_000_000_000

const operationSchema = z.object({
  name: z.string(),
  done: z.boolean().nullish(),
  metadata: z
    .object({
      displayName: z.string().nullish(),
      state: z.string().nullish(),
      output: z.object({ responsesFile: z.string().nullish() }).nullish().catch(null),
    })
    .nullish(),
  response: z.object({ responsesFile: z.string().nullish() }).nullish().catch(null),
  error: z.object({ code: z.number().nullish(), message: z.string().nullish() }).nullish().catch(null),
})
const pageSchema = z.object({ operations: z.array(operationSchema).nullish(), nextPageToken: z.string().nullish() })

const resultSchema = z.object({
  key: z.string(),
  response: z.unknown().optional(),
  error: z
    .object({ code: z.number().nullish(), message: z.string().nullish(), status: z.string().nullish() })
    .nullish(),
})

/** Of the codes of google.rpc.Status; others are codes of HTTP. */
const STATUS: Readonly<Record<number, number>> = {
  1: 499,
  3: 400,
  4: 504,
  5: 404,
  7: 403,
  8: 429,
  9: 400,
  10: 409,
  11: 400,
  12: 501,
  14: 503,
  16: 401,
}

export function googleBatches(http: BatchHttp): BatchProtocol {
  return {
    maxRequests: MAX_REQUESTS,
    maxBytes: MAX_BYTES,
    line: ({ key, json: request }) => `{"key":"${key}","request":${request}}`,
    async submit(batch, signal) {
      const file = await upload(http, batch, signal)
      const url = batch.url.replace(/:generateContent.*$/, ':batchGenerateContent')
      const body = { batch: { displayName: batch.name, inputConfig: { fileName: file } } }
      const { name } = await json(http, operationSchema, { method: 'POST', url, body, signal })
      return { id: name, files: [file] }
    },
    async find({ name }, signal) {
      for (let token = ''; ;) {
        const url = `${http.baseUrl}/batches?pageSize=100${token}`
        const { operations, nextPageToken } = await json(http, pageSchema, { method: 'GET', url, signal })
        const found = (operations ?? []).filter(({ metadata }) => metadata?.displayName === name)
        if (found.length > 0 || !nextPageToken) return found.map((each) => each.name)
        token = `&pageToken=${encodeURIComponent(nextPageToken)}`
      }
    },
    async look(id, signal) {
      const url = `${http.baseUrl}/${checkName(id, 'batches')}`
      const { metadata, response, error, done } = await json(http, operationSchema, { method: 'GET', url, signal })
      const state = (metadata?.state ?? '').replace(/^(BATCH|JOB)_STATE_/, '')
      const file = response?.responsesFile ?? metadata?.output?.responsesFile
      const ended = (missing: RequestError) => ({ state: 'ended' as const, results: file ? [file] : [], missing })
      if (state === 'EXPIRED') return ended(expired())
      if (state === 'CANCELLED') return ended(cancelled())
      if (state === 'FAILED' || (done && error)) return ended(refused(error?.code, error?.message))
      // The file comes a moment after the state.
      return file && (done || state === 'SUCCEEDED') ? ended(noResult()) : { state: 'running' }
    },
    async results(file, signal) {
      const { origin, pathname } = new URL(http.baseUrl)
      const url = `${origin}/download${pathname}/${checkName(file, 'files')}:download?alt=media`
      return (await http.request({ method: 'GET', url, signal })).body
    },
    read(line) {
      const parsed = resultSchema.safeParse(parseLine(line))
      if (!parsed.success) return null
      const { key, response, error } = parsed.data
      if (!error && response !== undefined) return { key, reply: JSON.stringify(response) }
      const code = error?.code ?? 0
      return { key, reply: failedWith(STATUS[code] ?? (code >= 400 ? code : 500), { error }) }
    },
    remove: (files, signal) =>
      removeAll(
        http,
        files.map((file) => `${http.baseUrl}/${checkName(file, 'files')}`),
        signal,
      ),
  }
}

/** A name of theirs is a part of a URL. */
function checkName(name: string, kind: string): string {
  if (/^[a-z]+\/[\w-]+$/.test(name) && name.startsWith(`${kind}/`)) return name
  throw new RequestError({
    kind: 'bad-reply',
    retry: false,
    message: `unexpected name of ${kind}: ${name.slice(0, 80)}`,
  })
}

function refused(code: number | null | undefined, message: string | null | undefined): RequestError {
  const isFull = code === 8 || code === 429
  return new RequestError({
    kind: isFull ? 'rate-limit' : 'bad-request',
    retry: isFull,
    fatal: !isFull,
    overload: isFull,
    message: `the batch failed: ${message ?? 'no reason given'}`,
  })
}

const fileSchema = z.object({ file: z.object({ name: z.string() }) })

async function upload(http: BatchHttp, batch: BatchContent, signal: AbortSignal): Promise<string> {
  const newline = Buffer.from('\n')
  async function* body(): AsyncGenerator<Buffer> {
    for await (const line of batch.lines()) {
      yield* line.pieces()
      yield newline
    }
  }
  const content = { body: body(), length: batch.bytes + batch.requests }
  const reply = await uploadToGoogle(http, { name: batch.name, type: 'application/jsonl', ...content }, signal)
  return (await jsonIn(reply, fileSchema)).file.name
}
