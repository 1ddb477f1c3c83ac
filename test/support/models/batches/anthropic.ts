/** As https://docs.claude.com/en/api/creating-message-batches and the pages next to it describe it. */
import { replyBody } from '../dialects.ts'
import { type Call, ok, type Answer, type Routes, type ServedBatch, type BatchServer } from './server.ts'

const MAX_REQUESTS = 100_000
const MAX_BYTES = 256_000_000
const ours = new WeakSet<ServedBatch>()

export const anthropicRoutes: Routes = (call, server) => {
  const { method, url, headers } = call
  if (/^\/v1\/files\b/.test(url.pathname) && headers['anthropic-beta']?.includes('files-api-2025-04-14')) {
    if (method !== 'DELETE') return uploaded(call, server)
    return server.files.delete(url.pathname.split('/').at(-1)!) ? ok({}, 'deleted') : refused(404, 'not_found_error')
  }
  const match = /^\/v1\/messages\/batches(?:\/(msgbatch_\d+)(\/results)?)?$/.exec(url.pathname)
  if (!match) return undefined
  if (!headers['x-api-key'] || headers['anthropic-version'] !== '2023-06-01')
    return refused(401, 'authentication_error')
  const [, id, results] = match
  if (id === undefined) return method === 'POST' ? create(call, server) : list(url, server)
  const batch = results ? server.batches.find((each) => each.id === id) : server.look(id)
  if (!batch) return refused(404, 'not_found_error')
  if (!results) return ok(describe(batch, url), 'looked')
  if (!batch.endings) return refused(404, 'not_found_error')
  const text = server.results(batch, ['answered', 'failed', 'expired'], (key, ending) => ({
    custom_id: key,
    result:
      ending === 'answered'
        ? { type: 'succeeded', message: replyBody('anthropic', { text: 'A' }) }
        : ending === 'expired'
          ? { type: 'expired' }
          : { type: 'errored', error: { type: 'error', error: { type: 'api_error', message: 'Internal error' } } },
  }))
  return { status: 200, body: text, event: 'results' }
}

function refused(status: number, type: string): Answer {
  return { status, body: JSON.stringify({ type: 'error', error: { type, message: type } }) }
}

function uploaded({ headers, body }: Call, server: BatchServer): Answer {
  if (!headers['content-type']?.startsWith('multipart/form-data')) return refused(400, 'invalid_request_error')
  const id = server.id('file_')
  server.files.set(id, body)
  return ok({ id, type: 'file', filename: 'picture.png', mime_type: 'image/png', size_bytes: body.length }, 'uploaded')
}

function create({ body }: Call, server: BatchServer): Answer {
  if (body.length > MAX_BYTES) return refused(413, 'request_too_large')
  const { requests } = JSON.parse(body.toString()) as { requests: { custom_id: string; params: { model: string } }[] }
  const keys = requests.map(({ custom_id }) => custom_id)
  const isValid =
    keys.length > 0 &&
    keys.length <= MAX_REQUESTS &&
    new Set(keys).size === keys.length &&
    keys.every((key) => /^[\w-]{1,64}$/.test(key)) &&
    requests.every(({ params }) => typeof params.model === 'string')
  if (!isValid) return refused(400, 'invalid_request_error')
  const batch = server.create(server.id('msgbatch_'), null, keys)
  ours.add(batch)
  return ok(describe(batch, null), 'created')
}

function list(url: URL, server: BatchServer): Answer {
  const limit = Number(url.searchParams.get('limit') ?? 20)
  const newest = server.batches.filter((batch) => ours.has(batch)).reverse()
  const after = newest.findIndex(({ id }) => id === url.searchParams.get('after_id'))
  const data = newest.slice(after + 1, after + 1 + limit)
  const page = { data: data.map((batch) => describe(batch, url)), has_more: after + 1 + limit < newest.length }
  return ok({ ...page, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }, 'listed')
}

function describe(batch: ServedBatch, url: URL | null) {
  const count = (ending: string): number =>
    [...(batch.endings?.values() ?? [])].filter((each) => each === ending).length
  return {
    id: batch.id,
    type: 'message_batch',
    processing_status: batch.endings ? 'ended' : 'in_progress',
    request_counts: {
      processing: batch.endings ? 0 : batch.keys.length,
      succeeded: count('answered'),
      errored: count('failed'),
      canceled: 0,
      expired: count('expired'),
    },
    ended_at: batch.endings ? new Date(batch.created).toISOString() : null,
    created_at: new Date(batch.created).toISOString(),
    expires_at: new Date(batch.created + 86_400_000).toISOString(),
    cancel_initiated_at: null,
    archived_at: null,
    results_url: batch.endings && url ? `${url.origin}/v1/messages/batches/${batch.id}/results` : null,
  }
}
