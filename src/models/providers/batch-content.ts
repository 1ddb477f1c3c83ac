/** The lines of a batch, media included, as they are sent or exported. */
import type { BatchFolder } from '../../store/batches.ts'
import type { MediaBody } from './media-body.ts'
import type { RequestBody } from './transport.ts'
import type { BatchContent, BatchProtocol } from './batch-protocol.ts'

export async function contentOf(
  folder: BatchFolder,
  protocol: Pick<BatchProtocol, 'line'>,
  media: MediaBody,
): Promise<BatchContent> {
  const { prefix, name } = folder.record
  let bytes = 0
  let requests = 0
  let url = ''
  for await (const request of folder.requests()) {
    url ||= request.url
    requests += 1
    bytes += media.fill(protocol.line(request), prefix).length
  }
  async function* lines(): AsyncGenerator<RequestBody> {
    for await (const request of folder.requests()) yield media.fill(protocol.line(request), prefix)
  }
  return { name, url, requests, bytes, lines }
}
