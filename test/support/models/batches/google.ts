/** As https://ai.google.dev/api/batch-api and https://ai.google.dev/api/files describe it. */
import { replyBody } from '../dialects.ts'
import { type Call, linesOf, ok, type Answer, type Routes, type ServedBatch, type BatchServer } from './server.ts'

const MAX_BYTES = 2_000_000_000
const models = new WeakMap<ServedBatch, string>()
const outputs = new WeakMap<ServedBatch, string>()
const uploads = new Map<string, number>()

export const googleRoutes: Routes = (call, server) => {
  const { method, url, headers } = call
  const path = url.pathname
  if (!/^\/(upload\/|download\/)?v1beta\/(files|batches)|:batchGenerateContent$/.test(path)) return undefined
  if (!headers['x-goog-api-key']) return refused(403, 'PERMISSION_DENIED')
  if (path === '/upload/v1beta/files') return upload(call, server)
  const create = /^\/v1beta\/models\/([\w.-]+):batchGenerateContent$/.exec(path)
  if (create) return createBatch(call, server, create[1]!)
  const file = /^\/v1beta\/(files\/[\w-]+)$/.exec(path)
  if (file && method === 'DELETE') return server.files.delete(file[1]!) ? ok({}, 'deleted') : refused(404, 'NOT_FOUND')
  const download = /^\/download\/v1beta\/(files\/[\w-]+):download$/.exec(path)
  if (download) {
    const content = server.files.get(download[1]!)
    if (!content || url.searchParams.get('alt') !== 'media') return refused(404, 'NOT_FOUND')
    return { status: 200, body: content.toString(), event: 'results' }
  }
  if (path === '/v1beta/batches') {
    const size = Number(url.searchParams.get('pageSize') ?? 50)
    const from = Number(url.searchParams.get('pageToken') ?? 0)
    const newest = server.batches.filter((batch) => models.has(batch)).reverse()
    const operations = newest.slice(from, from + size).map((batch) => describe(batch, server))
    return ok({ operations, ...(from + size < newest.length && { nextPageToken: String(from + size) }) }, 'listed')
  }
  const one = /^\/v1beta\/(batches\/[\w-]+)$/.exec(path)
  const batch = one && server.look(one[1]!)
  return batch ? ok(describe(batch, server), 'looked') : refused(404, 'NOT_FOUND')
}

function refused(status: number, name: string): Answer {
  return { status, body: JSON.stringify({ error: { code: status, message: name, status: name } }) }
}

function upload({ url, headers, body }: Call, server: BatchServer): Answer {
  const session = url.searchParams.get('upload_id')
  if (session === null) {
    const length = Number(headers['x-goog-upload-header-content-length'])
    const isStart = headers['x-goog-upload-command'] === 'start' && headers['x-goog-upload-protocol'] === 'resumable'
    if (!isStart || !(length <= MAX_BYTES)) return refused(400, 'INVALID_ARGUMENT')
    const id = server.id('session')
    uploads.set(id, length)
    return { status: 200, headers: { 'x-goog-upload-url': `${url.origin}${url.pathname}?upload_id=${id}` }, body: '' }
  }
  const isEnd = headers['x-goog-upload-command'] === 'upload, finalize' && headers['x-goog-upload-offset'] === '0'
  if (!isEnd || uploads.get(session) !== body.length) return refused(400, 'INVALID_ARGUMENT')
  const name = server.id('files/f')
  server.files.set(name, body)
  const file = { name, uri: `${url.origin}/v1beta/${name}`, state: 'ACTIVE', sizeBytes: String(body.length) }
  return ok({ file }, 'uploaded')
}

function createBatch({ body }: Call, server: BatchServer, model: string): Answer {
  const { batch } = JSON.parse(body.toString()) as {
    batch: { displayName: string; inputConfig: { fileName: string } }
  }
  const file = server.files.get(batch.inputConfig.fileName)
  if (!file || !batch.displayName) return refused(400, 'INVALID_ARGUMENT')
  const lines = linesOf(file)
  if (!lines.every(({ value }) => value?.['key'] && value['request'])) return refused(400, 'INVALID_ARGUMENT')
  const keys = lines.map(({ value }) => String(value?.['key']))
  const created = server.create(server.id('batches/b'), batch.displayName, keys)
  models.set(created, model)
  return ok(describe(created, server), 'created')
}

function describe(batch: ServedBatch, server: BatchServer) {
  const state = !batch.endings ? 'RUNNING' : batch.hasExpired ? 'EXPIRED' : 'SUCCEEDED'
  const done = batch.endings !== null
  return {
    name: batch.id,
    metadata: {
      '@type': 'type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch',
      model: `models/${models.get(batch)}`,
      displayName: batch.name,
      createTime: new Date(batch.created).toISOString(),
      batchStats: { requestCount: String(batch.keys.length) },
      state: `BATCH_STATE_${state}`,
      name: batch.id,
    },
    ...(done && { done, response: { responsesFile: output(batch, server) } }),
  }
}

function output(batch: ServedBatch, server: BatchServer): string {
  const known = outputs.get(batch)
  if (known !== undefined) return known
  const text = server.results(batch, ['answered', 'failed'], (key, ending) =>
    ending === 'answered'
      ? { key, response: replyBody('google', { text: 'A' }) }
      : { key, error: { code: 13, message: 'Internal error', status: 'INTERNAL' } },
  )
  const name = server.id('files/batch-')
  server.files.set(name, Buffer.from(text))
  outputs.set(batch, name)
  return name
}
