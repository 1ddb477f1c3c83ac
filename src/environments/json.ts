/**
 * JSON of replies. A suite may show all pictures of an episode in every request, and as data URLs they are megabytes: each
 * is made into bytes once, which are sent where it stands.
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
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const start = `data:${type};base64,`
  const address = {
    get url() {
      return start + data.toString('base64')
    },
  }
  // Base64 has nothing that JSON escapes.
  const json = JSON.stringify({ url: start }).replace(/"}$/, () => `${data.toString('base64')}"}`)
  encoded.set(address, Buffer.from(json, 'latin1'))
  isUsed = true
  return address
}

/** JSON in one piece, or around pictures that are as they were: together they would be megabytes, once more in each reply. */
export function jsonOf(body: object): readonly [string] | readonly Buffer[] {
  if (!isUsed) return [JSON.stringify(body)]
  const found: Buffer[] = []
  const text = JSON.stringify(body, (_, value: unknown) => {
    const bytes = typeof value === 'object' && value !== null ? encoded.get(value) : undefined
    if (bytes === undefined) return value
    found.push(bytes)
    return MARK
  })
  if (found.length === 0) return [text]
  const between = text.split(`"${MARK}"`)
  return between.flatMap((part, i) => [Buffer.from(part), ...found.slice(i, i + 1)])
}
