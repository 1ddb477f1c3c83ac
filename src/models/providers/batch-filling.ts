/** A batch that is being filled, on disk. */
import { randomBytes } from 'node:crypto'
import type { BatchFiles, BatchSpool, SpooledRequest } from '../../store/batches.ts'
import type { BatchProtocol } from './batch-protocol.ts'

export class FillingBatch {
  readonly keys: string[] = []
  /** Resolves when there is a place for it. */
  readonly spool: Promise<BatchSpool>
  readonly #url: string
  #bytes = 0

  constructor(
    files: BatchFiles,
    url: string,
    about: { model: string; address: string; run: string | null; prefix: string },
  ) {
    this.#url = url
    const name = `sightline-${randomBytes(8).toString('hex')}`
    this.spool = files.create({ ...about, name, created: Date.now() })
  }

  /** Whether another request can go into the same batch. */
  hasRoom({ url }: SpooledRequest, bytes: number, { maxRequests, maxBytes }: BatchProtocol): boolean {
    const between = this.keys.length
    return this.keys.length < maxRequests && this.#bytes + between + bytes <= maxBytes && this.#url === url
  }

  /** @param bytes its size when it is sent */
  add(request: SpooledRequest, bytes: number, onError: (error: unknown) => void): void {
    this.keys.push(request.key)
    this.#bytes += bytes
    this.spool.then((opened) => opened.add(request), onError)
  }

  async discard(): Promise<void> {
    await (await this.spool.catch(() => null))?.discard()
  }
}
