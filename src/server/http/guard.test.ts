import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AskOptions,
  type ExampleServer,
  startExampleServer,
  writeExampleRun,
} from '../../../test/support/server.ts'

let server: ExampleServer
beforeAll(async () => {
  server = await startExampleServer()
  await writeExampleRun(server.store, { id: 'one' })
})
afterAll(() => server.close())

const own = (): string => `127.0.0.1:${server.port}`

describe('access control', () => {
  it.each(['localhost', '127.0.0.1', '[::1]', 'localhost:8080', 'LOCALHOST:1'])('accepts the host %s', async (host) => {
    expect((await server.ask('/api/runs', { headers: { host } })).status).toBe(200)
  })

  it.each([
    'evil.example',
    'evil.example:7070',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '10.0.0.1',
    'a@localhost',
    ' ',
  ])('rejects the host %s on every path', async (host) => {
    for (const path of ['/', '/api/runs', '/api/live', '/assets/main-1a2B3c4D.js']) {
      const { status, text } = await server.ask(path, { headers: { host } })
      expect([400, 403], path).toContain(status)
      expect(text).not.toContain('"id"')
    }
  })

  const requests: [string, AskOptions, number][] = [
    ['no origin', {}, 200],
    ['its own origin', { headers: { origin: 'http://OWN' } }, 200],
    ['another port', { headers: { origin: 'http://127.0.0.1:1' } }, 403],
    ['another site', { headers: { origin: 'https://evil.example' } }, 403],
    ['a sandboxed page', { headers: { origin: 'null' } }, 403],
    ['its own page', { headers: { 'sec-fetch-site': 'same-origin' } }, 200],
    ['typed URL', { headers: { 'sec-fetch-site': 'none' } }, 200],
    ['another port, same-site', { headers: { 'sec-fetch-site': 'same-site' } }, 403],
    ['another site, cross-site', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['POST', { method: 'POST' }, 405],
    ['DELETE', { method: 'DELETE', headers: { origin: 'http://OWN' } }, 405],
    ['PUT', { method: 'PUT', headers: { origin: 'http://OWN' } }, 405],
    ['OPTIONS', { method: 'OPTIONS', headers: { origin: 'http://OWN' } }, 405],
    ['HEAD', { method: 'HEAD' }, 200],
  ]
  it.each(requests)('applies the policy to API requests: %s', async (_, options, status) => {
    const headers = Object.fromEntries(
      Object.entries(options.headers ?? {}).map(([name, value]) => [name, value.replace('OWN', own())]),
    )
    const answer = await server.ask('/api/runs', { ...options, headers })
    expect(answer.status).toBe(status)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('rejects a play request without an origin', async () => {
    const { status } = await server.ask('/api/play/anything', { method: 'POST' })
    expect(status).toBe(403)
  })
})

describe('security headers', () => {
  it.each(['/', '/api/runs', '/api/nothing', '/api/runs/nope', '/assets/main-1a2B3c4D.js'])(
    'are set on %s',
    async (path) => {
      const { headers } = await server.ask(path)
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(headers['content-security-policy']).not.toMatch(/unsafe|http|\*/)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      })
    },
  )

  it('are set on refused requests', async () => {
    const { headers } = await server.ask('/', { headers: { host: 'evil.example' } })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['x-content-type-options']).toBe('nosniff')
  })
})

/** One of each class of route. */
const ROUTES = [
  '/',
  '/assets/main-1a2B3c4D.js',
  '/api/info',
  '/api/runs',
  '/api/runs/one',
  '/api/runs/one/episodes',
  '/api/runs/one/panel',
  '/api/runs/one/search?q=room',
  '/api/runs/one/episodes/0/1/scene',
  '/api/compare?a=one&b=one',
  '/api/shared?runs=one',
  `/api/media/${'0'.repeat(64)}`,
  '/api/live',
  '/api/play',
  '/api/play/samples?suite=vsig',
  '/nothing',
]

