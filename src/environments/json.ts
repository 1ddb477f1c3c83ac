/**
 * JSON of replies. A suite may show all pictures of an episode in every request, and as data URLs they are megabytes: each
 * is made into bytes once, and its bytes are put where it stands.
 */
import { randomUUID } from 'node:crypto'

/** An address in a reply, with its JSON. */
const encoded = new WeakMap<object, Buffer>()
/** Servers that show no data URLs need not look for them. */
let isUsed = false
/** Stands for a data URL. No client has seen it, so none can write it. */
const MARK = randomUUID()

/** A data URL whose JSON is made once. Use the same object wherever it is shown. */
export function dataUrl(bytes: Uint8Array, type: string): { url: string } {
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
  const address = { url: `data:${type};base64,${base64}` }
  encoded.set(address, Buffer.from(JSON.stringify(address)))
  isUsed = true
  return address
}

export function jsonOf(body: object): string | Buffer {
  if (!isUsed) return JSON.stringify(body)
  const found: Buffer[] = []
  const text = JSON.stringify(body, (_, value: unknown) => {
    const bytes = typeof value === 'object' && value !== null ? encoded.get(value) : undefined
    if (bytes === undefined) return value
    found.push(bytes)
    return MARK
  })
  if (found.length === 0) return text
  const between = text.split(`"${MARK}"`)
  return Buffer.concat(between.flatMap((part, i) => [Buffer.from(part), ...found.slice(i, i + 1)]))
}
