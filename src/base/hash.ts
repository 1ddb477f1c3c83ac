import { createHash, hash as hashAtOnce } from 'node:crypto'
import { openRegular } from './regular-file.ts'

/** SHA-256 in lowercase hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return hashAtOnce('sha256', data)
}

/** SHA-256 of a file, read in chunks. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  const file = await openRegular(path)
  for await (const chunk of file.createReadStream({ highWaterMark: 1 << 20 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/**
 * JSON with sorted keys and no spaces: equal values give equal bytes. `undefined` properties are omitted, as in JSON.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
}

/** SHA-256 of the canonical JSON of a value. */
export function hashOf(value: unknown): string {
  return sha256(canonicalJson(value))
}