describe.each(['127.0.0.1', '192.168.7.7'])('the token of a server at %s', (bound) => {
  let guarded: ExampleServer
  beforeAll(async () => {
    guarded = await startExampleServer({ host: bound })
    await writeExampleRun(guarded.store, { id: 'one' })
  })
  afterAll(() => guarded.close())
  const host = (): string => `${bound}:${guarded.port}`
  const anonymous = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    guarded.ask(path, { headers: { host: host(), ...headers }, method, withToken: false })

  it.each(ROUTES)('is required: %s', async (path) => {
    const { token } = guarded
    const wrong: [string, Record<string, string>][] = [
      [path, {}],
      [path, { host: 'localhost' }],
      [path, { authorization: 'Bearer wrong' }],
      [path, { authorization: `Basic ${token}` }],
      [path, { cookie: `sightline-${guarded.port}=${token.slice(0, -1)}` }],
      [path, { cookie: `sightline-1=${token}` }],
      [`${path}${path.includes('?') ? '&' : '?'}token=`, {}],
      [`${path}${path.includes('?') ? '&' : '?'}token=${token.slice(0, -1)}`, {}],
    ]
    for (const [asked, headers] of wrong) {
      const { status, text, headers: sent } = await anonymous(asked, headers)
      expect([status, sent['www-authenticate']]).toEqual([401, 'Bearer'])
      expect(text).not.toContain(token)
      expect(JSON.parse(text)).toEqual({
        problem: 'Token required.',
        hint: 'Open the link that `sightline view` printed, with its ?token=….',
      })
    }
  })

  it.each(['/api/play/start', '/api/play/resume', '/api/play/one/reply'])('is required to write: %s', async (path) => {
    const origin = `http://${host()}`
    expect((await anonymous(path, { origin }, 'POST')).status).toBe(401)
    expect((await anonymous(`${path}?token=${guarded.token}`, { origin }, 'POST')).status).toBe(401)
  })

  it('moves from the link to an HttpOnly cookie', async () => {
    const opened = await anonymous(`/?token=${guarded.token}&at=3`)
    expect([opened.status, opened.headers.location, opened.text]).toEqual([303, '/?at=3', ''])
    const [cookie = ''] = opened.headers['set-cookie'] ?? []
    expect(cookie).toBe(`sightline-${guarded.port}=${guarded.token}; Path=/; HttpOnly; SameSite=Strict`)
    const kept = cookie.split(';')[0]!
    expect((await anonymous('/api/runs', { cookie: kept })).status).toBe(200)
    expect((await anonymous('/api/runs', { cookie: `${kept}x` })).status).toBe(401)
  })

  it('is explained to a browser that opens a page without it', async () => {
    const { status, text, headers } = await anonymous('/', { accept: 'text/html', 'sec-fetch-site': 'none' })
    expect([status, headers['refresh']]).toEqual([401, undefined])
    expect(text).toContain('Open the link that <code>sightline view</code> printed')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/)
  })

  it('works by links on other sites: the page asks again by itself, with the cookie', async () => {
    const elsewhere = { accept: 'text/html', 'sec-fetch-site': 'cross-site' }
    const plain = await anonymous('/', elsewhere)
    expect([plain.headers['refresh'], plain.headers['set-cookie']]).toEqual(['0; url=/', undefined])
    const withToken = await anonymous(`/?token=${guarded.token}`, elsewhere)
    expect([withToken.headers['refresh'], withToken.headers['set-cookie']]).toEqual(['0; url=/', [expect.any(String)]])
    expect(withToken.text).not.toContain(guarded.token)
  })

  it.each(['//evil.example/', '///evil.example/', '/\\evil.example/', '/%5cevil.example/', '/.//evil.example/'])(
    'never leads to another server: %s',
    async (path) => {
      for (const site of ['none', 'cross-site']) {
        const headers = { accept: 'text/html', 'sec-fetch-site': site }
        const opened = await anonymous(`${path}?token=${guarded.token}`, headers)
        const target = opened.headers.location ?? String(opened.headers['refresh']).replace('0; url=', '')
        expect(new URL(target, `http://${host()}`).host).toBe(host())
      }
    },
  )

  it('does not replace the check of the host name', async () => {
    expect((await anonymous(`/?token=${guarded.token}`, { host: 'evil.example' })).status).toBe(403)
  })
})

it.each(['/api/errors', '/api/votes/start', '/api/play/start'])('limits the length of requests to %s', async (path) => {
  const headers = { origin: `http://${own()}`, 'content-type': 'application/json', 'content-length': '600000' }
  expect((await server.ask(path, { method: 'POST', headers })).status).toBe(413)
})
