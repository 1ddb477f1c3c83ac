import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type HostileServer, startHostileServer } from '../../../test/support/models/hostile-server.ts'
import { openTestModel, PNG, requestFor } from '../../../test/support/models/open-test-model.ts'
import { loadPrices } from '../prices.ts'
import type { Message, Model } from '../types.ts'
import { separatePackage } from './cloud.ts'
import { PROVIDERS } from './providers.ts'
import { signature } from './sigv4.ts'
import { bodyOf } from './transport.ts'

let server: HostileServer
const opened: Model[] = []
const NEVER = new AbortController().signal
beforeAll(async () => {
  server = await startHostileServer()
})
afterEach(async () => {
  server.behave({ do: 'reply' })
  await Promise.all(opened.splice(0).map((model) => model.close()))
})
afterAll(() => server.close())

async function open(spec: string, env: Record<string, string>, options: Record<string, unknown> = {}): Promise<Model> {
  const model = await openTestModel(spec, server.origin, { env, options, maxRetries: 0 })
  opened.push(model)
  return model
}

const picture: Message[] = [{ role: 'user', content: [{ type: 'media', media: PNG.red.ref }] }]
const AWS = {
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  AWS_REGION: 'us-east-1',
}

it('names the package that is missing', async () => {
  const provider = PROVIDERS.find(({ name }) => name === 'azure')!
  const missing: string = 'a-package-that-is-not-there'
  const load = () => import(missing)
  await expect(separatePackage({ provider, model: 'x' }, load)).rejects.toMatchObject({
    message: 'azure/x needs a package that is not installed.',
    hint: 'Install it with: npm install @ai-sdk/azure@^3.0.128',
  })
})

it.each([
  ['azure/x', { AZURE_API_KEY: 'k'.repeat(9) }, 'Set AZURE_RESOURCE_NAME.'],
  ['bedrock/x', { AWS_BEARER_TOKEN_BEDROCK: 'k'.repeat(9) }, 'Set AWS_REGION.'],
  ['bedrock/x', { AWS_REGION: 'us-east-1' }, 'Set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID'],
  ['vertex/x', { GOOGLE_VERTEX_PROJECT: 'p' }, 'Set GOOGLE_VERTEX_PROJECT and GOOGLE_VERTEX_LOCATION.'],
])('%s with %o says what to set', async (spec, env, hint) => {
  await expect(open(spec, env)).rejects.toMatchObject({ hint: expect.stringContaining(hint) })
})

it.each([
  ['azure/x', { AZURE_API_KEY: 'k'.repeat(9), AZURE_RESOURCE_NAME: 'res' }, 'https://res.openai.azure.com/openai/v1'],
  ['bedrock/x', AWS, 'https://bedrock-runtime.us-east-1.amazonaws.com'],
  [
    'vertex/x',
    { GOOGLE_VERTEX_PROJECT: 'p', GOOGLE_VERTEX_LOCATION: 'us-east5' },
    'https://us-east5-aiplatform.googleapis.com/v1beta1/projects/p/locations/us-east5/publishers/google',
  ],
  ['vertex/x', { GOOGLE_VERTEX_API_KEY: 'k'.repeat(9) }, 'https://aiplatform.googleapis.com/v1/publishers/google'],
])('%s with %o is at %s', async (spec, env, address) => {
  expect((await open(spec, env)).address).toBe(address)
})

describe('Bedrock with access keys', () => {
  // The POST with a form in the test suite that AWS publishes for its signature.
  it('signs as AWS does', async () => {
    const call = {
      url: 'https://example.amazonaws.com/',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: bodyOf(Buffer.from('Param1='), Buffer.from('value1')),
    }
    const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: AWS.AWS_SECRET_ACCESS_KEY }
    const { authorization } = await signature(call, credentials, 'us-east-1', 'service', Date.UTC(2015, 7, 30, 12, 36))
    expect(authorization).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
        'SignedHeaders=content-type;host;x-amz-date, ' +
        'Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    )
  })

  it('signs what is sent, images and options included', async () => {
    const env = { ...AWS, AWS_SESSION_TOKEN: 'temporary-token', AWS_ENDPOINT_URL_BEDROCK_RUNTIME: server.origin }
    const model = await open('bedrock/amazon.nova-lite-v1:0', env, { inferenceConfig: '{"topP":0.5}' })
    await model.ask(requestFor(picture), NEVER)
    const { headers, path, body } = server.requests.at(-1)!
    expect(headers['x-amz-security-token']).toBe('temporary-token')
    const time = String(headers['x-amz-date']).replace(
      /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/,
      '$1-$2-$3T$4:$5:$6Z',
    )
    const again = await signature(
      {
        url: server.origin + path,
        headers: { 'content-type': String(headers['content-type']) },
        body: bodyOf(Buffer.from(JSON.stringify(body))),
      },
      {
        accessKeyId: AWS.AWS_ACCESS_KEY_ID,
        secretAccessKey: AWS.AWS_SECRET_ACCESS_KEY,
        sessionToken: 'temporary-token',
      },
      'us-east-1',
      'bedrock',
      Date.parse(time),
    )
    expect(headers.authorization).toBe(again.authorization)
    expect(body).toMatchObject({ inferenceConfig: { topP: 0.5 } })
  })

  it('never shows the secret key, even if the server repeats it', async () => {
    server.behave({ do: 'status', status: 403, message: `wrong: ${AWS.AWS_SECRET_ACCESS_KEY}` })
    const model = await open('bedrock/x', { ...AWS, AWS_ENDPOINT_URL_BEDROCK_RUNTIME: server.origin })
    const error = await model.ask(requestFor('a'), NEVER).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ kind: 'auth', fatal: true })
    expect(String(error)).toMatch(/wrong: \[redacted\].*Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/)
  })
})

