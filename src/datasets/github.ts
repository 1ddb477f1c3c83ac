/** GitHub's zip archive of a commit. */
import { createWriteStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { messageOf, UserError } from '../base/errors.ts'
import type { GithubCommit } from './dataset.ts'

/** The archives that suites name have at most a tenth of it. */
const MAX_BYTES = 4_000_000_000

/** The server states no size and continues nothing: an interrupted download starts again. */
export async function downloadCommit(
  { github, commit }: GithubCommit,
  file: string,
  { url, signal, onBytes }: { url: string; signal: AbortSignal; onBytes: (bytes: number) => void },
): Promise<void> {
  const address = `${url}/${github}/zip/${commit}`
  try {
    const response = await fetch(address, { signal })
    if (!response.ok || response.body === null)
      throw new UserError(`${address} answers with ${response.status} ${response.statusText}.`)
    let bytes = 0
    const count = new Transform({
      transform(chunk: Buffer, _, done) {
        bytes += chunk.length
        onBytes(bytes)
        if (bytes > MAX_BYTES) done(new UserError(`${address} does not end after ${MAX_BYTES} bytes.`))
        else done(null, chunk)
      },
    })
    await pipeline(Readable.fromWeb(response.body), count, createWriteStream(file), { signal })
  } catch (error) {
    if (error instanceof UserError || signal.aborted) throw error
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw new UserError(`${address} cannot be downloaded: ${messageOf(reason)}.`, {
      hint: `Check the connection, or clone https://github.com/${github} on another machine.`,
      cause: error,
    })
  }
}
