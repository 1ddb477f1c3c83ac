import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** SHA-256 in lower-case hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

/** SHA-256 of a file, without having it in memory. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/**
 * JSON with sorted keys and no spaces: equal values give equal bytes, so a hash of it names a value.
 * `undefined` properties are left out, as in JSON itself.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
}

/** The name of a value: the SHA-256 of its canonical JSON. */
export function hashOf(value: unknown): string {
  return sha256(canonicalJson(value))
}
