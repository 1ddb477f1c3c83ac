import { describe, expect, it } from 'vitest'
import { type Destination, type Destinations, checkDestination, checkVariable, guardedLookup } from './destinations.ts'

const OPENAI = 'https://api.openai.com/v1'
const VLLM = 'http://localhost:8000/v1'
const queue = (more: Partial<Destinations> = {}): Destinations => ({
  allowed: [],
  variables: [],
  thisMachine: false,
  hint: 'Allow it.',
  variableHint: 'Allow the variable.',
  ...more,
})
const to = (url: string, more: Partial<Destination> = {}): Destination => ({
  model: 'openai/gpt-5.2',
  url,
  own: OPENAI,
  isFromEnvironment: false,
  ...more,
})
const vllm = { model: 'vllm/q', own: VLLM }
const gpu = { allowed: [{ url: 'http://gpu:8000' }] }

describe('a key', () => {
  it.each<[string, Destination, Destinations]>([
    ['the provider itself', to(OPENAI), queue()],
    ['an address below an allowed one', to('http://gpu:8000/v1'), queue(gpu)],
    [
      'an address of this provider',
      to('http://gpu/v1'),
      queue({ allowed: [{ url: 'http://gpu/v1', provider: 'openai' }] }),
    ],
    [
      'the address in the environment',
      to('http://10.0.0.1/v1', { own: 'http://10.0.0.1/v1', isFromEnvironment: true }),
      queue(),
    ],
    ['this machine, if the environment says so', to(VLLM, { ...vllm, isFromEnvironment: true }), queue()],
    ['this machine, for the user at it', to(VLLM, vllm), queue({ thisMachine: true })],
    ['an address that the user confirms', to('http://new/v1'), queue({ confirm: () => Promise.resolve(true) })],
  ])('goes to %s', async (_, destination, destinations) => {
    await expect(checkDestination(destination, destinations)).resolves.toBeUndefined()
  })

  it.each<[string, Destination, Destinations]>([
    ['anyone else', to('http://attacker/v1'), queue()],
    ['a similar name', to('https://api.openai.com.attacker.example/v1'), queue()],
    ['the provider without TLS', to('http://api.openai.com/v1'), queue()],
    ['another port', to('https://api.openai.com:8443/v1'), queue()],
    ['another port of an allowed host', to('http://gpu:9000/v1'), queue(gpu)],
    ['a path next to the allowed one', to('http://gpu/v10'), queue({ allowed: [{ url: 'http://gpu/v1' }] })],
    [
      'an address of another provider',
      to('http://gpu/v1'),
      queue({ allowed: [{ url: 'http://gpu/v1', provider: 'vllm' }] }),
    ],
    ['this machine, for a queue', to(VLLM, vllm), queue()],
    ['the metadata service of a cloud', to('http://169.254.169.254/v1'), queue({ thisMachine: true })],
    ['another port of this machine', to('http://127.0.0.1:22/v1', vllm), queue({ thisMachine: true })],
    ['a name before the address', to('https://api.openai.com@attacker.example/v1'), queue()],
    ['a path that climbs', to('http://gpu/v1/../v2'), queue({ allowed: [{ url: 'http://gpu/v1' }] })],
    ...[
      'localhost',
      'LOCALHOST.',
      'a.localhost',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '0',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
    ].map((host): [string, Destination, Destinations] => [
      `this machine as ${host}, for a queue`,
      to(`http://${host}:8000/v1`, { model: 'vllm/q', own: `http://${host}:8000/v1` }),
      queue(),
    ]),
    ['an address that the user declines', to('http://new/v1'), queue({ confirm: () => Promise.resolve(false) })],
  ])('does not go to %s', async (_, destination, destinations) => {
    await expect(checkDestination(destination, destinations)).rejects.toThrow(
      `It would ask ${destination.model} at ${destination.url}, an address that nobody on this machine has named.`,
    )
  })

  it.each([
    ['api.openai.com', '169.254.169.254', false],
    ['api.openai.com', '::ffff:169.254.169.254', false],
    ['api.openai.com', 'fe80::1', false],
    ['api.openai.com', '64:ff9b::a9fe:a9fe', false],
    ['api.openai.com', '168.63.129.16', false],
    ['api.openai.com', '127.0.0.1', false],
    ['api.openai.com', '127.9.9.9', false],
    ['api.openai.com', '0.0.0.0', false],
    ['api.openai.com', '::ffff:127.0.0.1', false],
    ['api.openai.com', '64:ff9b::7f00:1', false],
    ['api.openai.com', '::1', false],
    ['api.openai.com', '162.159.140.245', true],
    ['gpu', '127.0.1.1', true],
    ['gpu', '10.0.0.7', true],
    ['gpu', '169.254.169.254', false],
  ])('for %s at %s: %s', async (hostname, address, isConnected) => {
    const resolve = ((_: string, __: object, callback: (error: null, found: object[]) => void) =>
      callback(null, [{ address, family: address.includes(':') ? 6 : 4 }])) as unknown as Parameters<
      typeof guardedLookup
    >[2]
    const lookUp = guardedLookup(queue(gpu), to(OPENAI), resolve)
    const found = await new Promise((done) => lookUp(hostname, {}, (error, to_) => done(error ? error.message : to_)))
    expect(found).toBe(isConnected ? address : `${hostname} resolves to ${address}, which is not a model server`)
  })
})

describe('an environment variable in a header', () => {
  const sent = { url: OPENAI, provider: 'openai', variables: ['TOKEN'] }
  const gateway = { url: 'http://gateway/v1' }

  it.each<[string, string, Destination, Destinations]>([
    ['is meant for models', 'SIGHTLINE_HEADER_TOKEN', to(OPENAI), queue()],
    ['was allowed by name', 'TOKEN', to(OPENAI), queue({ variables: ['TOKEN'] })],
    ['was sent there before', 'TOKEN', to(OPENAI), queue({ allowed: [sent] })],
    ['is confirmed', 'TOKEN', to(OPENAI), queue({ confirm: (_, variable) => Promise.resolve(variable === 'TOKEN') })],
  ])('goes to the model if it %s', async (_, variable, destination, destinations) => {
    await expect(checkVariable(variable, 'X-A', destination, destinations)).resolves.toBeUndefined()
  })

  it.each<[string, string, Destination, Destinations]>([
    ['nobody has sent it', 'TOKEN', to(OPENAI), queue({ thisMachine: true })],
    ['only the address is known', 'TOKEN', to(OPENAI), queue({ allowed: [{ url: OPENAI, provider: 'openai' }] })],
    ['another one was sent there', 'AWS_SECRET_ACCESS_KEY', to(OPENAI), queue({ allowed: [sent] })],
    ['it was sent elsewhere', 'TOKEN', to('http://other/v1'), queue({ allowed: [sent] })],
    ['it was sent to another provider', 'TOKEN', to(OPENAI, { model: 'vllm/q' }), queue({ allowed: [sent] })],
    ['only the address was allowed', 'TOKEN', to('http://gateway/v1'), queue({ allowed: [gateway] })],
    ['it is declined', 'TOKEN', to(OPENAI), queue({ confirm: () => Promise.resolve(false) })],
  ])('does not go there if %s', async (_, variable, destination, destinations) => {
    await expect(checkVariable(variable, 'X-A', destination, destinations)).rejects.toMatchObject({
      message: `Its header X-A would send the environment variable ${variable} to ${destination.url}, which nobody on this machine has done before.`,
      hint: 'Allow the variable.',
    })
  })
})
