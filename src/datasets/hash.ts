/** Content hashes as publishers state them, with the kind in front: `sha256:…`, `git:…` (a blob), `crc32:…` (zip). */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

export interface RunningHash {
  update(chunk: Uint8Array): void
  /** With its kind. */
  digest(): string
}

/** @param like a hash whose kind is wanted; @param bytes the size of the file, which is part of a git hash */
export function startHash(like: string, bytes: number): RunningHash {
  const kind = like.slice(0, like.indexOf(':'))
  if (kind === 'crc32') {
    let sum = 0
    return {
      update: (chunk) => {
        sum = crc32(chunk, sum)
      },
      digest: () => crcHash(sum),
    }
  }
  const hash = createHash(kind === 'git' ? 'sha1' : 'sha256')
  if (kind === 'git') hash.update(`blob ${bytes}\0`)
  return { update: (chunk) => void hash.update(chunk), digest: () => `${kind}:${hash.digest('hex')}` }
}

export function crcHash(sum: number): string {
  return `crc32:${(sum >>> 0).toString(16).padStart(8, '0')}`
}

/** The hash of a file, of the kind of another one. */
export async function hashFile(path: string, like: string): Promise<string> {
  const hash = startHash(like, (await stat(path)).size)
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Uint8Array)
  return hash.digest()
}
