/** AWS Signature Version 4: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html */
import { createHash, createHmac } from 'node:crypto'
import type { HttpCall } from './transport.ts'

export interface AwsCredentials {
  accessKeyId: string
  secretAccessKey: string
  /** Of temporary credentials. */
  sessionToken?: string | undefined
}

const ALGORITHM = 'AWS4-HMAC-SHA256'

/** The headers of a POST request with its signature. @param now milliseconds since 1970 */
export async function signature(
  { url, headers, body }: Pick<HttpCall, 'url' | 'headers' | 'body'>,
  { accessKeyId, secretAccessKey, sessionToken }: AwsCredentials,
  region: string,
  service: string,
  now: number,
): Promise<Record<string, string>> {
  const { host, pathname } = new URL(url)
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const day = time.slice(0, 8)
  const signed: Record<string, string> = {
    'content-type': headers['content-type'] ?? 'application/json',
    host,
    'x-amz-date': time,
    ...(sessionToken ? { 'x-amz-security-token': sessionToken } : {}),
  }
  const names = Object.keys(signed).sort()
  const content = createHash('sha256')
  for await (const piece of body.pieces()) content.update(piece)
  const request = [
    'POST',
    pathname.split('/').map(encoded).join('/'),
    '',
    ...names.map((name) => `${name}:${signed[name]!.trim()}`),
    '',
    names.join(';'),
    content.digest('hex'),
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = [ALGORITHM, time, scope, createHash('sha256').update(request).digest('hex')].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (previous, part) => createHmac('sha256', previous).update(part).digest(),
    `AWS4${secretAccessKey}`,
  )
  const hash = createHmac('sha256', key).update(text).digest('hex')
  const { host: _, ...sent } = signed
  return {
    ...headers,
    ...sent,
    authorization: `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${hash}`,
  }
}

/** The path is encoded once more than on the wire. */
function encoded(segment: string): string {
  return encodeURIComponent(segment).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}