describe('Vertex AI with the credentials of the machine', () => {
  const TOKEN = 'ya29.an-access-token'

  it('asks with an access token, which is redacted', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sightline-vertex-'))
    const tokens = createServer((_, response) => {
      const token = { access_token: TOKEN, token_type: 'Bearer', expires_in: 3600 }
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ ...token, issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' }))
    })
    await new Promise<void>((resolve) => tokens.listen(0, '127.0.0.1', resolve))
    const credentials = {
      type: 'external_account',
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`,
      credential_source: { file: join(folder, 'subject') },
    }
    await writeFile(join(folder, 'subject'), 'a.b.c')
    await writeFile(join(folder, 'credentials.json'), JSON.stringify(credentials))
    try {
      const model = await open('vertex/gemini-2.5-pro', {
        GOOGLE_VERTEX_PROJECT: 'our-project',
        GOOGLE_VERTEX_LOCATION: 'europe-west4',
        GOOGLE_VERTEX_BASE_URL: server.origin,
        GOOGLE_APPLICATION_CREDENTIALS: join(folder, 'credentials.json'),
      })
      server.behave({ do: 'reply', text: `You sent ${TOKEN}.` })
      const reply = await model.ask(requestFor(picture), NEVER)
      expect(reply.text).toBe('You sent [redacted].')
      const { path, headers, body } = server.requests.at(-1)!
      expect(path).toBe(
        '/v1beta1/projects/our-project/locations/europe-west4/publishers/google/models/gemini-2.5-pro:generateContent',
      )
      expect(headers.authorization).toBe(`Bearer ${TOKEN}`)
      const data = Buffer.from(PNG.red.bytes).toString('base64')
      expect(JSON.stringify(body)).toContain(`{"inlineData":{"mimeType":"image/png","data":"${data}"}}`)
    } finally {
      tokens.closeAllConnections()
      tokens.close()
      await rm(folder, { recursive: true })
    }
  })

  it('says that there are none', async () => {
    const model = await open('vertex/gemini-2.5-pro', {
      GOOGLE_VERTEX_PROJECT: 'p',
      GOOGLE_VERTEX_LOCATION: 'global',
      GOOGLE_APPLICATION_CREDENTIALS: '/nowhere/credentials.json',
    })
    await expect(model.ask(requestFor('a'), NEVER)).rejects.toMatchObject({
      kind: 'auth',
      fatal: true,
      message: expect.stringMatching(/no access token: .*Check GOOGLE_APPLICATION_CREDENTIALS/),
    })
  })
})

it('takes a prompt that the filter of Azure rejects as a filtered reply', async () => {
  server.behave({
    do: 'raw',
    status: 400,
    body: '{"error":{"message":"The response was filtered","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation"}}}',
  })
  const model = await open('azure/x', { AZURE_API_KEY: 'k'.repeat(9), AZURE_BASE_URL: server.origin })
  expect(await model.ask(requestFor('a'), NEVER)).toMatchObject({ text: '', finish: 'content-filter' })
})

it('knows the list prices of models that a cloud resells', async () => {
  const prices = await loadPrices()
  const known = ['azure/gpt-5.2', 'vertex/gemini-2.5-pro', 'bedrock/global.anthropic.claude-sonnet-4-5-20250929-v1:0']
  const makers = ['openai/gpt-5.2', 'google/gemini-2.5-pro', 'anthropic/claude-sonnet-4-5']
  expect(known.map((model) => prices.of(model))).toEqual(makers.map((model) => prices.of(model)))
  expect(prices.of('bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0')).toBeNull()
  expect(prices.of('azure/our-deployment')).toBeNull()
})
