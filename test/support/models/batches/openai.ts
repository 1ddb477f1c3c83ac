/** As https://platform.openai.com/docs/api-reference/batch and /files describe it. */
import { replyBody, dialectOf } from '../dialects.ts'
import { type Call, linesOf, ok, refused, type Routes, type ServedBatch, type BatchServer } from './server.ts'

const MAX_REQUESTS = 50_000
const MAX_BYTES = 200_000_000
const inputs = new WeakMap<ServedBatch, { input: string; endpoint: string; metadata: unknown; error: string | null }>()

export const openaiRoutes: Routes = (call, server) => {
  const { method, url } = call
  const path = url.pathname
  if (path === '/v1/files' && method === 'POST') return upload(call, server)
  const file = /^\/v1\/files\/(file-\d+)(\/content)?$/.exec(path)
  if (file && method === 'DELETE') {
    const deleted = server.files.delete(file[1]!)
    return deleted ? ok({ id: file[1], object: 'file', deleted }, 'deleted') : refused(404, 'No such File object')
  }
  if (file?.[2]) {
    const content = server.files.get(file[1]!)
    return content ? { status: 200, body: content.toString(), event: 'results' } : refused(404, 'No such File object')
  }
  if (path === '/v1/batches' && method === 'POST') return create(call, server)
  if (path === '/v1/batches') return list(url, server)
  const batch = /^\/v1\/batches\/(batch_\d+)$/.exec(path)
  if (batch) {
    const found = server.look(batch[1]!)
    return found ? ok(describe(found, server), 'looked') : refused(404, `No batch found with id '${batch[1]}'.`)
  }
  return undefined
}

function upload({ headers, body }: Call, server: BatchServer) {
  const boundary = /boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1]
  const text = body.toString('latin1')
  const parts = boundary === undefined ? [] : text.split(`--${boundary}`)
  const purpose = /name="purpose"\r\n\r\n(\w+)\r\n$/.exec(parts[1] ?? '')?.[1]
  const last = parts.at(-2) ?? ''
  const content = /name="file"; filename="[^"]+"\r\n(?:content-type: [^\r]+\r\n)?\r\n([^]*)\r\n$/.exec(last)?.[1]
  if (purpose !== 'batch' && purpose !== 'vision') return refused(400, `Invalid value for 'purpose'.`)
  if (content === undefined || parts.at(-1) !== '--\r\n') return refused(400, 'Missing file.')
  if (purpose === 'batch' && content.length > MAX_BYTES) return refused(400, 'The file is too large.')
  const id = server.id('file-')
  server.files.set(id, Buffer.from(content, 'latin1'))
  return ok({ id, object: 'file', bytes: content.length, purpose, status: 'processed' }, 'uploaded')
}

function create({ body }: Call, server: BatchServer) {
  const asked = JSON.parse(body.toString()) as Record<string, unknown>
  const file = server.files.get(String(asked['input_file_id']))
  if (!file || asked['completion_window'] !== '24h') return refused(400, 'Invalid batch.')
  const lines = linesOf(file)
  const keys = lines.map(({ value }) => String(value?.['custom_id']))
  const endpoint = String(asked['endpoint'])
  const isValid = lines.every(({ value }) => value?.['method'] === 'POST' && value['url'] === endpoint && value['body'])
  const refusal = server.refusal
  server.refusal = null
  const error =
    refusal ??
    (lines.length > MAX_REQUESTS ? 'too_many_tasks' : new Set(keys).size < keys.length ? 'duplicate_custom_id' : null)
  const batch = server.create(server.id('batch_'), null, keys)
  const input = String(asked['input_file_id'])
  inputs.set(batch, { input, endpoint, metadata: asked['metadata'], error: isValid ? error : 'invalid_json_line' })
  return ok(describe(batch, server), 'created')
}

function list(url: URL, server: BatchServer) {
  const limit = Number(url.searchParams.get('limit') ?? 20)
  const newest = server.batches.filter((batch) => inputs.has(batch)).reverse()
  const after = newest.findIndex(({ id }) => id === url.searchParams.get('after'))
  const data = newest.slice(after + 1, after + 1 + limit)
  const has_more = after + 1 + limit < newest.length
  return ok({ object: 'list', data: data.map((batch) => describe(batch, server)), has_more }, 'listed')
}

function describe(batch: ServedBatch, server: BatchServer) {
  const { input, endpoint, metadata, error } = inputs.get(batch)!
  const hasEnded = batch.endings !== null
  const status = error ? 'failed' : !hasEnded ? 'in_progress' : batch.hasExpired ? 'expired' : 'completed'
  return {
    id: batch.id,
    object: 'batch',
    endpoint,
    input_file_id: input,
    completion_window: '24h',
    status,
    output_file_id: hasEnded && !error ? fileOf(batch, server, 'output') : null,
    error_file_id: hasEnded && !error ? fileOf(batch, server, 'error') : null,
    errors: error ? { object: 'list', data: [{ code: error, message: error, line: null, param: null }] } : null,
    created_at: Math.floor(batch.created / 1000),
    request_counts: { total: batch.keys.length, completed: 0, failed: 0 },
    metadata: metadata ?? null,
  }
}

const written = new WeakMap<ServedBatch, Record<string, string>>()

function fileOf(batch: ServedBatch, server: BatchServer, kind: 'output' | 'error'): string | null {
  const files = written.get(batch) ?? {}
  written.set(batch, files)
  if (files[kind] !== undefined) return files[kind]
  const text = server.results(batch, kind === 'output' ? ['answered'] : ['failed', 'expired'], (key, ending) => ({
    id: `batch_req_${key.slice(0, 8)}`,
    custom_id: key,
    response:
      ending === 'answered'
        ? {
            status_code: 200,
            request_id: 'req_1',
            body: replyBody(dialectOf(inputs.get(batch)!.endpoint), { text: 'A' }),
          }
        : ending === 'failed'
          ? {
              status_code: 500,
              request_id: 'req_1',
              body: { error: { message: 'Internal error', type: 'server_error' } },
            }
          : null,
    error:
      ending === 'expired'
        ? { code: 'batch_expired', message: 'This request could not be executed before the completion window expired.' }
        : null,
  }))
  if (text === '') return null
  const id = server.id('file-')
  server.files.set(id, Buffer.from(text))
  files[kind] = id
  return id
}
