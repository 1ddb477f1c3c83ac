/** A form with one file, as file APIs take it. */
import { randomUUID } from 'node:crypto'

export interface Form {
  headers: Record<string, string>
  body: AsyncIterable<Buffer>
  length: number
}

export function formWith(
  fields: Readonly<Record<string, string>>,
  file: { name: string; type: string; length: number; content: () => AsyncIterable<Buffer> | Iterable<Buffer> },
): Form {
  const boundary = `sightline-${randomUUID()}`
  const part = (name: string, more = ''): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n`
  const texts = Object.entries(fields).map(([name, value]) => `${part(name)}\r\n${value}\r\n`)
  const start = Buffer.from(
    `${texts.join('')}${part('file', `; filename="${file.name}"`)}content-type: ${file.type}\r\n\r\n`,
  )
  const end = Buffer.from(`\r\n--${boundary}--\r\n`)
  async function* body(): AsyncGenerator<Buffer> {
    yield start
    yield* file.content()
    yield end
  }
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: body(),
    length: start.length + file.length + end.length,
  }
}
