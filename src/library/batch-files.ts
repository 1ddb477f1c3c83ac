/** Requests for someone else to send, and the results they bring back: `vllm run-batch`, or a provider's own pages. */
import { UserError } from '../base/errors.ts'
import { contentOf } from '../models/providers/batch-content.ts'
import type { BatchProtocol } from '../models/providers/batch-protocol.ts'
import { batchProtocol } from '../models/providers/batching.ts'
import { MediaBody } from '../models/providers/media-body.ts'
import { parseModelSpec, PROVIDERS } from '../models/providers/providers.ts'
import type { ExportedFile } from '../report/export/types.ts'
import { type BatchFolder, linesOf } from '../store/batches.ts'
import type { Store } from '../store/store.ts'

/** The requests that a run waits for, a file for each batch, media included. */
export async function batchRequests(store: Store, run: string): Promise<ExportedFile[]> {
  const folders = (await store.batches.all()).filter(({ record }) => record.run === run && record.state === 'waiting')
  if (folders.length === 0) {
    throw new UserError(`Run ${run} has no requests for you to send.`, {
      hint: 'Start a run with --batch and a server without batches, or with -M batch=file.',
    })
  }
  const media = new MediaBody((ref) => store.media.read(ref))
  return folders.map((folder, i) => ({
    name: folders.length === 1 ? 'requests.jsonl' : `requests-${i + 1}.jsonl`,
    chunks: textOf(folder, media),
  }))
}

async function* textOf(folder: BatchFolder, media: MediaBody): AsyncGenerator<string> {
  const { lines } = await contentOf(folder, protocolOf(folder), media)
  for await (const line of lines()) {
    for await (const piece of line.pieces()) yield piece.toString('utf8')
    yield '\n'
  }
}

export interface BatchImport {
  /** Requests that have a reply now. */
  answered: number
  /** Requests with an error instead of a reply: they are asked again. */
  failed: number
  /** Lines that belong to no request. */
  unknown: number
  runs: string[]
}

/** Takes results of a batch that someone else has sent. `resume` finds them. */
export async function importBatchResults(store: Store, path: string): Promise<BatchImport> {
  const folders = (await store.batches.all()).filter(({ record }) => ['waiting', 'ended'].includes(record.state))
  const homes = new Map<string, BatchFolder>()
  for (const folder of folders) for (const key of await folder.keys()) homes.set(key, folder)
  const answered = new Set<string>()
  const failed = new Set<string>()
  const touched = new Set<BatchFolder>()
  let unknown = 0
  for await (const line of linesOf(path)) {
    const found = resultIn(line, homes)
    if (!found) unknown += 1
    else {
      touched.add(found.folder)
      if (found.isReply) answered.add(found.key)
      else failed.add(found.key)
    }
  }
  if (touched.size === 0) {
    throw new UserError(`${path} has no results of a batch of this store.`, {
      hint: 'Expected the output of `vllm run-batch`, or of a batch at OpenAI, Anthropic or Google, as JSON lines.',
    })
  }
  for (const folder of touched) {
    if (!(await folder.take())) {
      throw new UserError(`A process still uses the batch ${folder.record.name}.`, { hint: 'Stop that run first.' })
    }
    try {
      await folder.storeResults(merged(folder, path, homes))
      await folder.update({ state: 'ended' })
    } finally {
      await folder.release()
    }
  }
  const runs = [...new Set([...touched].flatMap(({ record }) => record.run ?? []))]
  for (const key of answered) failed.delete(key)
  return { answered: answered.size, failed: failed.size, unknown, runs }
}

/** What a batch has, and what is new for it. */
async function* merged(
  folder: BatchFolder,
  path: string,
  homes: ReadonlyMap<string, BatchFolder>,
): AsyncGenerator<Buffer> {
  for await (const line of folder.results()) yield Buffer.from(`${line}\n`)
  for await (const line of linesOf(path)) {
    if (resultIn(line, homes)?.folder === folder) yield Buffer.from(`${line}\n`)
  }
}

function resultIn(line: string, homes: ReadonlyMap<string, BatchFolder>) {
  for (const protocol of FORMATS) {
    const result = protocol.read(line)
    const folder = result && homes.get(result.key)
    if (folder) return { folder, key: result.key, isReply: typeof result.reply === 'string' }
  }
  return null
}

const NOWHERE = { baseUrl: '', request: () => Promise.reject(new Error('nothing is sent')) }
const FORMATS = (['openai', 'anthropic', 'google'] as const).map((family) => batchProtocol(family, NOWHERE)!)

function protocolOf({ record }: BatchFolder): BatchProtocol {
  const { provider } = parseModelSpec(record.model)
  const family = PROVIDERS.find(({ name }) => name === provider)?.family ?? 'compatible'
  return batchProtocol(family, { ...NOWHERE, baseUrl: record.address })!
}
