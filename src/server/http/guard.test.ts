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

describe('who may ask', () => {
  it.each(['localhost', '127.0.0.1', '[::1]', 'localhost:8080', 'LOCALHOST:1'])('answers under %s', async (host) => {
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
  ])('does not answer under %s, whatever is asked', async (host) => {
    for (const path of ['/', '/api/runs', '/api/live', '/assets/main-1a2B3c4D.js']) {
      const { status, text } = await server.ask(path, { headers: { host } })
      expect([400, 403], path).toContain(status)
      expect(text).not.toContain('"id"')
    }
  })

  const asked: [string, AskOptions, number][] = [
    ['no origin', {}, 200],
    ['its own origin', { headers: { origin: 'http://OWN' } }, 200],
    ['another port', { headers: { origin: 'http://127.0.0.1:1' } }, 403],
    ['another site', { headers: { origin: 'https://evil.example' } }, 403],
    ['a page in a sandbox', { headers: { origin: 'null' } }, 403],
    ['its own page', { headers: { 'sec-fetch-site': 'same-origin' } }, 200],
    ['typed by hand', { headers: { 'sec-fetch-site': 'none' } }, 200],
    ['another port, as browsers call it', { headers: { 'sec-fetch-site': 'same-site' } }, 403],
    ['another site, as browsers call it', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['writing', { method: 'POST' }, 405],
    ['deleting', { method: 'DELETE', headers: { origin: 'http://OWN' } }, 405],
    ['changing', { method: 'PUT', headers: { origin: 'http://OWN' } }, 405],
    ['asking for permission', { method: 'OPTIONS', headers: { origin: 'http://OWN' } }, 405],
    ['only the head', { method: 'HEAD' }, 200],
  ]
  it.each(asked)('data: %s', async (_, options, status) => {
    const headers = Object.fromEntries(
      Object.entries(options.headers ?? {}).map(([name, value]) => [name, value.replace('OWN', own())]),
    )
    const answer = await server.ask('/api/runs', { ...options, headers })
    expect(answer.status).toBe(status)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('lets nobody but its page write where people play', async () => {
    const { status } = await server.ask('/api/play/anything', { method: 'POST' })
    expect(status).toBe(403)
  })

  it('may be linked to from elsewhere', async () => {
    expect((await server.ask('/', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(200)
  })
})

describe('headers', () => {
  it.each(['/', '/api/runs', '/api/nothing', '/api/runs/nope', '/assets/main-1a2B3c4D.js'])('of %s', async (path) => {
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
  })

  it('hold for refusals too', async () => {
    const { headers } = await server.ask('/', { headers: { host: 'evil.example' } })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['x-content-type-options']).toBe('nosniff')
  })
})

describe('bound to another address', () => {
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
  ])('shows nothing without the token: %s', async (path) => {
    for (const name of [host(), 'localhost']) {
      const { status, text } = await guarded.ask(path, { headers: { host: name } })
      expect(status).toBe(401)
      expect(text).not.toContain(TOKEN)
    }
  })

  it('takes the token from the address into a cookie that no script reads, and out of the address', async () => {
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

  it('still asks for its own name', async () => {
    const { status } = await guarded.ask(`/?token=${TOKEN}`, { headers: { host: 'evil.example' } })
    expect(status).toBe(403)
  })
})
