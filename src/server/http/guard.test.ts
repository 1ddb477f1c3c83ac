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

  it('allows links from other sites to the page', async () => {
    expect((await server.ask('/', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(200)
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

describe('bound to a non-loopback address', () => {
  const TOKEN = 'a-secret-of-this-start'
  let guarded: ExampleServer
  beforeAll(async () => {
    guarded = await startExampleServer({ host: '192.168.7.7', token: TOKEN })
    await writeExampleRun(guarded.store, { id: 'one' })
  })
  afterAll(() => guarded.close())
  const host = (): string => `192.168.7.7:${guarded.port}`

  it.each([
    '/',
    '/api/runs',
    '/api/live',
    '/assets/main-1a2B3c4D.js',
    '/?token=',
    '/?token=wrong',
    '/api/runs?token=a-secret-of-this-star',
  ])('requires the token: %s', async (path) => {
    for (const name of [host(), 'localhost']) {
      const { status, text } = await guarded.ask(path, { headers: { host: name } })
      expect(status).toBe(401)
      expect(text).not.toContain(TOKEN)
    }
  })

  it('moves the token from the URL to an HttpOnly cookie', async () => {
    const opened = await guarded.ask(`/?token=${TOKEN}&at=3`, { headers: { host: host() } })
    expect(opened.status).toBe(303)
    expect(opened.headers.location).toBe('/?at=3')
    const [cookie = ''] = opened.headers['set-cookie'] ?? []
    expect(cookie).toMatch(/; HttpOnly/i)
    expect(cookie).toMatch(/; SameSite=Strict/i)
    const kept = cookie.split(';')[0]!
    expect((await guarded.ask('/api/runs', { headers: { host: host(), cookie: kept } })).status).toBe(200)
    expect((await guarded.ask('/api/runs', { headers: { host: host(), cookie: `${kept}x` } })).status).toBe(401)
  })

  it('never leads to another server', async () => {
    const opened = await guarded.ask(`//evil.example/?token=${TOKEN}`, { headers: { host: host() } })
    expect(opened.headers.location).toBe('/evil.example/')
  })

  it('still checks the host name', async () => {
    const { status } = await guarded.ask(`/?token=${TOKEN}`, { headers: { host: 'evil.example' } })
    expect(status).toBe(403)
  })
})
